"""Word files (DOCX): the text as it stands with all changes accepted.

Headers, footers, footnotes, comments and hidden text are no part of it.
"""

import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from commonground.documents.limits import MAX_BYTES, MAX_PARTS, TOO_LARGE
from commonground.documents.packages import library, parsing
from commonground.documents.result import Extracted
from commonground.errors import InputError

_WORD: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# Deleted and moved text, and the second form of a text box for old programs.
_UNREAD: Final = frozenset((f"{_WORD}del", f"{_WORD}moveFrom", _FALLBACK))
_SYMBOLS: Final = {
    f"{_WORD}tab": "\t",
    f"{_WORD}br": "\n",
    f"{_WORD}cr": "\n",
    f"{_WORD}noBreakHyphen": "-",
}


def extract_docx(content: bytes) -> Extracted:
    """Return the title and the text of a DOCX file.

    Raises:
        InputError: It is damaged, too large or another archive, or the extra is missing.
    """
    docx = library("docx")
    with parsing("DOCX"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # zipfile never unpacks more than the directory says.
            parts = archive.infolist()
            if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_BYTES:
                raise InputError(TOO_LARGE)
            if "word/document.xml" not in archive.namelist():
                raise InputError("is an archive, not a DOCX file.")
        document = docx.Document(io.BytesIO(content))
        title = " ".join((document.core_properties.title or "").split())
        texts: list[str] = []
        for block in document.iter_inner_content():
            words = "\n\n".join(_rows(block) if hasattr(block, "rows") else [_text(block._p)])
            if words and not texts and _is_title(block):
                title = " ".join(words.split())
            elif words:
                texts.append(words)
    return Extracted("\n\n".join(texts), title, "docx")


def _is_title(block: Any) -> bool:
    return bool(block.style is not None and block.style.name == "Title")


def _rows(table: Any) -> Iterator[str]:
    """Yield the rows of a table, each merged cell once a row.

    The library's own cells take time and memory by the columns and rows that a cell claims to span.
    """
    above: dict[int, str] = {}  # by column
    for row in table._tbl.tr_lst:
        column, texts = row.grid_before, {}
        for cell in row.tc_lst:
            if cell.vMerge == "continue":
                texts[column] = above.get(column, "")
            else:
                texts[column] = " ".join(filter(None, map(_text, cell.p_lst)))
            column += max(1, cell.grid_span)
        if any(texts.values()):
            yield "\t".join(texts.values())
        above = texts


def _text(paragraph: Any) -> str:
    return "\n".join(line.strip() for line in "".join(_pieces(paragraph)).split("\n")).strip()


def _pieces(paragraph: Any) -> Iterator[str]:
    """Yield the texts in a paragraph's XML, also those of inserted runs and links."""
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_WORD}t":
            yield element.text or ""
        elif element.tag in _SYMBOLS:
            yield _SYMBOLS[element.tag]
        elif element.tag not in _UNREAD and not _is_hidden(element):
            waiting.extend(reversed(element))


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_WORD}rPr/{_WORD}vanish") if run.tag == f"{_WORD}r" else None
    return vanish is not None and vanish.get(f"{_WORD}val") not in ("0", "false")
