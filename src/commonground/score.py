"""Scores, intervals and signatures, which every measure returns."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from commonground.citation import bibtex
from commonground.plain import Plain
from commonground.version import __version__

# Called with the work done so far and in all.
Progress: TypeAlias = Callable[[int, int], None]

_BREAKS: Final = re.compile(r"[%|\x00-\x1f\x7f]")  # % too, so that different values stay different


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that a score depends on, as one line to print with it.

    Example:
        >>> print(Signature.of("ROUGE", stem="no", refs="4"))
        ROUGE|stem:no|refs:4|v:0.1.0
    """

    measure: str
    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, measure: str, **fields: str) -> "Signature":
        """Build a signature; the fields keep their order, and the version comes last.

        Separators and control characters in values are percent-encoded (`%7C`).
        """
        safe = {
            key: _BREAKS.sub(lambda sign: f"%{ord(sign[0]):02X}", value)
            for key, value in fields.items()
        }
        return cls(measure, (*safe.items(), ("v", __version__)))

    def __str__(self) -> str:
        return "|".join([self.measure, *(f"{key}:{value}" for key, value in self.fields)])

    def to_dict(self) -> dict[str, str]:
        """Return the fields by name."""
        return {"measure": self.measure, **dict(self.fields)}

    def cite(self) -> str:
        """Return BibTeX for the measure's papers and for this software."""
        return bibtex(self.measure)


class Citable:
    """Base of results with a `signature`: they have `cite`."""

    __slots__ = ()
    signature: Signature

    def cite(self) -> str:
        """Return BibTeX for the papers behind the result and for this software."""
        return self.signature.cite()


@dataclass(frozen=True, slots=True)
class PRF(Plain):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> "PRF":
        """Add the F1, which is 0 unless both are positive.

        Cosines can be negative, and a harmonic mean of different signs is unbounded.
        """
        positive = precision > 0 and recall > 0
        f1 = 2 * precision * recall / (precision + recall) if positive else 0.0
        return cls(precision, recall, f1)

    def __iter__(self) -> Iterator[float]:
        return iter((self.precision, self.recall, self.f1))

    def __repr__(self) -> str:
        return f"PRF(precision={self.precision:.4f}, recall={self.recall:.4f}, f1={self.f1:.4f})"


@dataclass(frozen=True, slots=True)
class Interval(Plain):
    """A confidence interval of a mean."""

    low: float
    high: float
    level: float = 0.95

    def __repr__(self) -> str:
        return f"[{self.low:.4f}, {self.high:.4f}]@{self.level:g}"


def count_range(counts: set[int]) -> str:
    """Return a number that may vary over items for a signature: `4`, or `3-4`.

    Example:
        >>> count_range({3, 4})
        '3-4'
    """
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low}-{high}"
