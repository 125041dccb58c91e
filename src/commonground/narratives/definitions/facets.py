"""The overlap as common facets: who, what, when, where, why and how."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any

from commonground import encoders
from commonground.io import Narrative
from commonground.narratives.conflicts.pair import same_verb
from commonground.narratives.definitions.facet_items import FACETS, Item, items
from commonground.narratives.definitions.things import (
    ALIKE,
    Likeness,
    encoder_field,
    merged,
    nested,
    same_thing,
)
from commonground.narratives.definitions.triples import Mention, parsed
from commonground.narratives.texts import Narratives, check_at_least, named_narratives
from commonground.plain import Plain, to_plain
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS
from commonground.text.values import When, fullest


@dataclass(frozen=True, slots=True)
class Element(Plain):
    """A common element of one facet.

    Attributes:
        text: The normal form: the fullest name, the combined date, or the shortest wording; for
            an event, the verb's base form with its noun.
        mentions: The first mention in each narrative that has it; for an event, the sentence.
    """

    text: str
    mentions: tuple[Mention, ...]

    @property
    def weight(self) -> int:
        """The number of narratives that have it."""
        return len(self.mentions)

    def to_dict(self) -> dict[str, Any]:
        """Return text, weight and mentions."""
        return {"text": self.text, "weight": self.weight, "mentions": to_plain(self.mentions)}


@dataclass(frozen=True, slots=True, repr=False)
class CommonFacets(Plain):
    """The result of `common_facets`; each facet is sorted by weight.

    Attributes:
        who: People and organisations.
        what: Events.
        when: Dates and times.
        where: Places.
        why: Reasons and purposes.
        how: Means and manner.
        narratives: The narratives in the caller's order.
        at_least: The number of narratives that had to agree.
        signature: Everything the result depends on.
    """

    who: tuple[Element, ...]
    what: tuple[Element, ...]
    when: tuple[Element, ...]
    where: tuple[Element, ...]
    why: tuple[Element, ...]
    how: tuple[Element, ...]
    narratives: tuple[Narrative, ...]
    at_least: int
    signature: Signature

    def __repr__(self) -> str:
        counts = ", ".join(f"{facet}={len(getattr(self, facet))}" for facet in FACETS)
        return f"CommonFacets({counts}, signature='{self.signature}')"

    def __str__(self) -> str:
        texts = ["; ".join(element.text for element in getattr(self, facet)) for facet in FACETS]
        rows = zip(FACETS, texts, strict=True)
        return "\n".join(f"{facet:<5}  {text or '(nothing in common)'}" for facet, text in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetOverlaps:
    """Finds the common elements of each facet; reusable form of `common_facets`.

    Attributes:
        at_least: Minimum number of narratives that must have an element (default: all).
        encoder: Encoder that compares nouns, verbs and phrases.
        threshold: Minimum cosine; above 1, only words with the same stems match.
    """

    at_least: int | None = None
    encoder: str = encoders.DEFAULT
    threshold: float = ALIKE

    def find(self, narratives: Narratives) -> CommonFacets:
        """Find the common facets of two or more narratives; their order only sorts mentions."""
        named = named_narratives(narratives)
        needed = check_at_least(self.at_least, len(named))
        by_facet: defaultdict[str, list[Item]] = defaultdict(list)
        for sentences in parsed([narrative.text for narrative in named]):
            own = [item for sentence in sentences for item in items(sentence)]
            for facet in FACETS:
                by_facet[facet] += _distinct([item for item in own if item.facet == facet])
        common = {facet: self._elements(by_facet[facet], needed) for facet in FACETS}
        signature = self.signature(len(named))
        return CommonFacets(**common, narratives=named, at_least=needed, signature=signature)

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
        return Signature.of(
            "OVERLAP",
            method="facets",
            enc=encoder_field(self.encoder, self.threshold),
            alike=f"{self.threshold:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            of=f"{check_at_least(self.at_least, narratives)}/{narratives}",
        )

    def _elements(self, facet_items: Sequence[Item], needed: int) -> tuple[Element, ...]:
        """Return what at least `needed` narratives have."""
        phrases = (phrase for item in facet_items for phrase in _phrases(item))
        likeness = Likeness(phrases, self.encoder, self.threshold)
        elements = [
            Element(
                _text(group), tuple(sorted((i.mention for i in group), key=lambda m: m.narrative))
            )
            for group in _groups(facet_items, likeness)
            if len(group) >= needed
        ]
        return tuple(sorted(elements, key=lambda e: (-e.weight, e.text.lower(), e.text)))


def common_facets(
    narratives: Narratives,
    *,
    at_least: int | None = None,
    encoder: str = encoders.DEFAULT,
    threshold: float = ALIKE,
) -> CommonFacets:
    """Return what narratives have in common of who, what, when, where, why and how.

    Names and dates are normalised: "Sen. McCain" is "John McCain", "Monday" is "Monday, May 3".
    Nouns match by stem if their adjectives, numbers and names do not differ, or by the cosine of
    their vectors. Pronouns are not resolved. See `FacetOverlaps` for the options.

    Raises:
        InputError: Fewer than two narratives, or an `at_least` out of range.

    Example:
        >>> left = "Sen. McCain visited Boston on Monday."
        >>> right = "On Monday, May 3, John McCain was in Boston."
        >>> print(common_facets([left, right]))
        who    John McCain
        what   (nothing in common)
        when   Monday, 3 May
        where  Boston
        why    (nothing in common)
        how    (nothing in common)
    """
    finder = FacetOverlaps(at_least=at_least, encoder=encoder, threshold=threshold)
    return finder.find(narratives)


def _text(group: Sequence[Item]) -> str:
    """Return the normal form of a group of elements."""
    things = [item.thing for item in group if item.thing is not None]
    dates = [thing.when for thing in things if thing.when is not None]
    if dates and group[0].facet == "when":
        dates.sort(key=lambda date: (-len(str(date)), str(date)))
        return str(reduce(_combined, dates))
    if group[0].predicate is None and things and things[0].kind != "thing":
        return fullest([thing.text for thing in things])
    return min((item.text for item in group), key=lambda text: (len(text), text))


def _combined(date: When, other: When) -> When:
    """Fill the missing parts of a date from another one that agrees with it."""
    names = [field.name for field in fields(When) if getattr(date, field.name) is None]
    return replace(date, **{name: getattr(other, name) for name in names})


def _distinct(facet_items: Sequence[Item]) -> list[Item]:
    """Return the distinct elements of a facet of one narrative, each at its first mention.

    A shorter name becomes the fuller one of the narrative if there is only one.
    """
    full = merged(item.thing for item in facet_items if item.thing is not None)
    first: dict[object, Item] = {}
    for item in facet_items:
        if item.thing is not None:
            item = replace(item, thing=full[item.thing.key])
        first.setdefault(_key(item), item)
    return list(first.values())


def _groups(facet_items: Iterable[Item], likeness: Likeness) -> list[list[Item]]:
    """Group elements that match pair by pair, at most one from each narrative.

    The fullest wording comes first. The next one joins the group with the same words, or else the
    only group that fits: with two McCains, "McCain" is ambiguous. The order of the narratives has
    no effect.
    """
    groups: list[list[Item]] = []
    by_mark: defaultdict[str, set[int]] = defaultdict(set)
    for item in sorted(
        facet_items, key=lambda item: (-_fullness(item), repr(_key(item)), item.text)
    ):
        marks = _marks(item, likeness)
        fitting = [
            index
            for index in sorted(set().union(*(by_mark[mark] for mark in marks)))
            if all(
                other.mention.narrative != item.mention.narrative and _same(item, other, likeness)
                for other in groups[index]
            )
        ]
        literal = [index for index in fitting if _key(item) in map(_key, groups[index])]
        index = literal[0] if literal else fitting[0] if len(fitting) == 1 else len(groups)
        if index == len(groups):
            groups.append([])
        groups[index].append(item)
        for mark in marks:
            by_mark[mark].add(index)
    return groups


def _phrases(item: Item) -> Sequence[str]:
    """Return the phrases that `_same` compares by likeness."""
    if item.thing is None:
        return (item.text,)
    return (item.thing.text,) if item.predicate is None else (item.predicate.verb, item.thing.text)


def _key(item: Item) -> object:
    if item.thing is None:
        return (tuple(sorted(item.stems)), item.negated)
    return (item.thing.key, str(item.predicate or ""))


def _fullness(item: Item) -> int:
    return len(item.stems) if item.thing is None else item.thing.fullness


def _marks(item: Item, likeness: Likeness) -> set[str]:
    """Return index keys; elements that can match share at least one."""
    if item.thing is not None:
        return likeness.thing_marks(item.thing)
    return {f"stem {stem}" for stem in item.stems} | likeness.marks(item.text)


def _same(left: Item, right: Item, likeness: Likeness) -> bool:
    if left.thing is None or right.thing is None:
        return _same_phrase(left, right, likeness)
    if left.predicate is not None and right.predicate is not None:
        first, second = left.predicate, right.predicate
        if (first.negated, first.modal) != (second.negated, second.modal) or not (
            same_verb(first.verb, second.verb) or likeness.of(first.verb, second.verb)
        ):
            return False
    return same_thing(left.thing, right.thing) or likeness.of_things(left.thing, right.thing) > 0


def _same_phrase(left: Item, right: Item, likeness: Likeness) -> bool:
    if left.negated != right.negated:
        return False
    similar = nested(left.fixed, right.fixed) and likeness.of(left.text, right.text) > 0
    return nested(left.stems, right.stems) or similar
