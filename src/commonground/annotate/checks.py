"""What may be stored: names and texts that both databases and label files can hold."""

import re
import unicodedata

from commonground.errors import InputError

# Both databases and label files refuse these.
NO_TEXT = re.compile(r"[\0\ud800-\udfff]")
NAME_LENGTH = 100
TEXT_LENGTH = 20_000


class NotFoundError(InputError):
    """There is no such project, item or annotator, or it is not theirs to see."""


class ConflictError(InputError):
    """Something newer is in the way, such as a label saved in another tab."""


def checked_name(value: str, what: str) -> str:
    """A name of one line, without blanks around it."""
    found = value.strip()
    if not found:
        raise InputError(f"{what} is blank")
    if len(found) > NAME_LENGTH:
        raise InputError(f"{what} is longer than {NAME_LENGTH} characters")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in found):
        raise InputError(f"{what} has characters that do not belong in a name")
    return found


def checked_text(value: str, what: str) -> str:
    """A text with plain line ends; NUL and lone surrogates have no place in a database."""
    found = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(found) > TEXT_LENGTH:
        raise InputError(f"{what} is longer than {TEXT_LENGTH} characters")
    if NO_TEXT.search(found):
        raise InputError(f"{what} has characters that are no text")
    return found
