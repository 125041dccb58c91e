"""What every model that writes has in common."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Texts: TypeAlias = Sequence[str]
"""The narratives of one event in canonical order, so that the order given changes nothing."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a model has read and written, in its own tokens."""

    read: int = 0
    written: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.read + other.read, self.written + other.written)

    def to_dict(self) -> dict[str, int]:
        """Both by name."""
        return {"read": self.read, "written": self.written}


@dataclass(frozen=True, slots=True)
class Written:
    """A summary as a model wrote it, with a warning where it did not see all of the input."""

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
