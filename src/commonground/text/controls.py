"""Remove terminal control sequences from text."""

import re
from typing import Final

# Whole escape sequences first, then the remaining control characters.
_COMMANDS: Final = re.compile(
    r"\x1b[\]PX^_].*?(?:\x07|\x1b\\)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]", re.DOTALL
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    r"""Remove escape sequences, control characters and outer blanks; keep line breaks.

    Example:
        >>> plain("\x1b[31mThe dam broke.\x1b[0m\r\n")
        'The dam broke.'
    """
    lines = _COMMANDS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", lines).strip()
