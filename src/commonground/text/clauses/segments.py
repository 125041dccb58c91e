"""Clauses with their offsets in the text, and the ways to segment a sentence into them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.errors import InputError
from commonground.text.clauses.find import Clause, find_clauses
from commonground.text.clauses.tree import Tree
from commonground.text.parsing import LONGEST, parse, places, written
from commonground.text.splitting.layout import flatten
from commonground.text.splitting.sentences import Sentence, sentences, split

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_ALTERNATIVES = 8


def alternatives(clauses: list[Clause]) -> list[frozenset[int]]:
    """Return sets of clause indices to split off; the other clauses stay in their hosts.

    The finest set comes first. Up to three clauses give all possible sets. With more, the first
    eight of this list are used: all; all up to a depth (main clauses last); all but one, the
    deepest first; one alone.
    """
    apart = sorted(range(1, len(clauses)), key=lambda number: clauses[number].words[0])
    kept: list[frozenset[int]] = []
    for chosen in _candidates(clauses, apart):
        if chosen and chosen not in kept:
            kept.append(chosen)
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


@dataclass(frozen=True, slots=True)
class Segment:
    """A clause, possibly in several pieces.

    Attributes:
        text: Its words in their original order, with single spaces.
        spans: The offsets of its pieces in the source, in order, including words that it shares
            with another segment, such as the subject of two verbs.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SegmentedSentence:
    """A sentence and its segmentations.

    Attributes:
        sentence: The sentence.
        segmentations: First the whole sentence as one segment; then, if it has more than one
            clause, the alternatives, finest first.
    """

    sentence: Sentence
    segmentations: tuple[tuple[Segment, ...], ...]

    @property
    def finest(self) -> tuple[Segment, ...]:
        """The finest segmentation; the whole sentence if it has one clause."""
        return self.segmentations[min(1, len(self.segmentations) - 1)]


def segment(text: str | Sequence[str]) -> list[SegmentedSentence]:
    """Segment the sentences of a text into clauses, one for every tensed verb phrase.

    Offsets count from the start of the text; for a list of sentences, from the start of each.
    `docs/clauses.md` has the rules. English only: other languages are parsed as English.

    Example:
        >>> (sentence,) = segment("The mayor opened the bridge and thanked the workers.")
        >>> [part.text for part in sentence.segmentations[1]]
        ['The mayor opened the bridge and', 'The mayor thanked the workers.']

    Raises:
        InputError: Neither a `str` nor a sequence of them.
    """
    return segment_all([text])[0]


def segment_all(texts: Iterable[str | Sequence[str]]) -> list[list[SegmentedSentence]]:
    """Segment many texts with one batched parse; the results are those of `segment`."""
    if isinstance(texts, str):
        raise InputError("segment_all takes a list of texts; use segment for one text")
    rows = [
        split(text) if isinstance(text, str) else [_stripped(entry) for entry in sentences(text)]
        for text in texts
    ]
    docs = iter(parse([sentence.text for row in rows for sentence in row]))
    return [[_segmented(sentence, next(docs)) for sentence in row] for row in rows]


def segment_parsed(sentence: str, doc: "Doc") -> SegmentedSentence:
    """Segment a parsed sentence; offsets count from its start."""
    return _segmented(_stripped(sentence), doc)


def _stripped(entry: str) -> Sentence:
    flat = flatten(entry)
    start, end = len(flat) - len(flat.lstrip()), len(flat.rstrip())
    return Sentence(entry[start:end], start, end)


def _segmented(sentence: Sentence, doc: "Doc") -> SegmentedSentence:
    whole = Segment(written(sentence.text), ((sentence.start, sentence.end),))
    if len(sentence.text) > LONGEST or not len(doc):
        return SegmentedSentence(sentence, ((whole,),))
    tree = Tree(doc, places(sentence.text))
    clauses = find_clauses(tree)
    cuts = (_cut(sentence, tree, clauses, apart) for apart in alternatives(clauses))
    return SegmentedSentence(sentence, ((whole,), *cuts))


def _cut(
    sentence: Sentence, tree: Tree, clauses: list[Clause], apart: frozenset[int]
) -> tuple[Segment, ...]:
    """Return the segments of one segmentation, ordered by their first own word."""
    parts: dict[int, list[int]] = {}
    for number, clause in enumerate(clauses):
        while number and number not in apart:
            number = clauses[number].host
        parts.setdefault(number, []).extend(clause.words)
    return tuple(
        _segment(sentence, tree, {*words, *clauses[number].borrowed})
        for number, words in sorted(parts.items(), key=lambda part: min(part[1]))
    )


def _segment(sentence: Sentence, tree: Tree, tokens: set[int]) -> Segment:
    ordered = sorted(tokens)
    firsts = [token for token in ordered if token - 1 not in tokens]
    lasts = [token for token in ordered if token + 1 not in tokens]
    pieces = [(tree.starts[i], tree.ends[j]) for i, j in zip(firsts, lasts, strict=True)]
    text = ""
    for start, end in pieces:
        # Punctuation directly follows the piece before it; words are separated by a space.
        before, first = sentence.text[start - 1 : start], sentence.text[start]
        leans = bool(before.strip()) and not first.isalnum()
        text += ("" if leans or not text else " ") + written(sentence.text[start:end])
    return Segment(text, tuple((sentence.start + s, sentence.start + e) for s, e in pieces))
