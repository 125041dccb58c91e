"""The overlap as common topics: the product of the narratives' topic distributions.

Topics are fitted by probabilistic latent semantic analysis, by expectation maximisation. Every
word of a sentence comes from a topic; a topic is a distribution over words, and a sentence has
its own mixture of topics. This is also the factorisation of the table of counts that
minimises the Kullback-Leibler divergence, which gives the short form of the update.

Chosen over LDA because the texts are short: the priors of LDA outweigh a dozen sentences, and its
topics then depend on the seed. Here nothing is drawn: topics start at sentences that are central
and unlike each other, so the same sentences give the same topics. And the share of a topic in a
text is simply the share of its words, a number that can be checked by hand.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from commonground.errors import InputError
from commonground.io import Narrative
from commonground.narratives.texts import STOP_WORDS, Narratives, named_narratives, sentence_words
from commonground.plain import Plain
from commonground.score import Signature
from commonground.text import SPLITTERS, stem, unmarked

Floats = NDArray[np.float64]

_ROUNDS = 200
_STILL = 1e-6  # no share of a sentence moves more in a round
_BACKGROUND = 0.01  # the part of every topic's start that all words share
_ZERO = 1e-6  # shares below are what rounding left of nothing


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """What was fitted.

    Attributes:
        shares: For each sentence the probability of each topic.
        words: For each topic the probability of each word.
    """

    shares: Floats
    words: Floats


def fit(sentences: Sequence[Sequence[int]], vocabulary: int, topics: int) -> Topics:
    """Fit topics to sentences, each given by the numbers of its words.

    Args:
        sentences: In an order that does not depend on the caller; each with at least one word.
        vocabulary: How many words there are.
        topics: How many topics at most; there are fewer where the sentences are not different
            enough to begin so many.
    """
    counts = _counts(sentences, vocabulary)
    words = _start(counts, topics)
    shares = np.full((len(sentences), len(words)), 1 / len(words))
    for _ in range(_ROUNDS):
        moved, words = _round(counts, shares, words)
        still = float(np.abs(moved - shares).max()) < _STILL
        shares = moved
        if still:
            break
    return Topics(_shares(np.where(shares < _ZERO, 0.0, shares)), words)


def _counts(sentences: Sequence[Sequence[int]], vocabulary: int) -> Any:
    rows = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
    columns = np.concatenate([np.asarray(words) for words in sentences])
    shape = (len(sentences), vocabulary)
    table = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    table.sum_duplicates()
    return table


def _start(counts: Any, topics: int) -> Floats:
    """Topics around sentences that resemble many others and none of those chosen before."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    rows = counts.multiply(np.log((1 + counts.shape[0]) / (1 + frequency)) + 1).tocsr()
    rows = csr_array(rows.multiply(1 / np.sqrt(rows.multiply(rows).sum(axis=1))[:, None]))
    central = rows @ np.asarray(rows.sum(axis=0)).ravel()
    nearest = np.zeros(counts.shape[0])
    started: list[Floats] = []
    while len(started) < topics:
        # Rounded, so that equals stay equal and the first of them is taken.
        worth = np.round(central * (1 - nearest), 9)
        if worth.max() <= 0:
            break
        chosen = int(worth.argmax())
        likeness = rows @ rows[[chosen]].toarray().ravel()
        nearest = np.maximum(nearest, likeness)
        nearest[chosen] = 1
        started.append(counts.T @ likeness)
    found = _shares(np.array(started))
    return np.asarray((1 - _BACKGROUND) * found + _BACKGROUND / counts.shape[1])


