"""Limits on what is read, and the errors for what exceeds them.

A message continues a sentence that begins with the name of the file.
"""

from typing import Final

MAX_BYTES: Final = 60_000_000
"""Size of a file, also when unpacked."""

MAX_CHARACTERS: Final = 1_000_000
"""Length of a text."""

MAX_PAGES: Final = 500
"""Pages of a PDF file."""

MAX_PARTS: Final = 2_000
"""Files inside a DOCX file."""

MAX_ELEMENTS: Final = 500_000
"""Elements of an HTML page."""

MAX_DEPTH: Final = 5_000
"""Depth of an HTML page, on which the time of an end tag depends."""

TOO_LONG: Final = f"is too long: over {MAX_CHARACTERS:,} characters."
TOO_LARGE: Final = "is too large when unpacked."
