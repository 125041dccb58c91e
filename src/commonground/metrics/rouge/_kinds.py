"""The kinds of ROUGE: what each counts as matched between a prediction and a reference."""

import re
from typing import Final

from commonground._score import PRF
from commonground.errors import unknown_name
from commonground.metrics.rouge._lcs import lcs_length
from commonground.metrics.rouge._ngrams import shared_ngrams
from commonground.metrics.rouge._reading import Reading

DEFAULT_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

_NGRAM_TYPE = re.compile("rouge([1-9][0-9]{0,8})")


def ngram_length(name: str) -> int | None:
    """The N of a ROUGE-N; None for ROUGE-L and ROUGE-Lsum. Any other name is an error."""
    if name in ("rougeL", "rougeLsum"):
        return None
    found = _NGRAM_TYPE.fullmatch(str(name))
    if not found:
        raise unknown_name("ROUGE type", str(name), DEFAULT_TYPES)
    return int(found[1])


def compare(name: str, prediction: Reading, reference: Reading) -> PRF:
    """One kind of ROUGE between a prediction and a reference; 0 where either has no tokens."""
    length = ngram_length(name)
    if length:
        matched = shared_ngrams(prediction.ngrams[length], reference.ngrams[length])
    elif name == "rougeL":
        matched = lcs_length(prediction.tokens, reference.tokens)
    else:
        matched = _union_lcs(prediction, reference)
    if not matched:
        return PRF(0.0, 0.0, 0.0)
    fewer = (length or 1) - 1
    return PRF.of(
        matched / (len(prediction.tokens) - fewer), matched / (len(reference.tokens) - fewer)
    )


def _union_lcs(prediction: Reading, reference: Reading) -> int:
    """Tokens of the reference on the common subsequence with any sentence of the prediction.

    As in ROUGE 1.5.5, a token counts no more often than the prediction has it.
    """
    if len(prediction.sentences) == len(reference.sentences) == 1:
        return lcs_length(prediction.tokens, reference.tokens)
    paths = []
    for positions in reference.positions:
        union = 0
        for sentence in prediction.sentences:
            union |= positions.on_path(sentence)
        paths.append(union)
    matched = sum(path.bit_count() for path in paths)
    for token, count in reference.repeated.items():
        available = prediction.ngrams[1].get(token, count)
        if available < count:
            on_paths = zip(paths, reference.positions, strict=True)
            used = sum((path & where.of.get(token, 0)).bit_count() for path, where in on_paths)
            matched -= max(0, used - available)
    return matched
