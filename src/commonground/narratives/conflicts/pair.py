"""Two sentences of different narratives, and how alike their words are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonground.narratives.word_lists import list_lines, word_list
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token

Near = dict[int, float]
"""Content words around a value: token indices with weights that fall with the distance."""

Sides = dict[str, set[tuple[int, int]]]
"""For each word the lines of a list that it is in, each with its side of the "|" there."""


def _sides(*names: str) -> Sides:
    sides: Sides = {}
    for number, line in enumerate(line for name in names for line in list_lines(name)):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                sides.setdefault(word, set()).add((number, side))
    return sides


VERBS, QUALITIES = _sides("opposites"), _sides("qualities")
WORDS = _sides("opposites", "states")
"""Words that can refute a statement; states change too often to make a conflict."""


def opposite(sides: Sides, one: str, other: str) -> bool:
    """Say whether two words are on different sides of a line, and never on the same side."""
    first, second = sides.get(one, set()), sides.get(other, set())
    if not first.isdisjoint(second):
        return False
    return not {number for number, _ in first}.isdisjoint(number for number, _ in second)


def _groups(name: str) -> dict[str, int]:
    """Return the line of each word in a list."""
    lines = enumerate(list_lines(name))
    return {word.replace("_", " "): number for number, line in lines for word in line.split()}


_SAME_VERBS, _SAME_MATTER = _groups("same_verbs"), _groups("same_matter")


def same_verb(one: str, other: str) -> bool:
    """Say whether two verbs in their base form, with their particles, mean the same event.

    Example:
        >>> same_verb("close", "shut"), same_verb("buy", "sell")
        (True, False)
    """
    group = _SAME_VERBS.get(one)
    return one == other or (group is not None and group == _SAME_VERBS.get(other))


_PEOPLE = frozenset(("people", "person"))
_KINDS_OF_PEOPLE = word_list("people")
ALIKE = 0.6
"""Minimum cosine of two words in context that may mean the same: "bought" and "acquired"."""

CLOSE = 0.4
"""Minimum closeness of two sentences that are about one matter as wholes."""

_CLOSENESS = 0.5  # weight of the closeness beyond it


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two sentences of different narratives.

    `closeness` is the cosine of their vectors if each is the nearest of the other, else 0;
    `topics` are the stems of words that both narratives use in more than one sentence.
    """

    one: Parsed
    other: Parsed
    closeness: float = 0.0
    topics: frozenset[str] = frozenset()

    def tokens(self, one: "Token", other: "Token") -> float:
        """Return how alike a token of each sentence are: 1, or their cosine in context."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        group = _SAME_MATTER.get(first)
        if same_verb(first, second) or (group is not None and group == _SAME_MATTER.get(second)):
            return 1.0
        if {first, second} & _PEOPLE and {first, second} & _KINDS_OF_PEOPLE:
            return ALIKE
        row, column = self.one.rows[one.i], self.other.rows[other.i]
        if row < 0 or column < 0:
            return 0.0
        ours, theirs = self.one.words, self.other.words
        if ours.stems[row] == theirs.stems[column]:
            return 1.0
        return float(ours.vectors[row] @ theirs.vectors[column])

    def contrary(self, one: "Token", other: "Token") -> bool:
        """Say whether two words mean different matters, however alike: "killed", "injured"."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        groups = {_SAME_MATTER.get(first), _SAME_MATTER.get(second)}
        return opposite(VERBS, first, second) or (None not in groups and len(groups) == 2)

    def similarity(self, one: Near, other: Near) -> float:
        """Return from 0 to 1 how much the words around two values mean the same.

        Each word counts with its best match on the other side, if that is at least `ALIKE`. The
        result is the mean of both directions, so a detail on one side only costs half.
        """
        if not one or not other:
            return 0.0
        ours, theirs = [self.one.doc[a] for a in one], [self.other.doc[b] for b in other]
        matches = np.array([[self.tokens(a, b) for b in theirs] for a in ours])
        matches[matches < ALIKE] = 0.0
        rows, columns = np.array(list(one.values())), np.array(list(other.values()))
        forth = float(rows @ matches.max(axis=1) / rows.sum())
        back = float(columns @ matches.max(axis=0) / columns.sum())
        return (forth + back) / 2

    def sureness(self, one: Near, other: Near) -> float:
        """Return the similarity of the words around two values, plus a bonus for closeness."""
        return self.similarity(one, other) + _CLOSENESS * max(0.0, self.closeness - CLOSE)
