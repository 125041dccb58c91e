"""The kinds of ROUGE: what each counts as matched between a prediction and a reference."""

import re
from dataclasses import dataclass
from typing import Final

from commonground.errors import unknown_name
from commonground.metrics.rouge.lcs import lcs_length
from commonground.metrics.rouge.ngrams import shared_ngrams
from commonground.metrics.rouge.reading import Reading
from commonground.score import PRF

DEFAULT_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

_NGRAM_TYPE = re.compile("rouge([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of ROUGE: its name, and for ROUGE-N the length of its n-grams."""

    name: str
    length: int | None

    @classmethod
    def parse(cls, name: object) -> "Kind":
        """The kind of that name, or an error that suggests the nearest one."""
        if name in ("rougeL", "rougeLsum"):
            return cls(str(name), None)
        found = _NGRAM_TYPE.fullmatch(str(name))
        if not found:
            raise unknown_name("ROUGE type", str(name), DEFAULT_TYPES)
        return cls(found[0], int(found[1]))

    def compare(self, prediction: Reading, reference: Reading) -> PRF:
        """A prediction with one reference; 0 where either has no tokens."""
        matched = self._matched(prediction, reference)
        if not matched:
            return PRF(0.0, 0.0, 0.0)
        fewer = (self.length or 1) - 1
        return PRF.of(
            matched / (len(prediction.tokens) - fewer), matched / (len(reference.tokens) - fewer)
        )

    def _matched(self, prediction: Reading, reference: Reading) -> int:
        if self.length:
            return shared_ngrams(prediction.ngrams[self.length], reference.ngrams[self.length])
        if self.name == "rougeL":
            return lcs_length(prediction.tokens, reference.tokens)
        return _union_lcs(prediction, reference)


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
