"""A text as ROUGE sees it, and what each type of ROUGE counts as matched between two texts."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

from commonground.errors import unknown_name
from commonground.metrics.rouge.lcs import Positions, lcs_length
from commonground.metrics.texts import CheckedText
from commonground.score import PRF
from commonground.text import stem

DEFAULT_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

# Counts of n-grams: a 1-gram is the token itself, longer ones are tuples of tokens.
NGrams: TypeAlias = Counter[Hashable]

_NGRAM_TYPE = re.compile("rouge([1-9][0-9]{0,8})")
_SHORTEST_STEMMED = 4


class Vocabulary(dict[str, int]):
    """A number for each token; with stemming, tokens of one stem share it.

    Numbers, because rapidfuzz compares hashes and those of whole numbers never collide; and so
    that a token is stemmed only once. Tokens of up to three letters and those that are not
    ASCII are their own stems.
    """

    def __init__(self, stemmer: bool) -> None:
        super().__init__()
        self._stemmer = stemmer
        self._numbers: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        stems = self._stemmer and len(token) >= _SHORTEST_STEMMED and token.isascii()
        form = stem(token) if stems else token
        number = self[token] = self._numbers.setdefault(form, len(self._numbers))
        return number


@dataclass(frozen=True)
class Reading:
    """A text: the tokens of each non-empty sentence, all tokens, and n-grams by length.

    `ngrams` always has length 1. Only ROUGE-Lsum needs the two properties.
    """

    sentences: list[list[int]]
    tokens: list[int]
    ngrams: dict[int, NGrams]

    @cached_property
    def positions(self) -> list[Positions]:
        """The positions of the tokens of each sentence."""
        return [Positions.find(sentence) for sentence in self.sentences]

    @cached_property
    def repeated(self) -> dict[Hashable, int]:
        """The counts of tokens that occur more than once."""
        return {token: count for token, count in self.ngrams[1].items() if count > 1}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads texts that are compared with each other.

    Args:
        tokenize: From a string to its tokens.
        vocabulary: Shared by all texts that are compared.
        lengths: Of the n-grams to count, including 1.
    """

    tokenize: Callable[[str], list[str]]
    vocabulary: Vocabulary
    lengths: Set[int]

    def read(self, text: CheckedText) -> Reading:
        """Tokenise and count. Each line of a string is a sentence, as in rouge-score."""
        lines = text.split("\n") if isinstance(text, str) else text
        number = self.vocabulary.__getitem__
        sentences = [list(map(number, words)) for line in lines if (words := self.tokenize(line))]
        tokens = list(chain.from_iterable(sentences))
        return Reading(sentences, tokens, {n: _ngrams(tokens, n) for n in self.lengths})


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of ROUGE: its name, and for ROUGE-N the length of its n-grams."""

    name: str
    length: int | None

    @classmethod
    def parse(cls, name: object) -> "Kind":
        """Return the type of that name, or raise an error that suggests the nearest one."""
        if name in ("rougeL", "rougeLsum"):
            return cls(str(name), None)
        match = _NGRAM_TYPE.fullmatch(str(name))
        if not match:
            raise unknown_name("ROUGE type", str(name), DEFAULT_TYPES)
        return cls(match[0], int(match[1]))

    def compare(self, prediction: Reading, reference: Reading) -> PRF:
        """Score a prediction against one reference; 0 if either has no tokens."""
        if self.length:
            ours, theirs = prediction.ngrams[self.length], reference.ngrams[self.length]
            shared = ours.keys() & theirs.keys()
            matched = sum(map(min, map(ours.__getitem__, shared), map(theirs.__getitem__, shared)))
        elif self.name == "rougeL":
            matched = lcs_length(prediction.tokens, reference.tokens)
        else:
            matched = _union_lcs(prediction, reference)
        if not matched:
            return PRF(0.0, 0.0, 0.0)
        fewer = (self.length or 1) - 1
        return PRF.of(
            matched / (len(prediction.tokens) - fewer), matched / (len(reference.tokens) - fewer)
        )


def _ngrams(tokens: Sequence[int], length: int) -> NGrams:
    if length == 1:
        return Counter(tokens)
    if length > len(tokens):
        return Counter()
    return Counter(zip(*(tokens[start:] for start in range(length)), strict=False))


def _union_lcs(prediction: Reading, reference: Reading) -> int:
    """Count the reference's tokens on a common subsequence with any sentence of the prediction.

    As in ROUGE 1.5.5, a token counts no more often than the prediction has it.
    """
    if len(prediction.sentences) == len(reference.sentences) == 1:
        return lcs_length(prediction.tokens, reference.tokens)
    paths = []
    for positions in reference.positions:
        union = 0
        for sentence in prediction.sentences:
            union |= positions.on_path(sentence)
        paths.append(union)
    matched = sum(path.bit_count() for path in paths)
    for token, count in reference.repeated.items():
        available = prediction.ngrams[1].get(token, count)
        if available < count:
            on_paths = zip(paths, reference.positions, strict=True)
            used = sum((path & where.of.get(token, 0)).bit_count() for path, where in on_paths)
            matched -= max(0, used - available)
    return matched
