"""What every model that writes has in common."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from commonground.plain import Plain
from commonground.text import split

Texts: TypeAlias = Sequence[str]
"""The narratives of one event in canonical order, so that the order given changes nothing."""

_MOST: Final = 1e12  # tokens of one text, by any service

# A stop after a digit may be the point of a number.
_STOPPED: Final = re.compile(r"(?<!\d)[.!?\u2026\u3002\uff01\uff1f][\"')\]\u201d\u2019\u00bb*_]*$")


@dataclass(frozen=True, slots=True)
class Tokens(Plain):
    """What a model has read and written, in its own tokens."""

    read: int = 0
    written: int = 0

    @classmethod
    def of_usage(cls, usage: object) -> "Tokens":
        """The counts that came with a text; what is no count is 0, since the text is good."""
        counts = usage if isinstance(usage, Mapping) else {}
        return cls(*(_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens")))

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.read + other.read, self.written + other.written)


@dataclass(frozen=True, slots=True)
class Written:
    """A summary as a model wrote it.

    The warning says what it did not see of the input, or that it did not come to an end.
    """

    text: str
    tokens: Tokens
    warning: str | None = None


class Writer(Protocol):
    """A model that writes."""

    @property
    def settings(self) -> Mapping[str, str]:
        """All that the text depends on, for the signature; `method` comes first."""
        ...

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Write a summary for each event; each comes with its number, in any order.

        Events are asked for as they are needed. Where one fails, those that are done come
        first, then the error.
        """
        ...


def canonical(texts: Texts) -> tuple[str, ...]:
    """Narratives in the order that every model sees them in."""
    return tuple(sorted(texts))


def unfinished(text: str, most: int) -> tuple[str, str]:
    """A text that was cut off at so many tokens: its whole sentences, and a warning.

    Example:
        >>> unfinished("The dam broke. Nobody was", 8)[0]
        'The dam broke.'
    """
    warning = f"the model was cut off at {most} tokens"
    found = split(text)
    if not found or _STOPPED.search(text):
        return text, warning
    if len(found) == 1:
        return text, f"{warning}, in the middle of its only sentence"
    return text[: found[-2].end], f"{warning}; its last sentence, which has no end, is left out"


def shares(lengths: Sequence[int], budget: int) -> list[int]:
    """How much of each narrative fits, so that all are heard: what short ones leave goes to others.

    Example:
        >>> shares([100, 900, 900], 1100)
        [100, 500, 500]
    """
    found = [0] * len(lengths)
    left, waiting = budget, sorted(range(len(lengths)), key=lambda place: lengths[place])
    for number, place in enumerate(waiting):
        found[place] = min(lengths[place], left // (len(waiting) - number))
        left -= found[place]
    return found


def _count(value: object) -> int:
    # A service may write anything here: Infinity, or more digits than a float holds.
    return int(value) if isinstance(value, int | float) and 0 <= value < _MOST else 0
