"""The filters that made the papers' test set, and what each of them drops."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import Event
from commonground.plain import Plain

WORDS: Final = 15
ANNOTATORS: Final = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One filter.

    Attributes:
        name: Its name in reports.
        rule: The rule in words.
        keeps: Returns whether an event stays, and why in words.
    """

    name: str
    rule: str
    keeps: Callable[[Event], tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Dropped(Plain):
    """The ids that one step drops, each with the reason."""

    step: str
    rule: str
    before: int
    dropped: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        dropped = [{"id": id_, "reason": reason} for id_, reason in self.dropped]
        return {**Plain.to_dict(self), "dropped": dropped}


def theme_step(theme: int | None = -1, words: int = WORDS) -> Step:
    """Keep events whose theme description has at least `words` words.

    `theme` is the number of the reference that is the theme description; -1 for the last.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        index = _theme_index(event, theme)
        if index is None:
            return False, "no theme description"
        length = len(event.references[index].split())
        return length >= words, f"{length} words"

    return Step("theme", f"a theme description of at least {words} words", keeps)


def annotators_step(
    theme: int | None = -1, annotators: int = ANNOTATORS, words: int = WORDS
) -> Step:
    """Keep events where at least `annotators` annotators wrote at least `words` words.

    The theme description is not an annotator's reference; `theme` is None if there is none.
    """

    def keeps(event: Event) -> tuple[bool, str]:
        index = _theme_index(event, theme)
        lengths = [len(text.split()) for n, text in enumerate(event.references) if n != index]
        enough = sum(length >= words for length in lengths)
        figures = ", ".join(map(str, lengths)) or "no references"
        return enough >= annotators, f"{enough} of {len(lengths)} annotators ({figures} words)"

    rule = f"at least {annotators} annotators with at least {words} words"
    return Step("annotators", rule, keeps)


def apply_filters(
    events: Iterable[Event], steps: Sequence[Step]
) -> tuple[list[Event], list[Dropped]]:
    """Run the steps in order; return the events that stay, and what each step drops."""
    kept = list(events)
    report = []
    for step in steps:
        judged = [(event, *step.keeps(event)) for event in kept]
        dropped = tuple((event.id, why) for event, stays, why in judged if not stays)
        report.append(Dropped(step.name, step.rule, len(kept), dropped))
        kept = [event for event, stays, _ in judged if stays]
    return kept, report


def theme_place(word: str) -> int | None:
    """Return the reference that a word such as `last`, `none` or `4` names.

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


def _theme_index(event: Event, theme: int | None) -> int | None:
    """Return the index of the theme description among the event's references."""
    if theme is None:
        return None
    index = len(event.references) - 1 if theme == -1 else theme - 1
    return index if 0 <= index < len(event.references) else None
