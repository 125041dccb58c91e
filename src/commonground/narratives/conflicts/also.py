"""Other narratives that state a disputed value, in a sentence that met no contrary one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonground.narratives.conflicts.differences import SAME_MATTER, agrees, at_odds
from commonground.narratives.conflicts.find import Facts, by_matter, closeness, side_of
from commonground.narratives.conflicts.negation import Assertion, contrary
from commonground.narratives.conflicts.pair import CLOSE, Pair
from commonground.narratives.conflicts.same_matter import same_matter
from commonground.narratives.conflicts.values import Value
from commonground.narratives.result import Conflict, Side

# Below the similarity of a conflict: that the value is the same is evidence, too.
_ALIKE = 0.6 * SAME_MATTER

_Said = Value | Assertion


def also_stated(facts: Sequence[Facts], conflicts: Sequence[Conflict]) -> list[Conflict]:
    """Return conflicts for the narratives that state a value, but are no side of its conflict.

    If A and B differ and C has the value of B, then A and C conflict with the same probability. C
    must state the value of the same matter.
    """
    found = []
    for matter in by_matter(conflicts):
        for side in matter.sides:
            others = [other for other in matter.sides if other.group != side.group]
            listed = {other.narrative for other in matter.sides if other.group == side.group}
            for narrative in set(range(len(facts))) - listed:
                against = next((one for one in others if one.narrative != narrative), None)
                twin = against and _twin(facts, side, against, narrative)
                if against and twin:
                    sides = sorted((against, twin), key=lambda one: one.narrative)
                    pair = tuple(replace(one, group=0) for one in sides)
                    found.append(Conflict(matter.kind, pair, matter.probability))
    return found


def _twin(facts: Sequence[Facts], side: Side, against: Side, narrative: int) -> Side | None:
    """Return where a narrative says best what a side says, and not what the other side says."""
    row, said = _located(facts[side.narrative], side)
    _, contrary_said = _located(facts[against.narrative], against)
    if said is None or contrary_said is None:
        return None
    own, other = facts[side.narrative], facts[narrative]
    near = closeness(own, other)
    best: tuple[float, int, _Said] | None = None
    rows = other.values if isinstance(said, Value) else other.assertions
    for there, candidate in _in_rows(rows):
        if not _same(said, candidate) or not _odd(contrary_said, candidate):
            continue
        pair = Pair(own.parsed[row], other.parsed[there], near.get((row, there), 0.0))
        alike = _alike(pair, said, candidate)
        if alike is not None and (best is None or alike > best[0]):
            best = alike, there, candidate
    return side_of(other.parsed[best[1]], best[2], narrative) if best else None


def _located(facts: Facts, side: Side) -> tuple[int, _Said | None]:
    """Return the row of a side's sentence, and its value or assertion; None for a claim."""
    for rows in (facts.values, facts.assertions):
        for row, said in _in_rows(rows):
            if side_of(facts.parsed[row], said, side.narrative) == replace(side, group=0):
                return row, said
    return -1, None


def _in_rows(rows: Sequence[Sequence[_Said]]) -> Iterator[tuple[int, _Said]]:
    for row, found in enumerate(rows):
        yield from ((row, said) for said in found)


def _same(one: _Said, other: _Said) -> bool:
    if isinstance(one, Value) and isinstance(other, Value):
        return agrees(one, other)
    if isinstance(one, Assertion) and isinstance(other, Assertion):
        words = (one.word.lemma_, one.negated, one.modal)
        return words == (other.word.lemma_, other.negated, other.modal)
    return False


def _odd(one: _Said, other: _Said) -> bool:
    if isinstance(one, Value) and isinstance(other, Value):
        return at_odds(one, other)
    return isinstance(one, Assertion) and isinstance(other, Assertion) and contrary(one, other)


def _alike(pair: Pair, one: _Said, other: _Said) -> float | None:
    """Return how alike the matters of two equal values are; None if they are not the same."""
    if isinstance(one, Value) and isinstance(other, Value):
        matter = same_matter(pair, one, other)
        alike = matter[1] if matter else 0.0
    else:
        alike = pair.sureness(one.near, other.near)
    close = pair.closeness >= CLOSE and alike > 0
    return alike if close or alike >= _ALIKE else None
