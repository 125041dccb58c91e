"""Clauses of sentences with their places in the text, and the ways to cut a sentence into them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.errors import InputError
from commonground.text.clauses.find import Clause, find_clauses
from commonground.text.clauses.tree import Tree
from commonground.text.parsing import LONGEST, parse, places
from commonground.text.splitting.layout import flatten
from commonground.text.splitting.sentences import Sentence, sentences, split

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_ALTERNATIVES = 8


def alternatives(clauses: list[Clause]) -> list[frozenset[int]]:
    """Sets of clauses, by number, that are split off while the others stay in their hosts.

    The finest comes first. With up to three clauses to split off, these are all the sets there
    are. With more there are too many, and the first eight of this list are taken: all; all up to
    a depth (main clauses last); all but one, the deepest first; one alone.
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
    """A clause, maybe in several pieces.

    Attributes:
        text: Its words in their original order, with single spaces.
        spans: Where the pieces are in the source, in order; words that it shares with another
            segment, such as a subject of two verbs, are among them.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SegmentedSentence:
    """A sentence and the ways to cut it.

    Attributes:
        sentence: The sentence.
        segmentations: First the whole sentence as one segment; then, where it has more than one
            clause, the alternatives, the finest first.
    """

    sentence: Sentence
    segmentations: tuple[tuple[Segment, ...], ...]

    @property
    def finest(self) -> tuple[Segment, ...]:
        """The segments of the finest segmentation: the whole sentence where it has one clause."""
        return self.segmentations[min(1, len(self.segmentations) - 1)]


def segment(text: str | Sequence[str]) -> list[SegmentedSentence]:
    """Cut the sentences of a text into clauses, one for every tensed verb phrase.

    Offsets count from the start of the text; in a list of sentences, which is taken as it is,
    from the start of each. `docs/clauses.md` has the rules. English only: other languages are
    parsed as if they were English.

    Example:
        >>> (found,) = segment("The mayor opened the bridge and thanked the workers.")
        >>> [part.text for part in found.segmentations[1]]
        ['The mayor opened the bridge and', 'The mayor thanked the workers.']

    Raises:
        InputError: Neither a `str` nor a sequence of them.
    """
    return segment_all([text])[0]


def segment_all(texts: Iterable[str | Sequence[str]]) -> list[list[SegmentedSentence]]:
    """`segment` for many texts with one batched parse; each comes out as it would alone."""
    if isinstance(texts, str):
        raise InputError("segment_all takes a list of texts; use segment for one text")
    read = [_sentences(text) for text in texts]
    docs = iter(parse([sentence.text for found in read for sentence in found]))
    return [[_segmented(sentence, next(docs)) for sentence in found] for found in read]


def _sentences(text: str | Sequence[str]) -> list[Sentence]:
    if isinstance(text, str):
        return split(text)
    return [_stripped(entry) for entry in sentences(text)]


def _stripped(entry: str) -> Sentence:
    flat = flatten(entry)
    start, end = len(flat) - len(flat.lstrip()), len(flat.rstrip())
    return Sentence(entry[start:end], start, end)


def _segmented(sentence: Sentence, doc: "Doc") -> SegmentedSentence:
    whole = Segment(_words(sentence.text), ((sentence.start, sentence.end),))
    if len(sentence.text) > LONGEST:
        return SegmentedSentence(sentence, ((whole,),))
    tree = Tree(doc, places(sentence.text))
    clauses = find_clauses(tree)
    cuts = (_cut(sentence, tree, clauses, apart) for apart in alternatives(clauses))
    return SegmentedSentence(sentence, ((whole,), *cuts))


def _cut(
    sentence: Sentence, tree: Tree, clauses: list[Clause], apart: frozenset[int]
) -> tuple[Segment, ...]:
    """The segments of one segmentation, in the order of the first word of their own."""
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
    pieces = [(tree.starts[run[0]], tree.ends[run[-1]]) for run in _runs(tokens)]
    text = ""
    for start, end in pieces:
        # A full stop follows whatever comes to stand before it; a word keeps its distance.
        before, first = sentence.text[start - 1 : start], sentence.text[start]
        leans = bool(before.strip()) and not first.isalnum()
        text += ("" if leans or not text else " ") + _words(sentence.text[start:end])
    return Segment(text, tuple((sentence.start + s, sentence.start + e) for s, e in pieces))


def _runs(tokens: set[int]) -> list[list[int]]:
    """The tokens in order, in runs that follow on one another."""
    runs: list[list[int]] = []
    for token in sorted(tokens):
        if runs and runs[-1][-1] == token - 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _words(text: str) -> str:
    return " ".join(flatten(text).split())
