"""Sentences with their offsets in the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import MappingProxyType

from commonground.errors import InputError, unknown_name
from commonground.text.splitting.boundaries import spans
from commonground.text.splitting.layout import blocks, flatten, marker_length, numbers_items

_RULES = 1  # increase when a change of our rules changes a result

_NUPUNKT = f"nupunkt-{'.'.join(version('nupunkt').split('.')[:2])}"

SPLITTERS: Mapping[str, str] = MappingProxyType(
    {"layout": f"{_NUPUNKT}+cg{_RULES}", "punkt": _NUPUNKT}
)
"""The splitters and their names in signatures.

`layout`, the default, is our own. `punkt` is nupunkt alone, like the Punkt splitters behind
published scores: a line break is a space, and a list is one long sentence.
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; `source[start:end] == text`, without blanks at the ends."""

    text: str
    start: int
    end: int


def split(text: str) -> list[Sentence]:
    """Split a text into sentences.

    Sentences are in order and do not overlap; between them are only spaces, line breaks,
    invisible characters and list markers. `docs/sentences.md` has the rules.

    Example:
        >>> [s.text for s in split("Mr. J. R. Smith left the U.S. on Monday. He said so.")]
        ['Mr. J. R. Smith left the U.S. on Monday.', 'He said so.']
    """
    if not isinstance(text, str):
        raise InputError(f"split() takes a str, not {type(text).__name__}")
    flat = flatten(text)
    result = []
    for block_start, block_end in blocks(flat):
        block = flat[block_start:block_end]
        pieces = [(start, end, block[start:end].lstrip()) for start, end in spans(block)]
        numbered = numbers_items([piece for _, _, piece in pieces])
        for start, end, piece in pieces:
            first = block_start + end - len(piece) + marker_length(piece, numbered)
            last = block_start + start + len(block[start:end].rstrip())
            if first < last:
                result.append(Sentence(text[first:last], first, last))
    return result


def sentences(text: str | Sequence[str], splitter: str = "layout") -> list[str]:
    """Return the sentences of a text: split a `str`, or take a list without its blank entries.

    Args:
        text: A text or its sentences.
        splitter: One of `SPLITTERS`.

    Raises:
        InputError: Neither a `str` nor a sequence of them, or an unknown splitter.

    Example:
        >>> sentences("It rained. We left!")
        ['It rained.', 'We left!']
    """
    if splitter not in SPLITTERS:
        raise unknown_name("splitter", splitter, SPLITTERS)
    if isinstance(text, str):
        if splitter == "layout":
            return [sentence.text for sentence in split(text)]
        from nupunkt import sent_spans  # slow: loads its model

        return [kept for start, end in sent_spans(text) if (kept := text[start:end].strip())]
    if not isinstance(text, Sequence) or isinstance(text, bytes | bytearray | memoryview):
        raise InputError(f"a text is a str or a list of sentences, not {type(text).__name__}")
    for index, entry in enumerate(text):
        if not isinstance(entry, str):
            raise InputError(f"sentence {index} of a text is {type(entry).__name__}, not a str")
    return [entry for entry in text if flatten(entry).strip()]
