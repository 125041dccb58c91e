"""The encoding of a text: byte order mark, UTF-8, what the page declares, or a guess."""

import codecs
import re
from typing import Final

from commonground.documents.lists import lines
from commonground.errors import InputError

_BYTE_ORDER_MARKS: Final = (  # UTF-32 begins with the mark of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LIKELY: Final = list(lines("encodings"))
_ENGLISH: Final = frozenset(lines("english"))
_ONE_IN: Final = 12  # words of English text is one of these
_LATIN: Final = "cp1252"
# Not what a page of bytes is in, or Python's own ways to write text, which allow half a character.
_NO_CHARSETS: Final = ("utf-16", "utf-32", "utf-7", "unicode", "raw-unicode", "idna", "punycode")
_SAMPLE: Final = 100_000  # bytes for the guess
_FEW: Final = 0.03  # share of bytes beyond ASCII in English with names and typographic quotes
_ISO_2022_JP: Final = re.compile(rb"\x1b\$[@B]")
_WORD: Final = re.compile(rb"[a-z\x80-\xff]+")
_CONTROLS: Final = re.compile(rb"[\x80-\x9f]")
_BINARY: Final = "is not a text, HTML, PDF or DOCX file."


def decode(content: bytes, declared: str | None = None) -> str:
    r"""Return bytes as text, without a byte order mark.

    Args:
        content: The bytes.
        declared: The encoding that the file names itself; it counts less than valid UTF-8, because
            many pages declare an old encoding and are UTF-8.

    Raises:
        InputError: The content is not text. The message continues a sentence that begins with the
            name of the file.

    Example:
        >>> decode("Rain — “hard”.".encode("utf-16")), decode(b"caf\xe9")
        ('Rain — “hard”.', 'café')
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace").removeprefix("\ufeff")
    if b"\0" in content:
        return _without_mark(content)
    if _ISO_2022_JP.search(content):
        return content.decode("iso2022_jp", "replace")
    for name in filter(None, ("utf-8", _known(declared))):
        try:
            return content.decode(name)
        except UnicodeError:
            continue
    return content.decode(_guess(content), "replace")


def _without_mark(content: bytes) -> str:
    """Return UTF-16 text without a mark: every other byte of Latin text is zero."""
    for encoding, high in (("utf-16-le", content[1::2]), ("utf-16-be", content[::2])):
        if high.count(0) > len(high) / 2 and content.count(0) == high.count(0):
            return content.decode(encoding, "replace")
    raise InputError(_BINARY)


def _known(declared: str | None) -> str | None:
    """Return the codec of a declared charset; browsers read Latin-1 as Windows-1252 too."""
    try:
        name = codecs.lookup(declared or "").name
        b"a".decode(name)  # fails for codecs that are not text
    except (LookupError, ValueError):
        return None
    alike = {"iso8859-1": _LATIN, "ascii": _LATIN, "shift_jis": "cp932", "gb2312": "gb18030"}
    name = alike.get(name, name)
    return None if name.startswith(_NO_CHARSETS) else name


def _guess(content: bytes) -> str:
    from charset_normalizer import from_bytes

    sample = content[:_SAMPLE]
    beyond = sum(byte > 127 for byte in sample)
    if beyond <= _FEW * len(sample) or beyond < 5 or _is_english(sample):
        return _LATIN
    best = from_bytes(sample, cp_isolation=_LIKELY, enable_fallback=False).best()
    if best is None:
        return _LATIN
    # The two differ in a few letters; Windows has them where ISO has control characters.
    central = best.encoding == "cp1250" and not _CONTROLS.search(sample)
    return "iso8859_2" if central else best.encoding


def _is_english(sample: bytes) -> bool:
    """Say whether text is in English, however many names, prices and accents it has."""
    words = [word.decode(_LATIN, "replace") for word in _WORD.findall(sample.lower())]
    return sum(word in _ENGLISH for word in words) * _ONE_IN > len(words)
