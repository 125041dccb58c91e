"""Tasks that read uploaded files, which come in base64.

Text comes from plain text, Markdown, HTML, PDF and DOCX. The content decides the type, not the
file name. Every type has a limit on its unpacked size, and the process has limits on time and
memory.
"""

import base64
import contextlib
import io
import logging
import re
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import paragraphs, visible_text
from commonground.text import language_notices
from commonground.workers import Report, memory_limit

_MAX_CHARACTERS: Final = 1_000_000
_MAX_UNPACKED: Final = 60_000_000  # bytes
_MAX_PARTS: Final = 2_000
_MAX_PAGES: Final = 500

_TOO_LONG: Final = f"is too long: over {_MAX_CHARACTERS:,} characters."
_TOO_LARGE: Final = "is too large when unpacked."
_UNSUPPORTED: Final = {
    b"\xd0\xcf\x11\xe0": "is an old Office file. Save it as DOCX.",
    b"{\\rtf": "is an RTF file. Save it as DOCX or text.",
    b"\x89PNG": "is an image.",
    b"\xff\xd8\xff": "is an image.",
    b"GIF8": "is an image.",
    b"\x1f\x8b": "is an archive. Unpack it first.",
    b"7z\xbc\xaf": "is an archive. Unpack it first.",
    b"Rar!": "is an archive. Unpack it first.",
}
_BYTE_ORDER_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
# Bytes in addition to the models.
_TEXT_MEMORY: Final = 600_000_000


def text(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the display name and the text of a file, and a notice about its language."""
    name = shown_name(payload["name"])
    report(0.1, f"Reading {name}")
    try:
        with memory_limit(_TEXT_MEMORY):
            text = document_text(base64.b64decode(payload["content"]))
            notices = [notice.to_dict() for notice in language_notices([(name, text)])]
            return {"name": name, "text": text, "notices": notices}
    except InputError as error:
        raise InputError(f"{name} {error}") from None
    except MemoryError:
        raise InputError(f"{name} is too large when unpacked.") from None


def document_text(content: bytes) -> str:
    """Return the text of a file.

    Raises:
        InputError: The file is of another type, damaged, locked, too large or without text. The
            message continues a sentence that begins with the file's name.
    """
    for start, problem in _UNSUPPORTED.items():
        if content.startswith(start):
            raise InputError(problem)
    if b"%PDF-" in content[:1024]:
        text = _pdf(content)
    elif content.startswith(b"PK\x03\x04"):
        text = _docx(content)
    else:
        text = _decoded(content)
        if _looks_like_html(text):
            text = visible_text(text)
    if len(text) > _MAX_CHARACTERS:
        raise InputError(_TOO_LONG)
    if not content.strip():
        raise InputError("is empty.")
    if not text.strip():
        raise InputError("has no text. If it is a scan, run OCR first.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shown_name(name: str) -> str:
    r"""Return a file name to display, without folders and invisible characters.

    Example:
        >>> shown_name("C:\\texts\\paper\u202etxt.exe"), shown_name("../../etc/passwd")
        ('papertxt.exe', 'passwd')
    """
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C")
    return " ".join(visible.split())[:120] or "file"


def _decoded(content: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    if b"\0" in content:
        raise InputError("is not a text, PDF or DOCX file.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        # The old default of Windows; the page shows the result, so errors are visible.
        return content.decode("cp1252", "replace")


def _looks_like_html(text: str) -> bool:
    start = text[:2000].lstrip("\ufeff \t\r\n").lower()
    return start.startswith(("<!doctype html", "<html")) or (
        start.startswith("<") and "<body" in start
    )


@contextlib.contextmanager
def _parsing(kind: str) -> Iterator[None]:
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # parsers raise all kinds for malformed files
        raise InputError(f"is a damaged {kind} file ({type(error).__name__}).") from None


def _pdf(content: bytes) -> str:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, LimitReachedError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its messages quote the file
    with _parsing("PDF"):
        try:
            reader = PdfReader(io.BytesIO(content))
            if reader.is_encrypted and not reader.decrypt(""):
                raise InputError("is locked with a password.")
            if len(reader.pages) > _MAX_PAGES:
                raise InputError(f"is too long: over {_MAX_PAGES} pages.")
            return paragraphs("\n\n".join(_pages(reader)))
        except DependencyError:  # some ciphers need another large library
            raise InputError("is encrypted. Print it to a new PDF file.") from None
        except LimitReachedError:
            raise InputError(_TOO_LARGE) from None


def _pages(reader: Any) -> Iterator[str]:
    characters = 0
    for page in reader.pages:
        text = page.extract_text()
        characters += len(text)
        if characters > _MAX_CHARACTERS:
            raise InputError(_TOO_LONG)
        yield text


def _docx(content: bytes) -> str:
    from docx import Document

    with _parsing("DOCX"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # zipfile never unpacks more than the directory says.
            parts = archive.infolist()
            if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
                raise InputError(_TOO_LARGE)
            if "word/document.xml" not in archive.namelist():
                raise InputError("is an archive, not a DOCX file.")
        return paragraphs("\n\n".join(_blocks(Document(io.BytesIO(content)))))


def _blocks(document: Any) -> Iterator[str]:
    """Yield paragraphs and table rows in order."""
    for block in document.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield "\t".join(cell.text for cell in row.cells)
        else:
            yield block.text
