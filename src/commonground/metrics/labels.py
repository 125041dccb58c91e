"""Labels of a sentence, by people or a metric: present (P), partially present (PP), absent (A)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from commonground.errors import InputError, unknown_name

Label = Literal["P", "PP", "A"]

REWARD: Final[Mapping[Label, float]] = MappingProxyType({"P": 1.0, "PP": 0.5, "A": 0.0})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The similarities from which a sentence is partially present and present."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not -1 <= self.lower <= self.upper <= 1:
            raise InputError(
                f"thresholds {self.lower:g} and {self.upper:g} must be similarities "
                "from -1 to 1, the lower first"
            )

    def label(self, similarity: float) -> Label:
        """Return `P` from the upper threshold on, `PP` from the lower one, else `A`."""
        if similarity >= self.upper:
            return "P"
        return "PP" if similarity >= self.lower else "A"

    def __str__(self) -> str:
        return f"{100 * self.lower:.12g}-{100 * self.upper:.12g}"


# The seven pairs of the papers (algorithm 2), by their names in signatures and on the command line.
PRESETS: Final[Mapping[str, Thresholds]] = MappingProxyType(
    {
        f"{lower}-{upper}": Thresholds(lower / 100, upper / 100)
        for lower, upper in ((25, 75), (35, 65), (45, 75), (55, 65), (55, 75), (55, 80), (60, 80))
    }
)

# No paper names a default. This pair agrees best with the human labels there: it has the highest
# mean over tables 6 and 7 of the SEM-F1 paper (all annotators, encoders, and both statistics).
DEFAULT_THRESHOLDS: Final = "35-65"

_PAIR = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")


def thresholds_of(choice: "str | tuple[float, float] | Thresholds") -> Thresholds:
    """Return thresholds from a name such as "35-65" (percent) or a pair of similarities.

    Example:
        >>> thresholds_of("55-75") == thresholds_of((0.55, 0.75))
        True
    """
    if isinstance(choice, Thresholds):
        return choice
    if isinstance(choice, str):
        match = _PAIR.fullmatch(choice)
        if not match:
            raise unknown_name("pair of thresholds", choice, PRESETS)
        return Thresholds(*(float(percent) / 100 for percent in match.groups()))
    try:
        lower, upper = map(float, choice)
    except (TypeError, ValueError):
        raise InputError(
            f"thresholds must be a pair's name or two similarities, not {choice!r}"
        ) from None
    return Thresholds(lower, upper)
