"""The overlap as common topics: the product of the narratives' topic distributions.

Topics are fitted by probabilistic latent semantic analysis: every word of a sentence comes from a
topic, a topic is a distribution over words, and a sentence has its own mixture of topics. This
equals a factorisation of the counts that minimises the Kullback-Leibler divergence. scikit-learn's
NMF does so too, but updates the factors in turn and often ends in another local optimum.

Why not LDA: the texts are short, so its priors outweigh a dozen sentences and its topics depend on
the seed. Here nothing is random: topics start at sentences that are central and differ.
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
from commonground.narratives.texts import Narratives, named_narratives, sentence_words
from commonground.plain import Plain
from commonground.score import Signature
from commonground.text import SPLITTERS, stem, unmarked
from commonground.wording import STOP_WORDS

Floats = NDArray[np.float64]

NOTHING: Final = "The narratives have no topic in common."

_ROUNDS = 200
_TOLERANCE = 1e-6  # converged when no share changes more
_BACKGROUND = 0.01  # uniform part of the initial topics
_ZERO = 1e-6  # smaller shares are rounding errors
_MAX_TOPICS = 10  # by default
_PRINTED_WORDS = 8  # of each topic
_MIN_PROBABILITY = 1e-6  # of a word of a topic


def _fit(sentences: Sequence[Sequence[int]], vocabulary: int, topics: int) -> tuple[Floats, Floats]:
    """Fit topics; return P(topic | sentence) and P(word | topic).

    Args:
        sentences: Word indices of each sentence, at least one, in canonical order.
        vocabulary: Number of words.
        topics: Maximum number of topics; similar sentences give fewer.
    """
    rows = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
    columns = np.concatenate([np.asarray(words) for words in sentences])
    counts = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(sentences), vocabulary))
    counts.sum_duplicates()
    rows = np.repeat(np.arange(len(sentences)), np.diff(counts.indptr))
    words = _initial_topics(counts, topics)
    shares = np.full((len(sentences), len(words)), 1 / len(words))
    for _ in range(_ROUNDS):
        # One step of expectation maximisation.
        expected = np.einsum("ij,ji->i", shares[rows], words[:, counts.indices])
        ratio = csr_array((counts.data / expected, counts.indices, counts.indptr), counts.shape)
        before, shares = shares, _shares(shares * (ratio @ words.T))
        words = _shares(words * (ratio.T @ before).T)
        if np.abs(shares - before).max() < _TOLERANCE:
            break
    return _shares(np.where(shares < _ZERO, 0.0, shares)), words


def _initial_topics(counts: Any, topics: int) -> Floats:
    """Start topics at sentences that are central and unlike those chosen before."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    rows = counts.multiply(np.log((1 + counts.shape[0]) / (1 + frequency)) + 1).tocsr()
    rows = csr_array(rows.multiply(1 / np.sqrt(rows.multiply(rows).sum(axis=1))[:, None]))
    central = rows @ np.asarray(rows.sum(axis=0)).ravel()
    nearest = np.zeros(counts.shape[0])
    started: list[Floats] = []
    while len(started) < topics:
        # Rounded, so that the first of equal sentences is chosen.
        worth = np.round(central * (1 - nearest), 9)
        if worth.max() <= 0:
            break
        chosen = int(worth.argmax())
        likeness = rows @ rows[[chosen]].toarray().ravel()
        nearest = np.maximum(nearest, likeness)
        nearest[chosen] = 1
        started.append(counts.T @ likeness)
    initial = _shares(np.array(started))
    return np.asarray((1 - _BACKGROUND) * initial + _BACKGROUND / counts.shape[1])


def _shares(rows: Floats) -> Floats:
    """Divide each row by its sum."""
    totals = rows.sum(axis=1, keepdims=True)
    return np.asarray(rows / np.where(totals > 0, totals, 1))


@dataclass(frozen=True, slots=True)
class TopicWord(Plain):
    """A word of a topic, in its most frequent form, with its probability in the topic."""

    word: str
    probability: float


@dataclass(frozen=True, slots=True)
class Topic(Plain):
    """A topic and its share of each narrative.

    Attributes:
        words: Its words, most likely first.
        shares: Its probability in each narrative, P(T | D), in their order.
        product: The product of the shares: P(T | D1) x P(T | D2) x ...
        normalised: The product divided by the sum of the products of all topics.
    """

    words: tuple[TopicWord, ...]
    shares: tuple[float, ...]
    product: float
    normalised: float


