"""Conflicts by matter: of several narratives, who gives which value."""

from collections.abc import Sequence
from dataclasses import replace

from commonground.narratives.conflicts.differences import said_alike
from commonground.narratives.result import Conflict, Side

_Words = tuple[int, int]


def by_matter(conflicts: Sequence[Conflict]) -> list[Conflict]:
    """One conflict for each disputed matter, from those between two narratives.

    Two of them are on one matter if they are of one kind and have a side in common: the same words
    of one narrative.
    """
    matters: list[list[Conflict]] = []
    for conflict in conflicts:
        joined = [some for some in matters if any(_meet(conflict, other) for other in some)]
        matters = [some for some in matters if some not in joined]
        matters.append([*(one for some in joined for one in some), conflict])
    return [
        Conflict(some[0].kind, _sides(some), max(one.probability for one in some))
        for some in matters
    ]


def _meet(one: Conflict, other: Conflict) -> bool:
    return one.kind == other.kind and not set(map(_words, one.sides)).isdisjoint(
        map(_words, other.sides)
    )


def _words(side: Side) -> _Words:
    return side.narrative, side.value_start


def _sides(conflicts: Sequence[Conflict]) -> tuple[Side, ...]:
    """The sides of a matter in groups: what is at odds is apart, the same value together."""
    kind = conflicts[0].kind
    at_odds = {frozenset(map(_words, one.sides)) for one in conflicts}
    groups: list[list[Side]] = []
    for side in sorted({side for one in conflicts for side in one.sides}, key=_words):
        alike = (some for some in groups if _alike(kind, side, some, at_odds))
        group = next(alike, None)
        if group is None:
            groups.append(group := [])
        # List each narrative once, even if it repeats the value.
        if all(one.narrative != side.narrative for one in group):
            group.append(side)
    return tuple(replace(side, group=number) for number, some in enumerate(groups) for side in some)


def _alike(kind: str, side: Side, group: Sequence[Side], at_odds: set[frozenset[_Words]]) -> bool:
    if any(frozenset((_words(side), _words(one))) in at_odds for one in group):
        return False
    # A denied verb and the verb itself are alike in words alone.
    return kind == "negation" or said_alike(kind, group[0].value, side.value)
