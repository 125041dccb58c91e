"""The SEM-F1 metric: texts to sentences, sentences to vectors, vectors to scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum, sqrt
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.encoders import Encoder, load, shown
from commonground.errors import InputError, check_known
from commonground.metrics.base import PARTS, Metric
from commonground.metrics.labels import DEFAULT_THRESHOLDS, Thresholds, thresholds_of
from commonground.metrics.semf1.item import (
    COLUMNS,
    Item,
    SemF1Corpus,
    SemF1Score,
    SentenceVectors,
    score_item,
)
from commonground.metrics.texts import (
    CheckedPair,
    Text,
    check_corpus,
    check_references,
    check_text,
    split_used,
)
from commonground.plain import Plain
from commonground.score import PRF, Interval, Progress, Signature
from commonground.text import SPLITTERS, sentences

_ENCODED_AT_ONCE = 512  # sentences between two calls of `progress`


DRAWS = 10  # of the random baselines


@dataclass(frozen=True, slots=True, repr=False)
class Baseline(Plain):
    """A random baseline (section 6.2 of the paper): means over all items and draws.

    A useful metric scores real outputs far above both baselines.

    Attributes:
        kind: "random-reference" or "random-output".
        deviation: Standard deviation of the draws' mean F1; 0 for one draw.
        signature: That of the metric, with the kind, the draws and the seed.
    """

    kind: str
    mean: PRF
    deviation: float
    draws: int
    signature: Signature

    def __repr__(self) -> str:
        return f"Baseline({self.kind}, mean={self.mean!r}, signature='{self.signature}')"


class SemF1(Metric[SemF1Score, SemF1Corpus]):
    """SEM-F1: the similarity of a summary's sentences and the references', in both directions.

    Args:
        encoder: A name that `commonground.encoders.load` knows, or an encoder.
        thresholds: The similarities from which a sentence is partially present and present: a
            pair such as "35-65" (see `PRESETS`), or two similarities. Only the labels, and the
            scores from labels, depend on it.
        splitter: "layout" ends sentences also at bullets, headings and paragraphs; "punkt" only
            at punctuation, as for published scores.

    Example:
        >>> measure = SemF1()
        >>> score = measure.score("The dam broke.", ["The dam burst.", "The dam gave way."])
        >>> score.sentences[0].label
        'P'
    """

    name = "sem-f1"
    columns = COLUMNS
    main_columns: Mapping[str, str] = MappingProxyType({"sem-f1": "f1"})
    has_baselines = True
    corpus_settings = MappingProxyType({"agg": "mean-f1"})

    def __init__(
        self,
        encoder: str | Path | Encoder = DEFAULT_ENCODER,
        *,
        thresholds: str | tuple[float, float] | Thresholds = DEFAULT_THRESHOLDS,
        splitter: str = "layout",
    ) -> None:
        check_known("splitter", SPLITTERS, splitter)
        self.splitter = splitter
        self.thresholds = thresholds_of(thresholds)
        self.encoder = load(str(encoder)) if isinstance(encoder, str | Path) else encoder
        if not isinstance(self.encoder, Encoder):
            raise InputError(f"encoder must be a name or an encoder, not {encoder!r}")

    def __repr__(self) -> str:
        return (
            f"SemF1(encoder={self.encoder.name!r}, thresholds={str(self.thresholds)!r}, "
            f"splitter={self.splitter!r})"
        )

    def score(self, prediction: Text, references: Sequence[Text]) -> SemF1Score:
        """Score one summary against its references."""
        pair = check_text(prediction), check_references(references)
        return self.score_all({"": [pair]}, None)[""][0]

    def score_all(
        self, pairs: Mapping[str, Sequence[CheckedPair]], progress: Progress | None
    ) -> dict[str, list[SemF1Score]]:
        """Score all items; every sentence is split and encoded once.

        `progress` is called with the number of sentences encoded so far and in all.
        """
        # The same references come back for every system.
        split = cache(lambda text: tuple(sentences(text, self.splitter)))
        items = {
            system: [Item(split(text), tuple(map(split, references))) for text, references in group]
            for system, group in pairs.items()
        }
        vectors = self._encode([item for group in items.values() for item in group], progress)
        return {
            system: [self._score(*p, vectors) for p in zip(pairs[system], group, strict=True)]
            for system, group in items.items()
        }

    def combine(
        self,
        items: tuple[SemF1Score, ...],
        mean: Mapping[str, float],
        interval: Mapping[str, Interval],
        signature: Signature,
    ) -> SemF1Corpus:
        """Return means of both kinds, from similarities and from labels."""
        return SemF1Corpus(
            items=items,
            mean=PRF(*(mean[part] for part in PARTS)),
            f1_of_means=PRF.of(mean["precision"], mean["recall"]).f1,
            labelled=PRF(*(mean[f"labelled.{part}"] for part in PARTS)),
            interval=interval["f1"],
            signature=signature,
        )

    def signature(self, prediction: Text, references: Sequence[Text]) -> Signature:
        """Return all that the score of a prediction depends on besides the texts."""
        return Signature.of(
            "SEM-F1",
            enc=shown(self.encoder),
            split=split_used(prediction, references, SPLITTERS[self.splitter]),
            labels=str(self.thresholds),
            refs=str(len(references)),
        )

    def baselines(
        self,
        predictions: Sequence[Text],
        references: Sequence[Sequence[Text]],
        *,
        draws: int,
        seed: int = 0,
    ) -> Sequence[Baseline]:
        """Return both random baselines of the paper."""
        return [
            baseline(self, predictions, references, draws=draws, seed=seed)
            for baseline in (random_reference, random_output)
        ]

    @classmethod
    def cells(cls, corpus: Mapping[str, Any]) -> dict[str, str]:
        """Return the mean F1 with its interval, and what it comes from."""
        mean, interval = corpus["mean"], corpus["interval"]
        return {
            "SEM-F1": f"{mean['f1']:.3f}",
            "95% interval": f"{interval['low']:.3f}-{interval['high']:.3f}",
            "precision": f"{mean['precision']:.3f}",
            "recall": f"{mean['recall']:.3f}",
            "F1 of means": f"{corpus['f1_of_means']:.3f}",
            "of labels": f"{corpus['labelled']['f1']:.3f}",
        }

    def _score(self, pair: CheckedPair, item: Item, vectors: SentenceVectors) -> SemF1Score:
        cosine, labelled, matched, recalled = score_item(item, vectors, self.thresholds)
        numbers = (cosine.f1, cosine.precision, cosine.recall, labelled)
        return SemF1Score(*numbers, matched, recalled, self.signature(*pair))

    def _encode(self, items: Sequence[Item], progress: Progress | None) -> SentenceVectors:
        unique = sorted({s for item in items for s in item.sentences()}, key=lambda s: (len(s), s))
        matrix = np.zeros((len(unique), 0), dtype=np.float32)
        at_once = getattr(self.encoder, "texts_at_once", _ENCODED_AT_ONCE)  # more on a GPU
        for start in range(0, len(unique), at_once):
            batch = unique[start : start + at_once]
            vectors = self.encoder.encode(batch)
            if start == 0:
                matrix = np.empty((len(unique), vectors.shape[1]), dtype=np.float32)
            matrix[start : start + len(batch)] = vectors
            if progress:
                progress(start + len(batch), len(unique))
        return SentenceVectors({sentence: row for row, sentence in enumerate(unique)}, matrix)


def random_reference(
    measure: SemF1,
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Baseline:
    """Score each output against one reference drawn from the other events' references.

    `predictions` are one system's outputs, one for each event; the means are over `draws`.
    """
    pairs = _events(predictions, references, draws)
    pool = [
        (event, text)
        for event, (_, texts) in enumerate(pairs)
        for text in texts
        if sentences(text, measure.splitter)
    ]
    if len({event for event, _ in pool}) < 2:
        raise InputError("a random reference needs two events with references that are not empty")
    owners = np.array([event for event, _ in pool])
    generator = np.random.default_rng(seed)
    drawn = [
        [pool[int(generator.choice(np.flatnonzero(owners != event)))][1]]
        for _ in range(draws)
        for event in range(len(pairs))
    ]
    outputs = [prediction for prediction, _ in pairs] * draws
    return _baseline("random-reference", measure, outputs, drawn, draws, seed)


def random_output(
    measure: SemF1,
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Baseline:
    """Score the same system's output for another event against the event's own references.

    The arguments are those of `random_reference`.
    """
    pairs = _events(predictions, references, draws)
    count = len(pairs)
    generator = np.random.default_rng(seed)
    # A shift by 1 to count - 1 reaches every other event with equal probability.
    steps = generator.integers(1, count, size=(draws, count))
    drawn = ((np.arange(count) + steps) % count).ravel()
    outputs = [pairs[int(other)][0] for other in drawn]
    targets = [texts for _, texts in pairs] * draws
    return _baseline("random-output", measure, outputs, targets, draws, seed)


def _events(
    predictions: Sequence[Text], references: Sequence[Sequence[Text]], draws: int
) -> list[CheckedPair]:
    if draws < 1:
        raise InputError(f"draws must be at least 1, not {draws}")
    pairs = check_corpus(predictions, references)
    if len(pairs) < 2:
        raise InputError("a random baseline needs at least two events")
    return pairs


def _baseline(
    kind: str,
    measure: SemF1,
    predictions: Sequence[Text],
    references: Sequence[Sequence[Text]],
    draws: int,
    seed: int,
) -> Baseline:
    corpus = measure.corpus(predictions, references)
    by_draw = np.array([item.f1 for item in corpus.items]).reshape(draws, -1).mean(axis=1)
    centre = fsum(by_draw) / draws
    variance = fsum((value - centre) ** 2 for value in by_draw) / max(draws - 1, 1)
    fields = {key: value for key, value in corpus.signature.fields if key not in ("boot", "v")}
    fields |= {"base": kind, "draws": str(draws), "seed": str(seed)}
    signature = Signature.of(corpus.signature.measure, **fields)
    return Baseline(kind, corpus.mean, sqrt(variance), draws, signature)
