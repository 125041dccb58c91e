"""Read the text of files as people have them: text, Markdown, HTML, PDF and DOCX."""

from commonground.documents.files import read_document
from commonground.documents.formats import SUFFIXES, extract
from commonground.documents.limits import MAX_BYTES
from commonground.documents.result import Extracted
from commonground.documents.saved_pages import is_link, only_a_link

__all__ = [
    "MAX_BYTES",
    "SUFFIXES",
    "Extracted",
    "extract",
    "is_link",
    "only_a_link",
    "read_document",
]
