"""Elements of narratives brought together: those that can be the same, one from each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.narratives.conflicts.same_verbs import same_verb
from commonground.narratives.definitions.facet_items import Item
from commonground.narratives.definitions.likeness import Likeness
from commonground.narratives.definitions.things import Thing, agreeing, merged, same_thing


def distinct(found: Iterable[Item]) -> list[Item]:
    """The elements of one facet of one narrative, each once, where it is said first.

    A shorter name stands for the fuller one that the narrative has, if there is only one.
    """
    items = list(found)
    fullest = merged(item.thing for item in items if item.thing is not None)
    kept: dict[object, Item] = {}
    for item in items:
        if item.thing is not None:
            item = replace(item, thing=fullest[item.thing.key])
        kept.setdefault(_key(item), item)
    return list(kept.values())


def groups(items: Iterable[Item], likeness: Likeness) -> list[list[Item]]:
    """Elements of one facet that are all the same pair by pair, at most one from a narrative.

    The fullest wording goes first, and each next one joins the group that says the same in the
    same words, or else the only group it fits: which McCain "McCain" is among two, nobody knows.
    The order of the narratives plays no part.
    """
    found: list[list[Item]] = []
    marked: defaultdict[str, set[int]] = defaultdict(set)
    for item in sorted(items, key=lambda item: (-_fullness(item), repr(_key(item)), item.text)):
        marks = _marks(item, likeness)
        near = sorted(set().union(*(marked[mark] for mark in marks)))
        fitting = [place for place in near if _fits(item, found[place], likeness)]
        literal = [
            place for place in fitting if _key(item) in [_key(other) for other in found[place]]
        ]
        chosen = literal[:1] or (fitting if len(fitting) == 1 else [len(found)])
        if chosen[0] == len(found):
            found.append([])
        found[chosen[0]].append(item)
        for mark in marks:
            marked[mark].add(chosen[0])
    return found


def _fits(item: Item, group: Sequence[Item], likeness: Likeness) -> bool:
    return all(
        other.mention.narrative != item.mention.narrative and _same(item, other, likeness)
        for other in group
    )


def phrases(item: Item) -> Sequence[str]:
    """What `likeness` must know to compare this element."""
    if item.predicate is not None and item.thing is not None:
        return (item.predicate.verb, item.thing.text)
    return (item.text if item.thing is None else item.thing.text,)


def _key(item: Item) -> object:
    if item.thing is None:
        return (tuple(sorted(item.stems)), item.negated)
    return (item.thing.key, str(item.predicate or ""))


def _fullness(item: Item) -> int:
    return len(item.stems) if item.thing is None else item.thing.fullness


def _marks(item: Item, likeness: Likeness) -> set[str]:
    """Elements that can be the same have one of these in common."""
    if item.thing is not None:
        marks = set(item.thing.marks)
        if item.thing.kind == "thing":
            marks.update(f"like {phrase}" for phrase in likeness.near(item.thing.text))
        return marks
    marks = {f"stem {stem}" for stem in item.stems}
    return marks | {f"like {phrase}" for phrase in likeness.near(item.text)}


def _same(one: Item, other: Item, likeness: Likeness) -> bool:
    if one.thing is None or other.thing is None:
        return _same_phrase(one, other, likeness)
    if one.predicate is not None and other.predicate is not None:
        first, second = one.predicate, other.predicate
        if (first.negated, first.modal) != (second.negated, second.modal):
            return False
        if not same_verb(first.verb, second.verb) and not likeness.of(first.verb, second.verb):
            return False
    return same_thing(one.thing, other.thing) or alike(one.thing, other.thing, likeness)


def alike(one: Thing, other: Thing, likeness: Likeness) -> bool:
    """Whether two nouns, not names or dates, are alike in meaning and their numbers agree."""
    if one.kind != "thing" or other.kind != "thing":
        return False
    return bool(likeness.of(one.text, other.text)) and agreeing(one, other)


def _same_phrase(one: Item, other: Item, likeness: Likeness) -> bool:
    if one.negated != other.negated:
        return False
    if one.stems <= other.stems or other.stems <= one.stems:
        return True
    nested = one.fixed <= other.fixed or other.fixed <= one.fixed
    return nested and bool(likeness.of(one.text, other.text))
