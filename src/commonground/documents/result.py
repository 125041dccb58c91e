"""What is read from a file."""

from dataclasses import dataclass

from commonground.plain import Plain


@dataclass(frozen=True, slots=True)
class Extracted(Plain):
    """The text of a file.

    Attributes:
        text: Paragraphs with a blank line between them; plain text is unchanged but for its line
            breaks.
        title: The title of the page or document, or an empty string.
        kind: `text`, `markdown`, `html`, `pdf` or `docx`.
    """

    text: str
    title: str
    kind: str
