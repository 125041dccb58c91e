"""PDF files: paragraphs without running heads, page numbers and hyphens of line breaks."""

import io
import logging
import re
from collections.abc import Iterator
from typing import Any, Final

from commonground.documents.limits import MAX_CHARACTERS, MAX_PAGES, TOO_LARGE, TOO_LONG
from commonground.documents.packages import library, parsing
from commonground.documents.pdf_layout import Line, Piece, lines_of
from commonground.documents.pdf_paragraphs import paragraphs
from commonground.documents.result import Extracted
from commonground.errors import InputError

_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00ad": "-"}
)
_NO_TITLE: Final = re.compile(
    r"untitled.*|microsoft word.*|.*\.(docx?|indd|qxd|tex|dvi|pdf)|\W*", re.I
)


def extract_pdf(content: bytes) -> Extracted:
    """Return the title and the text of a PDF file.

    Raises:
        InputError: It is damaged, locked or too large.
        MissingExtraError: The extra `[documents]` is missing.
    """
    pypdf = library("pypdf")
    from pypdf.errors import DependencyError, LimitReachedError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its messages quote the file
    with parsing("PDF"):
        try:
            reader = pypdf.PdfReader(io.BytesIO(content))
            if reader.is_encrypted and not reader.decrypt(""):
                raise InputError("is locked with a password.")
            if len(reader.pages) > MAX_PAGES:
                raise InputError(f"is too long: over {MAX_PAGES} pages.")
            text = "\n\n".join(paragraphs(list(_pages(reader))))
            return Extracted(text, _title(reader), "pdf")
        except DependencyError:  # some ciphers need another large library
            raise InputError("is encrypted. Print it to a new PDF file.") from None
        except LimitReachedError:
            raise InputError(TOO_LARGE) from None


def _pages(reader: Any) -> Iterator[list[Line]]:
    characters = 0
    for page in reader.pages:
        pieces: list[Piece] = []

        def collect(
            text: str,
            page_matrix: list[float],
            text_matrix: list[float],
            _font: Any,
            size: float,
            pieces: list[Piece] = pieces,
        ) -> None:
            if text:
                a, b, c, d, right, up = page_matrix
                x, y = text_matrix[4:6]
                position = a * x + c * y + right, b * x + d * y + up
                scale = abs(text_matrix[3] * d) or 1.0
                pieces.append(Piece(text.translate(_LIGATURES), *position, size * scale))

        characters += len(page.extract_text(visitor_text=collect))
        if characters > MAX_CHARACTERS:
            raise InputError(TOO_LONG)
        yield lines_of(pieces)


def _title(reader: Any) -> str:
    title = " ".join(str((reader.metadata or {}).get("/Title") or "").split())
    return "" if _NO_TITLE.fullmatch(title) else title
