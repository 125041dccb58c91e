"""The text of files that people have: plain text, Markdown, HTML, PDF and DOCX.

The kind is told by the content, since names lie. Every kind has a limit on what it may unpack
to; the process that reads has limits on time and memory beside that.
"""

import io
import logging
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import paragraphs, visible_text

MOST_LETTERS: Final = 1_000_000
_MOST_UNPACKED: Final = 60_000_000  # bytes
_MOST_PARTS: Final = 2_000
_MOST_PAGES: Final = 500

_OTHERS: Final = {
    b"\xd0\xcf\x11\xe0": "an old Word or Office file; save it as DOCX",
    b"{\\rtf": "an RTF file; save it as DOCX or text",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\x1f\x8b": "a packed file; unpack it first",
    b"7z\xbc\xaf": "a packed file; unpack it first",
    b"Rar!": "a packed file; unpack it first",
}
_BYTE_ORDER_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}


def document_text(content: bytes) -> str:
    """The text of a file.

    Raises:
        InputError: It is of another kind, damaged, locked, too large, or has no text in it.
    """
    for start, kind in _OTHERS.items():
        if content.startswith(start):
            raise InputError(f"is {kind}")
    if b"%PDF-" in content[:1024]:
        text = _pdf(content)
    elif content.startswith(b"PK\x03\x04"):
        text = _docx(content)
    else:
        text = _decoded(content)
        if _looks_like_html(text):
            text = visible_text(text)
    if len(text) > MOST_LETTERS:
        raise InputError(f"has more than {MOST_LETTERS:,} letters")
    if not content.strip():
        raise InputError("is empty")
    if not text.strip():
        raise InputError("has no text in it; a scanned page is only a picture of one")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shown_name(name: str) -> str:
    r"""What a file is called on the page: no folders, no signs that do not print.

    Example:
        >>> shown_name("C:\\texts\\paper\u202etxt.exe"), shown_name("../../etc/passwd")
        ('papertxt.exe', 'passwd')
    """
    last = re.split(r"[/\\]", name)[-1]
    fine = "".join(one for one in last if unicodedata.category(one)[0] != "C")
    return " ".join(fine.split())[:120] or "file"


def _decoded(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    if b"\0" in content:
        raise InputError("is not text, PDF or DOCX")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        # What Windows wrote before UTF-8; the page shows it, so nobody is misled.
        return content.decode("cp1252", "replace")


def _looks_like_html(text: str) -> bool:
    start = text[:2000].lstrip("\ufeff \t\r\n").lower()
    return start.startswith(("<!doctype html", "<html")) or (
        start.startswith("<") and "<body" in start
    )


def _pdf(content: bytes) -> str:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its remarks quote the file
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError("is locked with a password")
        if len(reader.pages) > _MOST_PAGES:
            raise InputError(f"has more than {_MOST_PAGES} pages")
        return paragraphs("\n\n".join(_pages(reader)))
    except (InputError, MemoryError):
        raise
    except DependencyError:  # some ciphers need a library that is as large as the rest
        raise InputError("is encrypted; print it to a new PDF file") from None
    except LimitReachedError:
        raise InputError("unpacks to more than the server takes") from None
    except (PyPdfError, *_BROKEN) as error:
        raise InputError(f"is a damaged PDF file ({type(error).__name__})") from None


# What readers stumble over in a file that is not what it says.
_BROKEN: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


def _pages(reader: Any) -> Iterator[str]:
    letters = 0
    for page in reader.pages:
        text = page.extract_text()
        letters += len(text)
        if letters > MOST_LETTERS:
            raise InputError(f"has more than {MOST_LETTERS:,} letters")
        yield text


def _docx(content: bytes) -> str:
    from docx import Document
    from docx.opc.exceptions import OpcError

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            # What the list of contents says is what is unpacked: zipfile reads no further.
            parts = packed.infolist()
            if len(parts) > _MOST_PARTS or sum(one.file_size for one in parts) > _MOST_UNPACKED:
                raise InputError("unpacks to more than the server takes")
            if "word/document.xml" not in packed.namelist():
                raise InputError("is a packed file, and no DOCX")
        return paragraphs("\n\n".join(_blocks(Document(io.BytesIO(content)))))
    except (InputError, MemoryError):
        raise
    except (zipfile.BadZipFile, OpcError, SyntaxError, *_BROKEN) as error:
        raise InputError(f"is a damaged DOCX file ({type(error).__name__})") from None


def _blocks(document: Any) -> Iterator[str]:
    """Paragraphs and rows of tables, in their order."""
    for block in document.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield "\t".join(cell.text for cell in row.cells)
        else:
            yield block.text
