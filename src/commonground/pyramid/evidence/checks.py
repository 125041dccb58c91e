"""Checks: why a person should look at a match. No score depends on them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from commonground.plain import Plain
from commonground.pyramid.evidence.denial import may_deny
from commonground.text.values import (
    Quantity,
    When,
    dates,
    dates_agree,
    dates_comparable,
    numbers_agree,
    quantities,
)

Kind = Literal["negation", "number"]


@dataclass(frozen=True, slots=True)
class Check(Plain):
    """Why a person should check a match.

    Attributes:
        kind: `negation` if the words that show the unit may deny it; `number` if they lack a
            number or date of the unit, or have another one.
        words: The reason, for people.
    """

    kind: Kind
    words: str


# An idea after the sentence before it, and the words of a long sentence that are meant.
_BEFORE: Final = re.compile(r"^\[.*?\] ")
_HERE: Final = re.compile(r"\(here: “(.*)”\)$")

NEGATION: Final = Check("negation", "this may deny it")


def checks(label: str, judged: str, clauses: Sequence[str], shown: str) -> tuple[Check, ...]:
    """Return why a person should check that a text states a unit.

    Args:
        label: The unit as people read it, with its numbers.
        judged: The unit's words that the text was judged by.
        clauses: The clauses of the sentence that shows it.
        shown: That sentence.

    Example:
        >>> label = "The grant was 40,000 euros."
        >>> [check.words for check in checks(label, label, ["There was a grant."], "")]
        ['the number “40,000 euros” is not in the sentence']
    """
    denied = (NEGATION,) if may_deny(judged, clauses) else ()
    return *denied, *(Check("number", words) for words in _differences(label, shown))


_Value = tuple[str, Quantity | When]


def _differences(label: str, shown: str) -> list[str]:
    """Say which values of a label are missing in a text, or different."""
    here = _HERE.search(label)
    wanted = _values(here[1] if here else _BEFORE.sub("", label))
    there = _values(shown)
    others = [value for value in there if not any(_agree(value, one) for one in wanted)]
    found = []
    for text, value in wanted:
        if _is_idle(text, value) or _is_in(text, shown):
            continue
        if any(_agree((text, value), other) for other in there):
            continue
        rivals = [words for words, other in others if _same_kind(value, other)]
        noun = "date" if isinstance(value, When) else "number"
        if len(rivals) == 1:
            found.append(f"the idea has the {noun} “{text}”, the sentence “{rivals[0]}”")
        else:
            found.append(f"the {noun} “{text}” is not in the sentence")
    return found


def _values(text: str) -> list[_Value]:
    """Return the dates and numbers of a text in order, with their words."""
    whens = dates(text)
    numbers = [
        number
        for number in quantities(text)
        if all(number.end <= when.start or when.end <= number.start for when in whens)
    ]
    values: list[Quantity | When] = [*whens, *numbers]
    values.sort(key=lambda value: value.start)
    return [(text[value.start : value.end], value) for value in values]


def _is_idle(text: str, value: Quantity | When) -> bool:
    """Return whether nobody would miss it: "several", "one of them", "at night"."""
    if isinstance(value, When):
        fields = (value.year, value.month, value.day, value.weekday, value.minute)
        return all(field is None for field in fields)
    has_digit = any(map(str.isdigit, text))
    return not has_digit and (value.hedged or value.value == 1)


def _is_in(words: str, text: str) -> bool:
    """Return whether a text has these words: "half" alone is no number."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


def _agree(one: _Value, other: _Value) -> bool:
    first, second = one[1], other[1]
    if isinstance(first, When) and isinstance(second, When):
        return dates_comparable(first, second) and dates_agree(first, second)
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        same = first.measure.dimension == second.measure.dimension
        # A unit may be left out, and pounds are money or a mass.
        return (same and numbers_agree(first, second)) or _bare(first) == _bare(second)
    # "2019" is a number, "in 2019" a year.
    when, number = (first, second) if isinstance(first, When) else (second, first)
    return isinstance(when, When) and isinstance(number, Quantity) and when.year == number.value


def _same_kind(one: Quantity | When, other: Quantity | When) -> bool:
    if isinstance(one, When) and isinstance(other, When):
        return dates_comparable(one, other)
    return (
        isinstance(one, Quantity)
        and isinstance(other, Quantity)
        and one.measure.dimension == other.measure.dimension
    )


def _bare(quantity: Quantity) -> float:
    """Return the number as it is written, without its unit."""
    return round((quantity.value - quantity.measure.shift) / quantity.measure.scale, 6)
