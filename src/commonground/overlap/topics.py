"""The overlap as common topics: the product of the narratives' topic distributions."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, Final

import numpy as np

from commonground._score import Signature
from commonground.errors import InputError
from commonground.io import Narrative
from commonground.overlap._texts import STOP_WORDS, Narratives, named_narratives, sentence_words
from commonground.overlap._topic_model import Floats, fit
from commonground.text import SPLITTERS
from commonground.text._markup import unmarked
from commonground.text._porter import stem

NOTHING: Final = "The narratives have no topic in common."

_MOST = 10  # topics, where no number is asked for
_SHOWN = 8  # words of a topic in print
_RARE = 1e-6  # a word with less is not of the topic


@dataclass(frozen=True, slots=True)
class TopicWord:
    """A word of a topic, in the form that is met most often, and how likely the topic uses it."""

    word: str
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {"word": self.word, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Topic:
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

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "words": [word.to_dict() for word in self.words],
            "shares": list(self.shares),
            "product": self.product,
            "normalised": self.normalised,
        }


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
    analysis, which needs no seed (see `overlap._topic_model` for why). The distribution of a
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
