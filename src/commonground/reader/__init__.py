"""Read a sentence against a text: which of its words does the text state?"""

from commonground.reader.reader import MODEL, Reader
from commonground.reader.result import LABELS, Label, Reading, Shown, Word
from commonground.reader.text import PreparedText

__all__ = [
    "LABELS",
    "MODEL",
    "Label",
    "PreparedText",
    "Reader",
    "Reading",
    "Shown",
    "Word",
]