def _round(counts: Any, shares: Floats, words: Floats) -> tuple[Floats, Floats]:
    """One round of expectation and maximisation, for all topics at once."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    expected = np.einsum("ij,ji->i", shares[rows], words[:, counts.indices])
    ratio = csr_array((counts.data / expected, counts.indices, counts.indptr), shape=counts.shape)
    return _shares(shares * (ratio @ words.T)), _shares(words * (ratio.T @ shares).T)


def _shares(rows: Floats) -> Floats:
    totals = rows.sum(axis=1, keepdims=True)
    return np.asarray(rows / np.where(totals > 0, totals, 1))


NOTHING: Final = "The narratives have no topic in common."

_MOST = 10  # topics, where no number is asked for
_SHOWN = 8  # words of a topic in print
_RARE = 1e-6  # a word with less is not of the topic


@dataclass(frozen=True, slots=True)
class TopicWord(Plain):
    """A word of a topic, in the form that is met most often, and how likely the topic uses it."""

    word: str
    probability: float


@dataclass(frozen=True, slots=True)
class Topic(Plain):
    """A topic and how much of it is in every narrative.

    Attributes:
        words: Its words, the most likely first.
        shares: Its probability in each narrative, P(T | D), in the order of the narratives.
        product: The shares multiplied: P(T | D1) x P(T | D2) x ...
        normalised: The product as a part of the sum of the products of all topics.
    """

    words: tuple[TopicWord, ...]
    shares: tuple[float, ...]
    product: float
    normalised: float


@dataclass(frozen=True, slots=True, repr=False)
class CommonTopics:
    """What `common_topics` found: all topics, the most common first.

    Attributes:
        topics: The topics; one that some narrative does not touch has a product of 0.
        narratives: As they were given.
        signature: All that the result depends on.
    """

    topics: tuple[Topic, ...]
    narratives: tuple[Narrative, ...]
    signature: Signature

    @property
    def agreement(self) -> float:
        """The sum of the products: how likely words drawn one from each narrative share a topic."""
        return sum(topic.product for topic in self.topics)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "agreement": self.agreement,
            "topics": [topic.to_dict() for topic in self.topics],
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return (
            f"CommonTopics(topics={len(self.topics)}, agreement={self.agreement:.3f}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        common = [topic for topic in self.topics if topic.product > 0]
        if not common:
            return NOTHING
        heads = "  ".join(f"{number:>4}" for number in range(1, len(self.narratives) + 1))
        lines = [f"normalised  product  {heads}  words"]
        for topic in common:
            shares = "  ".join(f"{share:>4.2f}" for share in topic.shares)
            words = ", ".join(word.word for word in topic.words[:_SHOWN])
            lines.append(f"{topic.normalised:>10.3f}  {topic.product:>7.2g}  {shares}  {words}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOverlaps:
    """Finds the topics of narratives and how far they share them; `common_topics` does so once.

    Attributes:
        topics: How many topics; by default the square root of half the number of sentences, 2
            to 10. Sentences that are too few or too alike give fewer.

    Raises:
        InputError: Fewer than one topic.
    """

    topics: int | None = None

    def __post_init__(self) -> None:
        if self.topics is not None and self.topics < 1:
            raise InputError(f"topics must be 1 or more, not {self.topics}")

    def find(self, narratives: Narratives) -> CommonTopics:
        """Those of two or more narratives; their order only orders the columns of the result."""
        named = named_narratives(narratives)
        read = [_content(one.text) for one in named]
        found = self._found(read) if all(read) else ()
        return CommonTopics(found, named, self.signature(len(named)))

    def signature(self, narratives: int) -> Signature:
        """That of a result for so many narratives."""
        return Signature.of(
            "OVERLAP",
            method="topics",
            topics="auto" if self.topics is None else str(self.topics),
            model="plsa",
            stem="porter",
            split=SPLITTERS["layout"],
            narratives=str(narratives),
        )

    def _found(self, read: Sequence[Sequence[Sequence[str]]]) -> tuple[Topic, ...]:
        forms = _forms(read)
        number = {stemmed: place for place, stemmed in enumerate(sorted(forms))}
        # In an order of their own; a sentence said twice is two sentences.
        owned = sorted(
            (tuple(sorted(number[stem(word)] for word in words)), owner)
            for owner, sentences in enumerate(read)
            for words in sentences
        )
        count = self.topics or max(2, min(_MOST, round(sqrt(len(owned) / 2))))
        fitted = fit([words for words, _ in owned], len(number), count)
        shares = np.array([_share(fitted.shares, owned, owner) for owner in range(len(read))])
        return _topics(shares, fitted.words, [forms[key] for key in number])


def common_topics(narratives: Narratives, *, topics: int | None = None) -> CommonTopics:
    """The topics of the narratives and how far they share them.

    A topic model is fitted to the sentences of all narratives: probabilistic latent semantic
    analysis, which needs no seed (see the top of this module for why). The distribution of a
    narrative, P(T | D), is the share of its content words that come from each topic.
    `TopicOverlaps` says what the option means and serves many.

    Raises:
        InputError: Fewer than two narratives, or fewer than one topic.

    Example:
        >>> left, right = "Rain fell. Heavy rain fell. Taxes rose.", "Rain fell. Schools closed."
        >>> found = common_topics([left, right], topics=3)
        >>> [word.word for word in found.topics[0].words], found.topics[0].product
        (['fell', 'rain', 'heavy'], 0.357...)
    """
    return TopicOverlaps(topics=topics).find(narratives)


def _content(text: str) -> list[tuple[str, ...]]:
    """The words of each sentence that tell something, of the sentences that have any."""
    found = (
        tuple(word for word in words if word not in STOP_WORDS)
        for words in sentence_words(unmarked(text))
    )
    return [words for words in found if words]


def _forms(read: Sequence[Sequence[Sequence[str]]]) -> dict[str, str]:
    """For each stem the word that has it most often."""
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentences in read:
        for words in sentences:
            for word in words:
                met[stem(word)][word] += 1
    return {
        stemmed: min(words, key=lambda word: (-words[word], word)) for stemmed, words in met.items()
    }


def _share(shares: Floats, owned: Sequence[tuple[Sequence[int], int]], owner: int) -> Floats:
    """The topics of a narrative: those of its sentences, by their numbers of words."""
    mine = [place for place, (_, other) in enumerate(owned) if other == owner]
    weights = np.array([len(owned[place][0]) for place in mine], dtype=np.float64)
    return np.asarray(weights @ shares[mine] / weights.sum())


def _topics(shares: Floats, words: Floats, forms: Sequence[str]) -> tuple[Topic, ...]:
    # Multiplied in order of size: floats would otherwise tell in which order narratives came.
    products = [prod(sorted(column)) for column in shares.T.tolist()]
    total = sum(products)
    found = []
    for column, product, row in zip(shares.T.tolist(), products, words, strict=True):
        normalised = product / total if total > 0 else 0.0
        found.append(Topic(_words(row, forms), tuple(column), product, normalised))
    return tuple(sorted(found, key=lambda topic: -topic.product))


def _words(row: Floats, forms: Sequence[str]) -> tuple[TopicWord, ...]:
    order = np.argsort(-np.round(row, 9), kind="stable")
    return tuple(TopicWord(forms[i], float(row[i])) for i in order if row[i] > _RARE)
