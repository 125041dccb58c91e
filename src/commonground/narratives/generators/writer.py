"""The interface of models that write summaries, their prompts, and shared helpers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from commonground.errors import InputError
from commonground.narratives.word_lists import data_text
from commonground.plain import Plain
from commonground.text import split

Texts: TypeAlias = Sequence[str]
"""The narratives of one event in canonical order."""

_MAX_TOKENS: Final = 1e12  # larger counts are not plausible

# A full stop after a digit may be a decimal point.
_STOPPED: Final = re.compile(r"(?<!\d)[.!?\u2026\u3002\uff01\uff1f][\"')\]\u201d\u2019\u00bb*_]*$")

LEVELS: Final = (1, 2, 3, 4, 5)
DEFAULT_LEVEL: Final = 4
_MAX_TEMPERATURE: Final = 2.0
VERSION: Final = "cg2"
"""Version of the prompts, part of signatures."""

# The role, the task, and what levels 3 to 5 add to it.
_ROLE, _TASK, *_DETAILS = data_text("prompt.txt").rstrip().split("\n---\n")
# The agreed answer for no overlap; an empty answer means that the endpoint failed.
_NOTHING: Final = re.compile(r"\W*nothing\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tokens(Plain):
    """Tokens that a model has read and written."""

    read: int = 0
    written: int = 0

    @classmethod
    def of_usage(cls, usage: object) -> "Tokens":
        """Read the counts from a reply; invalid ones are 0."""
        counts = usage if isinstance(usage, Mapping) else {}
        values = (counts.get(name) for name in ("prompt_tokens", "completion_tokens"))
        # A service may send Infinity, or more digits than a float holds.
        return cls(
            *(int(v) if isinstance(v, int | float) and 0 <= v < _MAX_TOKENS else 0 for v in values)
        )

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.read + other.read, self.written + other.written)


@dataclass(frozen=True, slots=True)
class Written:
    """The text that a model wrote; the warning reports cut input or output."""

    text: str
    tokens: Tokens
    warning: str | None = None


class Writer(Protocol):
    """A model that writes summaries."""

    @property
    def settings(self) -> Mapping[str, str]:
        """Everything the text depends on, for the signature; `method` comes first."""
        ...

    def write(self, events: Iterable[Texts]) -> Iterator[tuple[int, Written]]:
        """Yield a summary and the index of its event, in any order.

        Events are read lazily. If one fails, finished ones are yielded before the error is raised.
        """
        ...


def unfinished(text: str, max_tokens: int, before: str | None = None) -> tuple[str, str]:
    """Return the complete sentences of a truncated text, and a warning (after another one).

    Example:
        >>> unfinished("The dam broke. Nobody was", 8)[0]
        'The dam broke.'
    """
    warning = f"{f'{before}; ' if before else ''}the model was cut off at {max_tokens} tokens"
    sentences = split(text)
    if not sentences or _STOPPED.search(text):
        return text, warning
    if len(sentences) == 1:
        return text, f"{warning}, in the middle of its only sentence"
    return text[: sentences[-2].end], f"{warning}; its last, incomplete sentence is left out"


def shares(lengths: Sequence[int], budget: int) -> list[int]:
    """Divide a budget among narratives; what short ones leave goes to longer ones.

    Example:
        >>> shares([100, 900, 900], 1100)
        [100, 500, 500]
    """
    parts, left = [0] * len(lengths), budget
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    for done, index in enumerate(order):
        parts[index] = min(lengths[index], left // (len(order) - done))
        left -= parts[index]
    return parts


def messages(texts: Texts, level: int) -> list[dict[str, str]]:
    """Return the chat messages that ask for the overlap."""
    if level not in LEVELS:
        raise InputError(f"the prompt level must be from {LEVELS[0]} to {LEVELS[-1]}, not {level}")
    parts = [_TASK, *_DETAILS[: max(level - 2, 0)]]
    narratives = "\n\n".join(
        f"Narrative {number}:\n<<<\n{text.strip()}\n>>>" for number, text in enumerate(texts, 1)
    )
    asked = {"role": "user", "content": "\n\n".join([*parts, narratives])}
    return [asked] if level == 1 else [{"role": "system", "content": _ROLE}, asked]


def check_temperature(temperature: float) -> None:
    """Raise InputError for a temperature outside 0 to 2."""
    if not 0 <= temperature <= _MAX_TEMPERATURE:
        raise InputError(f"the temperature must be from 0 to 2, not {temperature:g}")


def answered(text: str) -> str:
    """Return the summary in an answer; empty if the answer is NOTHING.

    Example:
        >>> answered("Nothing."), answered("Nothing was stolen.")
        ('', 'Nothing was stolen.')
    """
    return "" if _NOTHING.fullmatch(text) else text
