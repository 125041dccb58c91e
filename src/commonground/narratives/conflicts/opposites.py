"""Words that cannot both be true of one thing: verbs, states, colours and sides.

Vectors hold them near each other, as they stand in the same places: only lists tell them apart.
"""

from commonground.narratives.word_lists import list_lines

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
