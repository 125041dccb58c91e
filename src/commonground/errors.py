"""Every error that commonground raises on purpose.

Each message is one line that says what was wrong, where, and what to do. The command line
prints that line and leaves with `exit_code`; a traceback appears only with `--debug`.
"""

from collections.abc import Iterable


class CommongroundError(Exception):
    """Base of all: the work failed."""

    exit_code = 1


class InputError(CommongroundError, ValueError):
    """The command or its input was wrong."""

    exit_code = 2


class ModelError(CommongroundError):
    """Model weights are missing, damaged or not to be trusted."""


class EndpointError(CommongroundError):
    """A language model's endpoint refuses, does not answer, or answers nonsense."""


class MissingExtraError(CommongroundError, ImportError):
    """A part needs packages that an extra brings.

    Args:
        what: The part that was asked for, as the start of a sentence.
        extra: The extra's name, as in `pip install 'commonground[extra]'`.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra [{extra}]: pip install 'commonground[{extra}]'")


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a name that is not known, with the nearest known one suggested.

    Example:
        >>> print(unknown_name("metric", "sem-fl", ["sem-f1", "rouge"]))
        unknown metric 'sem-fl'; did you mean 'sem-f1'? (known: rouge, sem-f1)
    """
    from rapidfuzz import process  # here: most runs have no error

    names = sorted(known)
    nearest = process.extractOne(str(name), names, processor=str.lower, score_cutoff=50)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return InputError(f"unknown {kind} {name!r}{hint} (known: {', '.join(names)})")