@dataclass(frozen=True, slots=True, repr=False)
class CommonTopics(Plain):
    """The result of `common_topics`: all topics, most common first.

    Attributes:
        topics: The topics; a topic that a narrative lacks has a product of 0.
        narratives: The narratives in the caller's order.
        signature: Everything the result depends on.
    """

    topics: tuple[Topic, ...]
    narratives: tuple[Narrative, ...]
    signature: Signature

    @property
    def agreement(self) -> float:
        """The probability that random words, one from each narrative, share a topic."""
        return sum(topic.product for topic in self.topics)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {"agreement": self.agreement, **Plain.to_dict(self)}

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
            words = ", ".join(word.word for word in topic.words[:_PRINTED_WORDS])
            lines.append(f"{topic.normalised:>10.3f}  {topic.product:>7.2g}  {shares}  {words}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOverlaps:
    """Finds the topics that narratives share; reusable form of `common_topics`.

    Attributes:
        topics: Number of topics (default: the square root of half the number of sentences, from
            2 to 10). Few or similar sentences give fewer.
    """

    topics: int | None = None

    def __post_init__(self) -> None:
        if self.topics is not None and self.topics < 1:
            raise InputError(f"topics must be 1 or more, not {self.topics}")

    def find(self, narratives: Narratives) -> CommonTopics:
        """Find the topics of two or more narratives; their order only sorts columns."""
        named = named_narratives(narratives)
        split = [sentence_words(unmarked(narrative.text)) for narrative in named]
        content = [[[w for w in words if w not in STOP_WORDS] for words in own] for own in split]
        texts = [list(filter(None, own)) for own in content]
        topics = self._topics(texts) if all(texts) else ()
        return CommonTopics(topics, named, self.signature(len(named)))

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
        return Signature.of(
            "OVERLAP",
            method="topics",
            topics="auto" if self.topics is None else str(self.topics),
            model="plsa",
            stem="porter",
            split=SPLITTERS["layout"],
            narratives=str(narratives),
        )

    def _topics(self, texts: Sequence[Sequence[Sequence[str]]]) -> tuple[Topic, ...]:
        spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word in (word for sentences in texts for words in sentences for word in words):
            spellings[stem(word)][word] += 1
        vocabulary = sorted(spellings)
        index_of = {stemmed: index for index, stemmed in enumerate(vocabulary)}
        # Sorted, so that the order of the narratives has no effect.
        sentences = sorted(
            (tuple(sorted(index_of[stem(word)] for word in words)), narrative)
            for narrative, own in enumerate(texts)
            for words in own
        )
        count = self.topics or max(2, min(_MAX_TOPICS, round(sqrt(len(sentences) / 2))))
        by_sentence, words = _fit([ids for ids, _ in sentences], len(vocabulary), count)
        lengths = np.array([len(ids) for ids, _ in sentences], dtype=np.float64)
        owners = np.array([narrative for _, narrative in sentences])
        by_narrative = [owners == narrative for narrative in range(len(texts))]
        shares = np.array(
            [lengths[own] @ by_sentence[own] / lengths[own].sum() for own in by_narrative]
        )
        forms = [min(spellings[s], key=lambda w: (-spellings[s][w], w)) for s in vocabulary]
        return _sorted_topics(shares, words, forms)


def common_topics(narratives: Narratives, *, topics: int | None = None) -> CommonTopics:
    """Return the topics of the narratives and how far they share them.

    The topic model is probabilistic latent semantic analysis, fitted to the sentences of all
    narratives; it needs no seed. P(T | D) is the share of a narrative's content words that come
    from each topic. See `TopicOverlaps` for the option.

    Raises:
        InputError: Fewer than two narratives, or fewer than one topic.

    Example:
        >>> left, right = "Rain fell. Heavy rain fell. Taxes rose.", "Rain fell. Schools closed."
        >>> topic = common_topics([left, right], topics=3).topics[0]
        >>> [word.word for word in topic.words], topic.product
        (['fell', 'rain', 'heavy'], 0.357...)
    """
    return TopicOverlaps(topics=topics).find(narratives)


def _sorted_topics(shares: Floats, words: Floats, forms: Sequence[str]) -> tuple[Topic, ...]:
    # Multiplied in order of size, so that rounding does not depend on the order of narratives.
    products = [prod(sorted(column)) for column in shares.T.tolist()]
    total = sum(products)
    topics = []
    for column, product, row in zip(shares.T.tolist(), products, words, strict=True):
        order = np.argsort(-np.round(row, 9), kind="stable")
        likely = [TopicWord(forms[i], float(row[i])) for i in order if row[i] > _MIN_PROBABILITY]
        normalised = product / total if total > 0 else 0.0
        topics.append(Topic(tuple(likely), tuple(column), product, normalised))
    return tuple(sorted(topics, key=lambda topic: -topic.product))
