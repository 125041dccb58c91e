"""Checks of names and texts before they are stored."""

import re
import unicodedata

from commonground.errors import InputError

# NUL and lone surrogates: neither a database nor a label file can hold them.
NO_TEXT = re.compile(r"[\0\ud800-\udfff]")
NAME_LENGTH = 100
TEXT_LENGTH = 20_000


class NotFoundError(InputError):
    """The project, item or annotator does not exist, or belongs to someone else."""


class ConflictError(InputError):
    """Newer data is in the way, such as a label saved in another tab."""


def checked_name(value: str, what: str) -> str:
    """Return a one-line name without surrounding blanks, or raise InputError."""
    name = value.strip()
    if not name:
        raise InputError(f"{what} is empty")
    if len(name) > NAME_LENGTH:
        raise InputError(f"{what} is longer than {NAME_LENGTH} characters")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
        raise InputError(f"{what} has control characters or line breaks")
    return name


def checked_text(value: str, what: str) -> str:
    r"""Return a text with `\n` line ends, or raise InputError."""
    text = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > TEXT_LENGTH:
        raise InputError(f"{what} is longer than {TEXT_LENGTH} characters")
    if NO_TEXT.search(text):
        raise InputError(f"{what} has invalid characters (NUL or half a surrogate pair)")
    return text
