"""Spellings from before `overlap` was split into `overlap`, `define` and `generate`.

They are accepted, with a notice, until version 0.2.
"""

import shlex

from commonground.cli.terminal import note
from commonground.errors import unknown_name

DEFINITIONS = ("words", "topics", "facets", "graph")


def renamed(arguments: list[str]) -> list[str]:
    """Return the arguments with `overlap --method NAME` replaced by the new command.

    Example:
        >>> renamed(["overlap", "a.txt", "b.txt"])
        ['overlap', 'a.txt', 'b.txt']
    """
    command, *rest = arguments
    rest, method = _take(rest, "--method")
    if command != "overlap" or method is None:
        return arguments
    if method == "statements":
        new = ["overlap"]
    elif method in DEFINITIONS:
        new = ["define", method]
        if method in ("words", "topics"):
            rest, _ = _take(rest, "--device")  # was accepted, without effect
    else:
        from commonground.cli import generate

        if not generate.is_generator(method):
            raise unknown_name("method", method, ("statements", *DEFINITIONS, *generate.METHODS))
        new = ["generate", "--method", method]
    note(
        f"overlap --method {shlex.quote(method)} is deprecated and will be removed in version 0.2; "
        f"use commonground {shlex.join(new)}"
    )
    return [*new, *rest]


def _take(arguments: list[str], option: str) -> tuple[list[str], str | None]:
    """Return the arguments without an option, and its last value."""
    rest: list[str] = []
    value = None
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
        elif word == option and (following := next(words, None)) is not None:
            value = following
        else:
            rest.append(word)
    return rest, value
