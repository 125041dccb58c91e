"""The errors that commonground raises.

Each message is one line: what was wrong, where, and what to do. The command line prints it and
exits with `exit_code`; a traceback appears only with `--debug`.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class CommongroundError(Exception):
    """Base class: the work failed."""

    exit_code = 1


class InputError(CommongroundError, ValueError):
    """The command or its input was wrong."""

    exit_code = 2


class ModelError(CommongroundError):
    """Model weights are missing, damaged or unsafe."""


class EndpointError(CommongroundError):
    """The endpoint of a language model failed or gave an invalid answer."""


class MissingExtraError(CommongroundError, ImportError):
    """A feature needs an extra that is not installed.

    Args:
        what: The feature, as the start of a sentence.
        extra: The name of the extra.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra [{extra}]: pip install 'commonground[{extra}]'")


def shortened(text: str, longest: int = 300) -> str:
    """Return the text as one line; one that is too long loses its middle.

    The end of an error often says what to do.

    Example:
        >>> shortened("open  failed: " + "x" * 100 + "; free some memory", 40)
        'open failed: xxxxx … ; free some memory'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    half = (longest - 3) // 2  # three characters stand for the middle
    return f"{line[:half].rstrip()} … {line[-half:].lstrip()}"


def printable(text: str) -> str:
    r"""Return the text with a sign for each control character: a terminal would obey them.

    Line breaks and tabs stay.

    Example:
        >>> printable("\x1b]0;title\x07 a.txt")
        '�]0;title� a.txt'
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def check_known(kind: str, known: Collection[str], *names: str) -> None:
    """Raise InputError for the first name that is not known."""
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise unknown_name(kind, name, known)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for an unknown name, with the nearest known one as a suggestion.

    Example:
        >>> print(unknown_name("metric", "sem-fl", ["sem-f1", "rouge"]))
        unknown metric 'sem-fl'; did you mean 'sem-f1'? (known: rouge, sem-f1)
    """
    from rapidfuzz import process  # slow to import

    names = sorted(known)
    nearest = process.extractOne(str(name), names, processor=str.lower, score_cutoff=50)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return InputError(f"unknown {kind} {name!r}{hint} (known: {', '.join(names)})")
