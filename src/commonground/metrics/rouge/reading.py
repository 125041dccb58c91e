"""A text as ROUGE sees it, from its tokens to what each type of ROUGE matches in another text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

from rapidfuzz.distance import LCSseq

from commonground.errors import unknown_name
from commonground.metrics.rouge.paths import Positions, Wordings
from commonground.metrics.rouge.weighted import WEIGHT, unweighted, weighted_lcs
from commonground.metrics.texts import CheckedText
from commonground.score import PRF
from commonground.text import stem

DEFAULT_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

# Counts of n-grams: a 1-gram is the token itself, longer ones are tuples of tokens.
NGrams: TypeAlias = Counter[Hashable]

_NGRAM_TYPE = re.compile("rouge([1-9][0-9]{0,8})")
_SKIP_TYPE = re.compile("rougeS(U?)([0-9]{1,3})")
_SHORTEST_STEMMED = 4

_ASCII_WORD = re.compile("[a-z0-9]+")

# Scripts that put no space between words (line-breaking class ID or SA of UAX #14), by block.
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)),  # Thai and Lao, Myanmar, Khmer
    *((0x1950, 0x19DF), (0x1A20, 0x1AAF)),  # Tai Le and New Tai Lue, Tai Tham
    *((0x3005, 0x3007), (0x3021, 0x3029)),  # ideographic iteration mark and zero, Hangzhou
    *((0x3031, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF)),  # Hiragana, Katakana, Bopomofo
    *((0x3400, 0x4DBF), (0x4E00, 0xA4CF), (0xF900, 0xFAFF)),  # Han, Yi
    *((0xA9E0, 0xA9FF), (0xAA60, 0xAADF)),  # Myanmar, Tai Viet
    *((0x11700, 0x1174F), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF)),  # Ahom, Kana, Han
)

# Soft hyphen, joiners, direction marks, byte order mark, variation selectors: they change how
# a word looks, not which word it is.
_INVISIBLE = dict.fromkeys(
    chain(
        *((0x00AD, 0x034F, 0x061C, 0xFEFF), range(0x180B, 0x1810), range(0x200C, 0x2010)),
        *(range(0x202A, 0x202F), range(0x2060, 0x2070), range(0xFE00, 0xFE10)),
        range(0xE0100, 0xE01F0),
    )
)


def ascii_tokens(text: str) -> list[str]:
    """Return runs of a-z and 0-9 in the lower-cased text, as rouge-score does.

    Example:
        >>> ascii_tokens("Don't panic: 42 cafés!")
        ['don', 't', 'panic', '42', 'caf', 's']
    """
    return _ASCII_WORD.findall(text.lower())


def unicode_tokens(text: str) -> list[str]:
    """Return runs of letters, digits and marks in any script, NFKC-normalised and case-folded.

    In scripts without spaces each letter with its marks is a token. On ASCII text the tokens
    are those of `ascii_tokens`.

    Example:
        >>> unicode_tokens("Don't panic: 42 cafés! 東京です")
        ['don', 't', 'panic', '42', 'cafés', '東', '京', 'で', 'す']
    """
    if text.isascii():
        return ascii_tokens(text)
    folded = unicodedata.normalize("NFKC", text.translate(_INVISIBLE)).casefold()
    # Case folding can leave a sequence that is no longer composed.
    folded = unicodedata.normalize("NFKC", folded)
    classes = folded.translate(_CLASSES)
    return [folded[word.start() : word.end()] for word in _CLASSED_WORD.finditer(classes)]


class _CharacterClasses(dict[int, str]):
    """The class of each character, for `str.translate`.

    w: letter or digit, m: mark, u: letter of a script without spaces, blank: the rest.
    """

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))[0]
        kind = {"L": "w", "N": "w", "M": "m"}.get(category, " ")
        if category == "L" and any(first <= code <= last for first, last in _UNSPACED):
            kind = "u"
        self[code] = kind
        return kind


_CLASSES = _CharacterClasses()
_CLASSED_WORD = re.compile("um*|w[wm]*")

TOKENIZERS: Final[dict[str, Callable[[str], list[str]]]] = {
    "ascii": ascii_tokens,
    "unicode": unicode_tokens,
}


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

    `ngrams` always has length 1. Only ROUGE-Lsum needs the properties.
    """

    sentences: list[list[int]]
    tokens: list[int]
    ngrams: dict[int, NGrams]
    skips: dict[int, NGrams] = field(default_factory=dict)

    def skip_bigrams(self, gap: int) -> NGrams:
        """Return the pairs of tokens in order with at most `gap` tokens between them."""
        if gap not in self.skips:
            tokens = self.tokens
            pairs = (zip(tokens, tokens[step:], strict=False) for step in range(1, gap + 2))
            self.skips[gap] = Counter(chain.from_iterable(pairs))
        return self.skips[gap]

    @cached_property
    def positions(self) -> list[Positions]:
        """The positions of the tokens of each sentence."""
        return [Positions.find(sentence) for sentence in self.sentences]

    @cached_property
    def wordings(self) -> Wordings:
        """The sentences by their tokens."""
        return Wordings.find(self.sentences)

    @cached_property
    def repeated(self) -> dict[int, int]:
        """The counts of tokens that occur more than once."""
        return {token: count for token, count in Counter(self.tokens).items() if count > 1}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads texts that are compared with each other; `lengths` of n-grams include 1."""

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
    """A type of ROUGE: its name, the length of its n-grams, the gap of its skip-bigrams."""

    name: str
    length: int | None = None
    gap: int | None = None
    unigrams: bool = False

    @classmethod
    def parse(cls, name: object) -> "Kind":
        """Return the type of that name, or raise an error that suggests the nearest one."""
        if name in ("rougeL", "rougeLsum", "rougeW"):
            return cls(str(name))
        if skip := _SKIP_TYPE.fullmatch(str(name)):
            return cls(skip[0], gap=int(skip[2]), unigrams=bool(skip[1]))
        match = _NGRAM_TYPE.fullmatch(str(name))
        if not match:
            raise unknown_name("ROUGE type", str(name), (*DEFAULT_TYPES, "rougeSU4", "rougeW"))
        return cls(match[0], int(match[1]))

    def compare(self, prediction: Reading, reference: Reading) -> PRF:
        """Score a prediction against one reference; 0 if either has no tokens."""
        if self.gap is not None:
            return self._skipping(prediction, reference)
        if self.name == "rougeW":
            return _weighted(prediction.tokens, reference.tokens)
        if self.length:
            matched = _shared(prediction.ngrams[self.length], reference.ngrams[self.length])
        elif self.name == "rougeL":
            matched = LCSseq.similarity(prediction.tokens, reference.tokens)
        else:
            matched = _union_lcs(prediction, reference)
        if not matched:
            return PRF(0.0, 0.0, 0.0)
        fewer = (self.length or 1) - 1
        return PRF.of(
            matched / (len(prediction.tokens) - fewer), matched / (len(reference.tokens) - fewer)
        )

    def _skipping(self, prediction: Reading, reference: Reading) -> PRF:
        """Count skip-bigrams and, in ROUGE-SU, single tokens."""
        ours, theirs = (text.skip_bigrams(self.gap or 0) for text in (prediction, reference))
        matched, sizes = _shared(ours, theirs), [ours.total(), theirs.total()]
        if self.unigrams:
            matched += _shared(prediction.ngrams[1], reference.ngrams[1])
            sizes = [sizes[0] + len(prediction.tokens), sizes[1] + len(reference.tokens)]
        return PRF.of(matched / sizes[0], matched / sizes[1]) if matched else PRF(0.0, 0.0, 0.0)


def _shared(ours: NGrams, theirs: NGrams) -> int:
    shared = ours.keys() & theirs.keys()
    return sum(map(min, map(ours.__getitem__, shared), map(theirs.__getitem__, shared)))


def _weighted(ours: Sequence[int], theirs: Sequence[int]) -> PRF:
    matched = weighted_lcs(ours, theirs)
    if not matched:
        return PRF(0.0, 0.0, 0.0)
    return PRF.of(*(unweighted(matched / len(side) ** WEIGHT) for side in (ours, theirs)))


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
        return LCSseq.similarity(prediction.tokens, reference.tokens)
    paths = [prediction.wordings.union(positions) for positions in reference.positions]
    matched = sum(path.bit_count() for path in paths)
    for token, count in reference.repeated.items():
        available = prediction.ngrams[1].get(token, count)
        if available < count:
            on_paths = zip(paths, reference.positions, strict=True)
            used = sum((path & where.of.get(token, 0)).bit_count() for path, where in on_paths)
            matched -= max(0, used - available)
    return matched
