"""The values of a sentence that another narrative may give differently."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from commonground.narratives.conflicts.matter import near
from commonground.narratives.conflicts.pair import QUALITIES, Near
from commonground.reading import Parsed
from commonground.text.values import PLAIN_NUMBER, Quantity, When, dates, is_title, quantities

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Kind = Literal["number", "date", "name", "quality"]

PLACES = frozenset(("GPE", "LOC", "FAC"))
"""The entity labels of places."""

_NAMES = PLACES | {"PERSON", "ORG"}
_JOINED = re.compile(r"-[^\W\d]")  # "a four-star hotel"
_NUMERIC = frozenset(("", "CARDINAL", "QUANTITY", "MONEY", "PERCENT", "TIME", "DATE"))
_RELATIVE = frozenset(("ago", "later", "earlier"))
_NOBODY = frozenset(("nobody", "none"))


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A number, date, name or quality, and the words around it.

    Attributes:
        kind: Its kind; places are names until two of them are compared.
        said: Its value; the words of a name or quality.
        span: Its tokens.
        label: The entity label of a name; empty for other kinds.
        near: The content words around it.
    """

    kind: Kind
    said: Quantity | When | str
    span: "Span"
    label: str
    near: Near

    @property
    def root(self) -> "Token":
        """The root of its tokens."""
        return self.span.root


def values(parsed: Parsed) -> list[Value]:
    """Return the numbers, dates, names and qualities of a sentence."""
    result: list[tuple[Kind, Quantity | When | str, Span, str]] = []
    taken: set[int] = set()
    for when in dates(parsed.doc.text):
        span = _span(parsed, when.start, when.end)
        result.append(("date", when, span, ""))
        taken.update(range(span.start, span.end))
    for quantity, span in _numbers(parsed):
        if taken.isdisjoint(range(span.start, span.end)):
            result.append(("number", quantity, span, ""))
            taken.update(range(span.start, span.end))
    for span, label in _names(parsed):
        if taken.isdisjoint(range(span.start, span.end)):
            result.append(("name", span.text, span, label))
    if not QUALITIES.keys().isdisjoint(parsed.doc.text.lower().split()):
        # Colours, sides and the like of a single thing: "a white van", not "white vans".
        result += [
            ("quality", token.lower_, parsed.doc[token.i : token.i + 1], "")
            for token in parsed.doc
            if token.dep_ == "amod" and token.lower_ in QUALITIES and thing(token) is not None
        ]
    return [
        Value(kind, said, span, label, near(parsed, span.start, span.end, taken))
        for kind, said, span, label in result
    ]


def counted(value: Value) -> "Token | None":
    """Return the noun that a plain number counts: "12 miners", "dozens of miners"."""
    root = value.root
    if root.dep_ in ("nummod", "det", "amod", "quantmod"):
        return root.head
    for child in root.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            return next((noun for noun in child.children if noun.dep_ == "pobj"), None)
    return None


def _span(parsed: Parsed, start: int, end: int) -> "Span":
    span = parsed.doc.char_span(start, end, alignment_mode="expand")
    assert span is not None, "offsets are inside the text"
    return span


def _numbers(parsed: Parsed) -> Iterator[tuple[Quantity, "Span"]]:
    for quantity in quantities(parsed.doc.text):
        span = _span(parsed, quantity.start, quantity.end)
        if not _is_label(quantity, span):
            yield quantity, span
    for token in parsed.doc:
        if token.lower_ in _NOBODY or (token.lower_ == "no" and token.dep_ == "det"):
            end = token.i + 1
            if token.head.lower_ == "one" and token.head.i == end:
                end += 1
            span = parsed.doc[token.i : end]
            yield Quantity(0.0, 0.0, 0.0, False, PLAIN_NUMBER, span.start_char, span.end_char), span


def _is_label(quantity: Quantity, span: "Span") -> bool:
    """Say whether a number is part of a name or a relative date: "Flight 370", "later"."""
    last = span[-1]
    if last.head.lower_ in _RELATIVE:
        return True
    # "Flight 370" is a name; "Seventeen" in "Seventeen passengers" is not, despite its capital.
    counts = last.dep_ == "nummod" and last.head.i > last.i and not last.head.ent_type_
    if not counts and any(token.ent_type_ not in _NUMERIC for token in span):
        return True
    if quantity.measure.dimension:
        return False
    joined = _JOINED.match(span.doc.text, quantity.end)
    if joined or (last.dep_ == "nummod" and last.head.i < span.start):
        return True
    if span.text.lower() == "one":
        return last.dep_ != "nummod"
    return last.shape_ == "dddd" and 1500 <= quantity.value < 2100


def thing(quality: "Token") -> "Token | None":
    """Return the single thing that an adjective describes: the van of "a grey delivery van"."""
    noun = quality.head
    while noun.dep_ == "compound":
        noun = noun.head
    # The tagger takes some nouns in lower case for names.
    single = noun.tag_ in ("NN", "NNP") and noun.is_lower and not noun.ent_type_
    return noun if single else None


def _names(parsed: Parsed) -> Iterator[tuple["Span", str]]:
    """Yield named entities, and runs of proper nouns without an entity label."""
    for entity in parsed.doc.ents:
        if entity.label_ in _NAMES and (span := _trimmed(entity)) is not None:
            yield span, entity.label_
    for unnamed, run in groupby(parsed.doc, lambda t: t.pos_ == "PROPN" and not t.ent_type_):
        tokens = list(run)
        span = parsed.doc[tokens[0].i : tokens[-1].i + 1]
        if unnamed and not is_title(span.text):
            yield span, ""


def _trimmed(entity: "Span") -> "Span | None":
    """Remove the article before and the "'s" after; return None without a proper noun."""
    start, end = entity.start, entity.end
    while start < end and entity.doc[start].lower_ == "the":
        start += 1
    while start < end and entity.doc[end - 1].tag_ in ("POS", ".", ","):
        end -= 1
    span = entity.doc[start:end]
    proper = any(token.pos_ == "PROPN" for token in span)
    return span if proper and not is_title(span.text) else None
