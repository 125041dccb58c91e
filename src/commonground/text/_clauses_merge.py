"""Which clauses of a sentence stand alone: the alternatives from the finest to the coarsest."""

from collections.abc import Iterator

from commonground.text._clauses_find import Clause

MOST_ALTERNATIVES = 8


def alternatives(clauses: list[Clause]) -> list[frozenset[int]]:
    """Sets of clauses, by number, that are split off while the others stay in their hosts.

    The finest comes first. With up to three clauses to split off, these are all the sets there
    are. With more there are too many, and the first eight of this list are taken: all; all up to
    a depth (main clauses last); all but one, the deepest first; one alone.
    """
    apart = sorted(range(1, len(clauses)), key=lambda number: clauses[number].words[0])
    kept: list[frozenset[int]] = []
    for split in _candidates(clauses, apart):
        if split and split not in kept:
            kept.append(split)
        if len(kept) == MOST_ALTERNATIVES:
            break
    return sorted(kept, key=lambda split: (-len(split), [number in split for number in apart]))


def _candidates(clauses: list[Clause], apart: list[int]) -> Iterator[frozenset[int]]:
    depths = sorted({clauses[number].depth for number in apart}, reverse=True)
    for depth in depths:
        yield frozenset(number for number in apart if clauses[number].depth <= depth)
    for number in sorted(apart, key=lambda number: -clauses[number].depth):
        yield frozenset(apart) - {number}
    for number in apart:
        yield frozenset((number,))
