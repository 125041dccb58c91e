"""Sentences with their places in the text they come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from commonground.errors import InputError
from commonground.text._boundaries import spans
from commonground.text._layout import blocks, flatten, marker_length

_RULES = 1  # raised whenever our own rules change what comes out

SPLITTER = f"nupunkt-{'.'.join(version('nupunkt').split('.')[:2])}+cg{_RULES}"
"""What a signature calls this splitter."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; `source[start:end] == text`, with no blank at either end."""

    text: str
    start: int
    end: int


def split(text: str) -> list[Sentence]:
    """Split a text into sentences.

    Sentences come in order and do not overlap; between them are only blanks (spaces, line breaks,
    invisible characters) and list markers. `docs/sentences.md` has the rules.

    Example:
        >>> [s.text for s in split("Mr. J. R. Smith left the U.S. on Monday. He said so.")]
        ['Mr. J. R. Smith left the U.S. on Monday.', 'He said so.']
    """
    flat = flatten(text)
    found = []
    for block_start, block_end in blocks(flat):
        block = flat[block_start:block_end]
        for start, end in spans(block):
            piece = block[start:end].lstrip()
            first = block_start + end - len(piece) + marker_length(piece)
            last = block_start + start + len(block[start:end].rstrip())
            if first < last:
                found.append(Sentence(text[first:last], first, last))
    return found


def sentences(text: str | Sequence[str]) -> list[str]:
    """The sentences of a text: a `str` is split, a list of sentences is taken as it is.

    Blank entries of a list are dropped.

    Raises:
        InputError: Neither a `str` nor a sequence of them.

    Example:
        >>> sentences("It rained. We left!")
        ['It rained.', 'We left!']
    """
    if isinstance(text, str):
        return [sentence.text for sentence in split(text)]
    if not isinstance(text, Sequence) or isinstance(text, bytes | bytearray | memoryview):
        raise InputError(f"a text is a str or a list of sentences, not {type(text).__name__}")
    for place, entry in enumerate(text):
        if not isinstance(entry, str):
            raise InputError(f"sentence {place} of a text is {type(entry).__name__}, not a str")
    return [entry for entry in text if entry.strip()]
