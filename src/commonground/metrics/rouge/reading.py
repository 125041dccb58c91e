"""A text as ROUGE sees it: numbered tokens, sentence by sentence, and what is counted on them."""

from collections.abc import Callable, Hashable, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from commonground.metrics.rouge.lcs import Positions
from commonground.metrics.rouge.ngrams import NGrams, count_ngrams
from commonground.metrics.texts import CheckedText
from commonground.text import stem

_SHORTEST_STEMMED = 4


class Vocabulary(dict[str, int]):
    """A number for each token that is asked for; with stemming, tokens of one stem share it.

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
        number = self._numbers.setdefault(form, len(self._numbers))
        self[token] = number
        return number


@dataclass(frozen=True)
class Reading:
    """One text: the tokens of each sentence that has any, all tokens in a row, its n-grams.

    `ngrams` is by length and always has length 1. What only ROUGE-Lsum asks of a reference is
    worked out when it first does.
    """

    sentences: list[list[int]]
    tokens: list[int]
    ngrams: dict[int, NGrams]

    @cached_property
    def positions(self) -> list[Positions]:
        """Where the tokens stand, sentence by sentence."""
        return [Positions.find(sentence) for sentence in self.sentences]

    @cached_property
    def repeated(self) -> dict[Hashable, int]:
        """The tokens that occur more than once, with their counts."""
        return {token: count for token, count in self.ngrams[1].items() if count > 1}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads texts that are to be compared with each other.

    Args:
        tokenize: From a string to its tokens.
        vocabulary: Shared by all texts that are compared.
        lengths: Of the n-grams to count, 1 among them.
    """

    tokenize: Callable[[str], list[str]]
    vocabulary: Vocabulary
    lengths: Set[int]

    def read(self, text: CheckedText) -> Reading:
        """Tokenise and count. A string has a sentence a line, as in rouge-score."""
        lines = text.split("\n") if isinstance(text, str) else text
        number = self.vocabulary.__getitem__
        sentences = [list(map(number, words)) for line in lines if (words := self.tokenize(line))]
        tokens = list(chain.from_iterable(sentences))
        return Reading(sentences, tokens, {n: count_ngrams(tokens, n) for n in self.lengths})
