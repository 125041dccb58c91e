"""The parts of an idea: what it says, and the context that makes it readable alone."""

import re
from typing import Final

BEFORE: Final = "the sentence before, for context"
MEANT: Final = "the part of the sentence that is meant"

# The sentence before ends as a sentence does; names in square brackets stand for pronouns.
_PARTS: Final = re.compile(r"(\[[^\]]*[.!?…][\"'”’)]*\] )?(.*?)( \(here: “.*”\))?", re.DOTALL)


def idea_parts(label: str) -> list[tuple[str, str]]:
    """Return the words of an idea, in parts; context comes with what it is.

    Example:
        >>> idea_parts("[It rained.] So [the Hills] stayed. (here: “stayed”)")[1]
        ('So [the Hills] stayed.', '')
        >>> [why for _, why in idea_parts("[It rained.] So they stayed. (here: “stayed”)")]
        ['the sentence before, for context', '', 'the part of the sentence that is meant']
    """
    found = _PARTS.fullmatch(label)
    before, said, meant = found.groups(default="") if found else ("", label, "")
    return [part for part in ((before, BEFORE), (said, ""), (meant, MEANT)) if part[0]]


def has_context(labels: list[str]) -> bool:
    """Whether any of these ideas has context."""
    return any(why for label in labels for _, why in idea_parts(label))
