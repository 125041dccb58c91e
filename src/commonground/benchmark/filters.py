"""The filters by which the papers made their test set, as steps that say what they drop."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import Event

WORDS: Final = 15
ANNOTATORS: Final = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One filter.

    Attributes:
        name: What the report calls it.
        rule: What an event must be to stay, in words.
        keeps: Whether an event stays, and its figures in words.
    """

    name: str
    rule: str
    keeps: Callable[[Event], tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Dropped:
    """What one step takes away: the ids, each with the reason."""

    step: str
    rule: str
    before: int
    dropped: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "step": self.step,
            "rule": self.rule,
            "before": self.before,
            "dropped": [{"id": id_, "reason": reason} for id_, reason in self.dropped],
        }


def theme_step(theme: int | None = -1, words: int = WORDS) -> Step:
    """Keep events whose theme description has at least so many words.

    Args:
        theme: Which reference is the theme description: from 1, or -1 for the last.
        words: The least number of words.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        text = _theme(event, theme)
        if text is None:
            return False, "no theme description"
        return len(text.split()) >= words, f"{len(text.split())} words"

    return Step("theme", f"a theme description of at least {words} words", keeps)


def annotators_step(
    theme: int | None = -1, annotators: int = ANNOTATORS, words: int = WORDS
) -> Step:
    """Keep events where enough annotators wrote enough.

    Args:
        theme: Which reference is the theme description, and so no annotator's; None for none.
        annotators: How many must have written enough.
        words: What is enough.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        place = _place(event, theme)
        lengths = [len(text.split()) for n, text in enumerate(event.references) if n != place]
        enough = sum(length >= words for length in lengths)
        figures = ", ".join(map(str, lengths)) or "no references"
        return enough >= annotators, f"{enough} of {len(lengths)} annotators ({figures} words)"

    rule = f"at least {annotators} annotators with at least {words} words"
    return Step("annotators", rule, keeps)


def apply_filters(
    events: Iterable[Event], steps: Sequence[Step]
) -> tuple[list[Event], list[Dropped]]:
    """Run the steps one after the other: what stays, and what each step drops."""
    kept = list(events)
    report = []
    for step in steps:
        judged = [(event, *step.keeps(event)) for event in kept]
        dropped = tuple((event.id, why) for event, stays, why in judged if not stays)
        report.append(Dropped(step.name, step.rule, len(kept), dropped))
        kept = [event for event, stays, _ in judged if stays]
    return kept, report


def theme_place(word: str) -> int | None:
    """Which reference a word such as `last`, `none` or `4` names.

    Example:
        >>> theme_place("last"), theme_place("4"), theme_place("none")
        (-1, 4, None)
    """
    known = {"last": -1, "first": 1, "none": None}
    if word in known:
        return known[word]
    if not word.isdecimal() or int(word) < 1:
        raise InputError(f"the theme description is first, last, none or a number, not {word!r}")
    return int(word)


def _place(event: Event, theme: int | None) -> int | None:
    """The index of the theme description among the event's references."""
    if theme is None:
        return None
    place = len(event.references) - 1 if theme == -1 else theme - 1
    return place if 0 <= place < len(event.references) else None


def _theme(event: Event, theme: int | None) -> str | None:
    place = _place(event, theme)
    return None if place is None else event.references[place]
