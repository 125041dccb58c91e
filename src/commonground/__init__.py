"""What do these narratives agree on, and how well does a summary say it?

import commonground as cg

cg.overlap([left, right])        # what do both say, and where?
cg.verify(summary, sources)      # which words do the sources state?
cg.sem_f1(summary, references)   # is the same said? sentence by sentence
cg.rouge(summary, references)    # is it said in the same words?
cg.Pyramid.build(references)     # which ideas count, and how much?

Studies are in `cg.agreement` and `cg.benchmark`, more metrics in `cg.metrics`.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonground.errors import CommongroundError, InputError
from commonground.lazy import on_demand
from commonground.version import __version__

if TYPE_CHECKING:
    from commonground import agreement as agreement
    from commonground import benchmark as benchmark
    from commonground import encoders as encoders
    from commonground import errors as errors
    from commonground import io as io
    from commonground import metrics as metrics
    from commonground import models as models
    from commonground import narratives as narratives
    from commonground import pyramid as pyramid
    from commonground import reader as reader
    from commonground import text as text
    from commonground.metrics import Rouge, RougeScore, SemF1, SemF1Score, Text
    from commonground.narratives import overlap, verify
    from commonground.pyramid import Pyramid
    from commonground.reader import Reader
else:
    # Lazy: they import much of scipy, which takes most of a second, and the command line starts
    # here, too.
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "metrics": ["Rouge", "SemF1"],
            "narratives": ["overlap", "verify"],
            "pyramid": ["Pyramid"],
            "reader": ["Reader"],
        },
        parts=(
            "agreement",
            "benchmark",
            "encoders",
            "errors",
            "io",
            "metrics",
            "models",
            "narratives",
            "pyramid",
            "reader",
            "text",
        ),
    )

logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "CommongroundError",
    "InputError",
    "Pyramid",
    "Reader",
    "Rouge",
    "SemF1",
    "__version__",
    "overlap",
    "rouge",
    "sem_f1",
    "verify",
]


def sem_f1(
    summary: "Text",
    references: "Sequence[Text]",
    *,
    encoder: str = "minilm",
    thresholds: str | tuple[float, float] = "35-65",
    splitter: str = "layout",
) -> "SemF1Score":
    """Return the SEM-F1 of one summary; `SemF1` scores many summaries.

    Args:
        summary: A text, or a list of sentences.
        references: Reference summaries, each a text or a list of sentences.
        encoder: The name of an encoder (`commonground.encoders.NAMES`), or a model folder.
        thresholds: The similarities from which a sentence is partly present and present, as
            "35-65" (percent) or (.35, .65).
        splitter: "layout", or "punkt" as in published scores.

    Returns:
        `f1`, `precision`, `recall`, the label and best match of each sentence, and the signature.

    Raises:
        InputError: `references` is a bare string or empty, or an option is invalid.

    Example:
        >>> sem_f1("The dam broke.", ["The dam burst.", "The dam gave way."]).sentences[0].label
        'P'
    """
    from commonground.metrics import SemF1

    return SemF1(encoder, thresholds=thresholds, splitter=splitter).score(summary, references)


def rouge(
    summary: "Text",
    references: "Sequence[Text]",
    *,
    types: Sequence[str] = ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    stemmer: bool = False,
    tokenizer: str = "ascii",
    multi: str = "best",
) -> "RougeScore":
    """Return the ROUGE of one summary; `Rouge` scores many summaries.

    Args:
        summary: A text, or a list of sentences.
        references: Reference summaries, each a text or a list of sentences.
        types: Any of `rouge1`, `rouge2`, ..., `rougeL`, `rougeLsum`.
        stemmer: Whether words match by their Porter stems (English).
        tokenizer: "ascii" as in rouge-score, or "unicode" for other scripts.
        multi: "best" or "mean" over several references.

    Returns:
        Precision, recall and F1 by type, as in `score["rouge1"].f1`, and the signature.

    Raises:
        InputError: `references` is a bare string or empty, or an option is invalid.

    Example:
        >>> rouge("The dam broke.", ["The dam burst."])["rouge1"].f1
        0.6666666666666666
    """
    from commonground.metrics import Rouge

    measure = Rouge(types=types, stemmer=stemmer, tokenizer=tokenizer, multi=multi)
    return measure.score(summary, references)
