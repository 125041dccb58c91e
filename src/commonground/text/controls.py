"""Text without what a terminal would obey."""

import re
from typing import Final

# What a terminal obeys: whole commands first, then the signs that are left of broken ones.
_COMMANDS: Final = re.compile(
    r"\x1b[\]PX^_].*?(?:\x07|\x1b\\)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]", re.DOTALL
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    r"""Without commands to a terminal, control characters and outer blanks; lines stay lines.

    Example:
        >>> plain("\x1b[31mThe dam broke.\x1b[0m\r\n")
        'The dam broke.'
    """
    lines = _COMMANDS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", lines).strip()
