"""The text of a file, whatever its format: the content decides, then the ending of the name."""

from dataclasses import replace
from pathlib import PurePath
from typing import Final

from commonground.documents.docx import extract_docx
from commonground.documents.encoding import decode
from commonground.documents.html import declared_charset, extract_html, looks_like_html
from commonground.documents.limits import MAX_BYTES, MAX_CHARACTERS, TOO_LONG
from commonground.documents.markdown import extract_markdown, without_front_matter
from commonground.documents.pdf import extract_pdf
from commonground.documents.result import Extracted
from commonground.documents.saved_pages import is_link, only_a_link, saved_page
from commonground.errors import InputError

SUFFIXES: Final = (
    *(".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml"),
    *(".mht", ".mhtml", ".webarchive", ".pdf", ".docx"),
)
"""Endings of files that are read."""

_HTML: Final = (".html", ".htm", ".xhtml")
_MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mkd")
_ARCHIVE: Final = "is an archive. Unpack it first."
_IMAGE: Final = "is an image."
_UNSUPPORTED: Final = {
    b"\xd0\xcf\x11\xe0": "is an old Office file. Save it as DOCX.",
    b"{\\rtf": "is an RTF file. Save it as DOCX or text.",
    b"\x89PNG": _IMAGE,
    b"\xff\xd8\xff": _IMAGE,
    b"GIF8": _IMAGE,
    b"\x1f\x8b": _ARCHIVE,
    b"7z\xbc\xaf": _ARCHIVE,
    b"Rar!": _ARCHIVE,
}


def extract(content: bytes, name: str = "") -> Extracted:
    r"""Return the text of a file and its title.

    Args:
        content: The bytes of a text, Markdown, HTML, MHTML, PDF or DOCX file.
        name: The name of the file; its ending tells Markdown and pieces of HTML from other text.

    Raises:
        InputError: The file is of another type, damaged, locked, too large or without text. The
            message continues a sentence that begins with the file's name.
        MissingExtraError: PDF and DOCX files need the extra `[documents]`.

    Example:
        >>> extract(b"<!DOCTYPE html><title>Rain</title><p>It rained.").text
        'It rained.'
        >>> extract(b"---\ntitle: Rain\n---\nIt *rained*.", "rain.md")
        Extracted(text='It rained.', title='Rain', kind='markdown')
    """
    for start, problem in _UNSUPPORTED.items():
        if content.startswith(start):
            raise InputError(problem)
    if len(content) > MAX_BYTES:
        raise InputError(f"is too large: over {MAX_BYTES / 1e6:.0f} MB.")
    if not content.strip():
        raise InputError("has no text.")
    if b"%PDF-" in content[:1024]:
        found = extract_pdf(content)
    elif content.startswith(b"PK\x03\x04"):
        found = extract_docx(content)
    else:
        found = _of_text(content, name)
    found = replace(found, text=_whole(found.text), title=_whole(found.title))
    if len(found.text) > MAX_CHARACTERS:
        raise InputError(TOO_LONG)
    if not found.text.strip():
        scan = " If it is a scan, run OCR first." if found.kind == "pdf" else ""
        raise InputError(f"has no text.{scan}")
    return found


def _whole(text: str) -> str:
    """Replace halves of surrogate pairs, which fonts of a PDF can name; no file can hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _of_text(content: bytes, name: str) -> Extracted:
    page = saved_page(content)
    text = decode(content, declared_charset(content)) if page is None else page
    suffix = PurePath(name.lower()).suffix
    if page is not None or suffix in _HTML or looks_like_html(text):
        return extract_html(text)
    if len(text) > MAX_CHARACTERS:
        raise InputError(TOO_LONG)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if address := is_link(text):
        raise only_a_link(address)
    if suffix in _MARKDOWN:
        return extract_markdown(text)
    body, title = without_front_matter(text)
    return Extracted(body, title, "text")
