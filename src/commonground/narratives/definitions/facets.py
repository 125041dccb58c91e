"""The overlap as common facets: who, what, when, where, why and how."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any

from commonground import encoders
from commonground.io import Narrative
from commonground.narratives.definitions.facet_groups import distinct, groups, phrases
from commonground.narratives.definitions.facet_items import FACETS, Item, items
from commonground.narratives.definitions.likeness import ALIKE, Likeness, encoder_field
from commonground.narratives.definitions.parsed import Mention, parsed
from commonground.narratives.texts import Narratives, check_at_least, named_narratives
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS
from commonground.text.values import When, fullest

_EMPTY = "(nothing in common)"


@dataclass(frozen=True, slots=True)
class Element:
    """Something that narratives have in common in one facet.

    Attributes:
        text: Its normal form: the fullest of the names, all that is told of a date, otherwise
            the shortest wording; of an event the verb's base form with its noun.
        mentions: Where each narrative that has it says so first; for an event the sentence.
    """

    text: str
    mentions: tuple[Mention, ...]

    @property
    def weight(self) -> int:
        """How many narratives have it."""
        return len(self.mentions)

    def to_dict(self) -> dict[str, Any]:
        """Text, weight and mentions by name."""
        return {
            "text": self.text,
            "weight": self.weight,
            "mentions": [mention.to_dict() for mention in self.mentions],
        }


@dataclass(frozen=True, slots=True, repr=False)
class CommonFacets:
    """What `common_facets` found; in each facet what most narratives have comes first.

    Attributes:
        who: People and bodies.
        what: Events.
        when: Dates and times.
        where: Places.
        why: Reasons and purposes.
        how: Means and manner.
        narratives: As they were given.
        at_least: How many of them had to agree.
        signature: All that the result depends on.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; an empty facet is an empty list."""
        return {
            **{facet: [one.to_dict() for one in getattr(self, facet)] for facet in FACETS},
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "at_least": self.at_least,
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{facet}={len(getattr(self, facet))}" for facet in FACETS)
        return f"CommonFacets({counts}, signature='{self.signature}')"

    def __str__(self) -> str:
        return "\n".join(f"{facet:<5}  {_line(getattr(self, facet))}" for facet in FACETS)


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetOverlaps:
    """Finds what narratives have in common of each facet; `common_facets` does so once.

    Attributes:
        at_least: How many narratives must have an element; by default all.
        encoder: What says that two nouns, verbs or phrases are alike.
        threshold: The least cosine for it; above 1, only words with the same stems are alike.
    """

    at_least: int | None = None
    encoder: str = encoders.DEFAULT
    threshold: float = ALIKE

    def find(self, narratives: Narratives) -> CommonFacets:
        """That of two or more narratives; their order only orders the mentions."""
        named = named_narratives(narratives)
        needed = check_at_least(self.at_least, len(named))
        found: dict[str, list[Item]] = {facet: [] for facet in FACETS}
        for sentences in parsed([one.text for one in named]):
            mine: defaultdict[str, list[Item]] = defaultdict(list)
            for sentence in sentences:
                for item in items(sentence):
                    mine[item.facet].append(item)
            for facet, told in mine.items():
                found[facet].extend(distinct(told))
        common = {facet: self._elements(found[facet], needed) for facet in FACETS}
        signature = self.signature(len(named))
        return CommonFacets(**common, narratives=named, at_least=needed, signature=signature)

    def signature(self, narratives: int) -> Signature:
        """That of a result for so many narratives."""
        return Signature.of(
            "OVERLAP",
            method="facets",
            enc=encoder_field(self.encoder, self.threshold),
            alike=f"{self.threshold:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            of=f"{check_at_least(self.at_least, narratives)}/{narratives}",
        )

    def _elements(self, told: Sequence[Item], needed: int) -> tuple[Element, ...]:
        words = (phrase for item in told for phrase in phrases(item))
        likeness = Likeness(words, self.encoder, self.threshold)
        found = [_element(group) for group in groups(told, likeness) if len(group) >= needed]
        return tuple(sorted(found, key=lambda one: (-one.weight, one.text.lower(), one.text)))


def common_facets(
    narratives: Narratives,
    *,
    at_least: int | None = None,
    encoder: str = encoders.DEFAULT,
    threshold: float = ALIKE,
) -> CommonFacets:
    """What the narratives have in common of who, what, when, where, why and how.

    Names and dates are normalised: "Sen. McCain" is "John McCain", "Monday" is "Monday, May 3".
    Nouns are the same by stem where their qualities, numbers and names do not differ, or by the
    likeness of their vectors. Pronouns are not resolved. `FacetOverlaps` says what the options
    mean and serves many.

    Raises:
        InputError: Fewer than two narratives, or an `at_least` that does not fit them.

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


def _element(group: Sequence[Item]) -> Element:
    mentions = sorted((item.mention for item in group), key=lambda mention: mention.narrative)
    return Element(_text(group), tuple(mentions))


def _text(group: Sequence[Item]) -> str:
    """The normal form of what a group of elements stands for."""
    things = [item.thing for item in group if item.thing is not None]
    dates = [one.when for one in things if one.when is not None]
    if dates and group[0].facet == "when":
        return str(reduce(_together, sorted(dates, key=lambda date: (-len(str(date)), str(date)))))
    named = group[0].predicate is None and things and things[0].kind != "thing"
    if named:
        return fullest([one.text for one in things])
    return min((item.text for item in group), key=lambda text: (len(text), text))


def _together(one: When, other: When) -> When:
    """All that two dates that agree say of the same moment."""
    missing = {
        field.name: getattr(other, field.name)
        for field in fields(When)
        if getattr(one, field.name) is None
    }
    return replace(one, **missing)


def _line(elements: Sequence[Element]) -> str:
    return "; ".join(element.text for element in elements) or _EMPTY
