"""What do these narratives agree on, and how well does a summary say it?

import commonground as cg

cg.overlap([left, right])        # what do both say, and where?
cg.verify(summary, sources)      # which words do the sources state?
cg.sem_f1(summary, references)   # is the same said? sentence by sentence
cg.rouge(summary, references)    # is it said in the same words?
"""

import logging
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from commonground._version import __version__
from commonground.errors import CommongroundError

if TYPE_CHECKING:
    from commonground.metrics import Rouge, RougeScore, SemF1, SemF1Score
    from commonground.metrics._texts import Text
    from commonground.overlap import overlap, verify
    from commonground.reader import Reader
    from commonground.units import Pyramid

logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "CommongroundError",
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


_FROM = {
    "Pyramid": "units",
    "Reader": "reader",
    "Rouge": "metrics",
    "SemF1": "metrics",
    "verify": "overlap",
}
_PARTS = ("encoders", "io", "metrics", "models", "overlap", "reader", "text", "units")


def __getattr__(name: str) -> Any:
    # On demand: they bring half of scipy with them, which takes most of a second. The command
    # line starts here too, and must be able to answer before that.
    if name in _FROM:
        return getattr(import_module(f"commonground.{_FROM[name]}"), name)
    if name in _PARTS:
        return import_module(f"commonground.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def sem_f1(
    summary: "Text",
    references: "Sequence[Text]",
    *,
    encoder: str = "minilm",
    thresholds: str | tuple[float, float] = "35-65",
    splitter: str = "layout",
) -> "SemF1Score":
    """SEM-F1 of one summary; `SemF1` says what the options mean and scores many at once.

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
    """ROUGE of one summary; `Rouge` says what the options mean and scores many at once.

    Example:
        >>> rouge("The dam broke.", ["The dam burst."])["rouge1"].f1
        0.6666666666666666
    """
    from commonground.metrics import Rouge

    measure = Rouge(types=types, stemmer=stemmer, tokenizer=tokenizer, multi=multi)
    return measure.score(summary, references)
