"""Tokenizers: that of rouge-score for English, and one for every script."""

import re
import unicodedata
from collections.abc import Callable
from itertools import chain
from typing import Final

_ASCII_WORD = re.compile("[a-z0-9]+")

# Scripts that put no space between words (line-breaking class ID or SA of UAX #14), by block.
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)),  # Thai and Lao, Myanmar, Khmer
    *((0x1950, 0x19DF), (0x1A20, 0x1AAF)),  # Tai Le and New Tai Lue, Tai Tham
    *((0x3005, 0x3007), (0x3021, 0x3029)),  # ideographic iteration mark and zero, Hangzhou
    *((0x3031, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF)),  # Hiragana, Katakana, Bopomofo
    *((0x3400, 0x4DBF), (0x4E00, 0xA4CF), (0xF900, 0xFAFF)),  # Han, Yi
    *((0xA9E0, 0xA9FF), (0xAA60, 0xAADF)),  # Myanmar, Tai Viet
    *((0x11700, 0x1174F), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF)),  # Ahom, Kana, Han
)

# Soft hyphen, joiners, direction marks, byte order mark, variation selectors: they change how
# a word looks, not which word it is.
_INVISIBLE = dict.fromkeys(
    chain(
        *((0x00AD, 0x034F, 0x061C, 0xFEFF), range(0x180B, 0x1810), range(0x200C, 0x2010)),
        *(range(0x202A, 0x202F), range(0x2060, 0x2070), range(0xFE00, 0xFE10)),
        range(0xE0100, 0xE01F0),
    )
)


def ascii_tokens(text: str) -> list[str]:
    """Return runs of a-z and 0-9 in the lower-cased text, as rouge-score does.

    Example:
        >>> ascii_tokens("Don't panic: 42 cafés!")
        ['don', 't', 'panic', '42', 'caf', 's']
    """
    return _ASCII_WORD.findall(text.lower())


def unicode_tokens(text: str) -> list[str]:
    """Return runs of letters, digits and marks in any script, NFKC-normalised and case-folded.

    In scripts without spaces each letter with its marks is a token. On ASCII text the tokens
    are those of `ascii_tokens`.

    Example:
        >>> unicode_tokens("Don't panic: 42 cafés! 東京です")
        ['don', 't', 'panic', '42', 'cafés', '東', '京', 'で', 'す']
    """
    if text.isascii():
        return ascii_tokens(text)
    folded = unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold()
    # Case folding can leave a sequence that is no longer composed.
    folded = unicodedata.normalize("NFKC", folded)
    classes = folded.translate(_CLASSES)
    return [folded[word.start() : word.end()] for word in _CLASSED_WORD.finditer(classes)]


class _CharacterClasses(dict[int, str]):
    """The class of each character, for `str.translate`.

    w: letter or digit, m: mark, u: letter of a script without spaces, blank: the rest.
    """

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))[0]
        kind = {"L": "w", "N": "w", "M": "m"}.get(category, " ")
        if category == "L" and any(first <= code <= last for first, last in _UNSPACED):
            kind = "u"
        self[code] = kind
        return kind


_CLASSES = _CharacterClasses()
_CLASSED_WORD = re.compile("um*|w[wm]*")

TOKENIZERS: Final[dict[str, Callable[[str], list[str]]]] = {
    "ascii": ascii_tokens,
    "unicode": unicode_tokens,
}
