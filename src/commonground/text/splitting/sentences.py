"""Sentences with their places in the text they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import MappingProxyType

from commonground.errors import InputError, unknown_name
from commonground.text.splitting.boundaries import spans
from commonground.text.splitting.layout import blocks, flatten, marker_length, numbers_items

_RULES = 1  # raised whenever our own rules change what comes out

_NUPUNKT = f"nupunkt-{'.'.join(version('nupunkt').split('.')[:2])}"

SPLITTERS: Mapping[str, str] = MappingProxyType(
    {"layout": f"{_NUPUNKT}+cg{_RULES}", "punkt": _NUPUNKT}
)
"""The ways to split, and what a signature calls each.

`layout` is ours, the default. `punkt` is nupunkt alone, to which a line break is a space and a
list one long sentence: what the Punkt splitters behind published scores do.
"""


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
    if not isinstance(text, str):
        raise InputError(f"split() takes a str, not {type(text).__name__}")
    flat = flatten(text)
    found = []
    for block_start, block_end in blocks(flat):
        block = flat[block_start:block_end]
        pieces = [(start, end, block[start:end].lstrip()) for start, end in spans(block)]
        numbered = numbers_items([piece for _, _, piece in pieces])
        for start, end, piece in pieces:
            first = block_start + end - len(piece) + marker_length(piece, numbered)
            last = block_start + start + len(block[start:end].rstrip())
            if first < last:
                found.append(Sentence(text[first:last], first, last))
    return found


def sentences(text: str | Sequence[str], splitter: str = "layout") -> list[str]:
    """The sentences of a text: a `str` is split, a list of sentences is taken as it is.

    Blank entries of a list are dropped.

    Args:
        text: A text or its sentences.
        splitter: One of `SPLITTERS`.

    Raises:
        InputError: Neither a `str` nor a sequence of them, or no such splitter.

    Example:
        >>> sentences("It rained. We left!")
        ['It rained.', 'We left!']
    """
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    if isinstance(text, str):
        if splitter == "punkt":
            return _punkt_sentences(text)
        return [sentence.text for sentence in split(text)]
    if not isinstance(text, Sequence) or isinstance(text, bytes | bytearray | memoryview):
        raise InputError(f"a text is a str or a list of sentences, not {type(text).__name__}")
    for place, entry in enumerate(text):
        if not isinstance(entry, str):
            raise InputError(f"sentence {place} of a text is {type(entry).__name__}, not a str")
    return [entry for entry in text if flatten(entry).strip()]


def _punkt_sentences(text: str) -> list[str]:
    from nupunkt import sent_spans  # its model takes a moment to load

    return [kept for start, end in sent_spans(text) if (kept := text[start:end].strip())]
