"""Two sentences of different narratives, and how alike their words are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from commonground.narratives.word_lists import list_lines, word_list
from commonground.reading import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Token


Sides = dict[str, set[tuple[int, int]]]


def _sides(*names: str) -> Sides:
    """For each word, the lines it stands in, each with its side there."""
    found: Sides = {}
    for number, line in enumerate(line for name in names for line in list_lines(name)):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, set()).add((number, side))
    return found


VERBS, QUALITIES = _sides("opposites"), _sides("qualities")
WORDS = _sides("opposites", "states")
"""States change, and many things have one name: they speak against a statement, no more."""


def opposite(sides: Sides, one: str, other: str) -> bool:
    """Whether two words stand on different sides of a line, and on the same side of none."""
    first, second = sides.get(one, set()), sides.get(other, set())
    if not first.isdisjoint(second):
        return False
    return not {number for number, _ in first}.isdisjoint(number for number, _ in second)


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


_GROUPS = {
    word: number for number, line in enumerate(list_lines("same_matter")) for word in line.split()
}
_PEOPLE = frozenset(("people", "person"))
_KINDS_OF_PEOPLE = word_list("people")
ALIKE = 0.6
"""From this cosine on, two words in their contexts may mean the same: "bought" and "acquired"."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two sentences of different narratives.

    `closeness` is the cosine of their vectors where each is the nearest of the other, else 0;
    `topics` are the stems of words that both narratives have in more than one sentence.
    """

    one: Parsed
    other: Parsed
    closeness: float = 0.0
    topics: frozenset[str] = frozenset()

    def tokens(self, one: "Token", other: "Token") -> float:
        """How alike a token of the first is to one of the second: 1, or the cosine in context."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        if same_verb(first, second) or (first in _GROUPS and _GROUPS[first] == _GROUPS.get(second)):
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
        """Whether two words tell of different matters, however alike: "killed", "injured"."""
        first, second = one.lemma_.lower(), other.lemma_.lower()
        if opposite(VERBS, first, second):
            return True
        return first in _GROUPS and second in _GROUPS and _GROUPS[first] != _GROUPS[second]
