"""Verbs that tell the same event, whatever their object.

Vectors of bare verbs do not say so: with `minilm` "get" and "receive" have a cosine of .60, "close"
and "shut" .59, but "buy" and "sell" .76 and "win" and "lose" .69. So they are listed.
"""

from typing import Final

from commonground.narratives.word_lists import list_lines

_GROUP_OF: Final = {
    verb.replace("_", " "): number
    for number, line in enumerate(list_lines("same_verbs"))
    for verb in line.split()
}


def same_verb(one: str, other: str) -> bool:
    """Whether two verbs in their base form, with their particles, tell the same event.

    Example:
        >>> same_verb("close", "shut"), same_verb("buy", "sell")
        (True, False)
    """
    group = _GROUP_OF.get(one)
    return one == other or (group is not None and group == _GROUP_OF.get(other))
