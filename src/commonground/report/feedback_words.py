"""The words of feedback pages that a teacher can change."""

from collections.abc import Mapping
from typing import Final

from commonground.errors import InputError, unknown_name

WORDING: Final[Mapping[str, str]] = {
    "intro": "A program decided which ideas are stated. It can be wrong.",
    "comment": "Comment",
    "summary": "The summary",
    "said": "What it says",
    "partly": "What it says in part",
    "missed": "What it leaves out",
    "hint": "Most important first. Open an idea to see the words of the model summaries.",
    "nothing said": "It has none of the ideas in the model summaries.",
    "nothing missed": "Nothing: it has every idea.",
    "closing": "",
}
"""The default words by name; an empty text is left out."""


def wording(changes: object, where: str = "wording") -> dict[str, str]:
    """Return the words of feedback pages, with changes.

    Args:
        changes: Texts by name, as read from a JSON file.
        where: The start of every error message.

    Example:
        >>> wording({"missed": "Still to come"})["missed"]
        'Still to come'
    """
    if not isinstance(changes, Mapping):
        raise InputError(f"{where}: must be an object with texts by name")
    for name, text in changes.items():
        if name not in WORDING:
            raise InputError(f"{where}: {unknown_name('text', str(name), WORDING)}")
        if not isinstance(text, str):
            raise InputError(f'{where}: "{name}" must be a string')
    return {**WORDING, **changes}
