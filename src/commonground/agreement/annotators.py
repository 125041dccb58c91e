"""Agreement between annotators, and of the labels that a metric infers with theirs."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np

from commonground.agreement.coefficients import (
    MEASUREMENTS,
    Estimate,
    Spread,
    cohen_kappa,
    krippendorff_alpha,
    mean_of,
)
from commonground.agreement.correlations import correlation
from commonground.agreement.labels import (
    SIDES,
    Place,
    Ratings,
    Sample,
    SentenceLabels,
    Side,
    reward,
)
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.frames import HasRows
from commonground.io import Event, Prediction
from commonground.metrics import PRESETS, REWARD, Metric, Thresholds, registry, thresholds_of
from commonground.plain import Plain, to_plain
from commonground.score import Progress
from commonground.text import sentences

_Item = TypeVar("_Item", bound=Hashable)


STATISTICS = ("tau", "kappa", "weighted_kappa", "reward")


@dataclass(frozen=True, slots=True)
class PairAgreement(Plain):
    """Agreement of two annotators on the items that both labelled.

    `tau` is Kendall's tau-b, the weights of `weighted_kappa` are linear, and `reward`, over
    summaries, is for sentence labels only.
    """

    first: str
    second: str
    tau: Estimate
    kappa: Estimate
    weighted_kappa: Estimate
    reward: Spread | None


@dataclass(frozen=True, slots=True)
class Agreement(HasRows):
    """Agreement of annotators on one quantity: a score, precision or recall.

    `alpha` is Krippendorff's, by level of measurement. There are `items` with a label, and
    `complete` ones that all annotators labelled.
    """

    quantity: str
    pairs: tuple[PairAgreement, ...]
    alpha: Mapping[str, Estimate]
    items: int
    complete: int

    def mean(self, statistic: str) -> float | None:
        """Return the mean over pairs of `tau`, `kappa`, `weighted_kappa` or `reward`."""
        values = [getattr(pair, statistic) for pair in self.pairs]
        return mean_of([v.mean if isinstance(v, Spread) else v.value for v in values if v])

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each pair of annotators."""
        return [
            {
                "quantity": self.quantity,
                "first": pair.first,
                "second": pair.second,
                "items": pair.tau.n,
                "tau": pair.tau.value,
                "kappa": pair.kappa.value,
                "weighted_kappa": pair.weighted_kappa.value,
                "reward": pair.reward.mean if pair.reward else None,
            }
            for pair in self.pairs
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "quantity": self.quantity,
            "items": self.items,
            "complete": self.complete,
            "pairs": to_plain(self.pairs),
            "mean": {name: self.mean(name) for name in STATISTICS},
            "alpha": to_plain(self.alpha),
        }


def annotator_agreement(labels: Ratings | SentenceLabels) -> tuple[Agreement, ...]:
    """Return the agreement on each quantity: the ratings, or the two sides of sentence labels.

    Sentence labels are pooled over the data set and count as P=1, PP=.5, A=0; for recall the
    sentences of all references of a summary are pooled.

    Raises:
        InputError: There is only one annotator.
    """
    if len(labels.annotators) < 2:
        raise InputError(
            f"agreement needs two annotators; the labels are all by {labels.annotators[0]!r}"
        )
    if isinstance(labels, Ratings):
        return tuple(_agreement(quantity, values) for quantity, values in labels.values.items())
    sides = {
        side: {name: labels.numbers(name, side) for name in labels.annotators} for side in SIDES
    }
    return tuple(
        _agreement(side, values, labels) for side, values in sides.items() if any(values.values())
    )


def _agreement(
    quantity: str, values: Mapping[str, Mapping[_Item, float]], labels: SentenceLabels | None = None
) -> Agreement:
    items = sorted({item for by_item in values.values() for item in by_item})  # type: ignore[type-var]
    table = np.array([[by_item.get(item, np.nan) for item in items] for by_item in values.values()])
    pairs = []
    for (first, x), (second, y) in combinations(zip(values, table, strict=True), 2):
        both = ~np.isnan(x + y)
        x, y = x[both], y[both]
        rewarded = [labels.side(name, quantity) for name in (first, second)] if labels else None
        pairs.append(
            PairAgreement(
                first,
                second,
                correlation(x, y, "kendall"),
                cohen_kappa(x, y),
                cohen_kappa(x, y, "linear"),
                reward(*rewarded) if rewarded else None,
            )
        )
    alpha = {str(level): krippendorff_alpha(table, level) for level in MEASUREMENTS}
    complete = int((~np.isnan(table)).all(axis=0).sum())
    return Agreement(quantity, tuple(pairs), alpha, len(items), complete)


class SampleText(NamedTuple):
    """The labelled sentences of a summary and its references."""

    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MachineAgreement(Plain):
    """Kendall's tau-b and the reward of a metric, with one encoder and thresholds, by annotator."""

    encoder: str
    thresholds: str
    side: Side
    mean_tau: float | None
    mean_reward: float | None
    tau: Mapping[str, Estimate]
    reward: Mapping[str, Spread]


def machine_agreement(
    labels: SentenceLabels,
    encoders: Sequence[str | Encoder],
    *,
    texts: Mapping[Sample, SampleText] | None = None,
    thresholds: Iterable[str | Thresholds] = tuple(PRESETS),
    progress: Progress | None = None,
) -> tuple[MachineAgreement, ...]:
    """Compare human labels with a metric's, for every encoder and pair of thresholds.

    The metric is the first in the registry that labels sentences. The sentences are `texts`, or
    those in the label files; the default thresholds are the papers'.
    """
    known = labelled_texts(labels) if texts is None else texts
    _check(labels, known)
    pairs = [thresholds_of(pair) for pair in thresholds]
    results = []
    for number, encoder in enumerate(encoders, start=1):
        metric: Any = registry.create(registry.labelling(), encoder=encoder)
        similarities = _similarities(metric, known)
        for pair in pairs:
            machine = {place: pair.label(value) for place, value in similarities.items()}
            for side in SIDES:
                taus, rewards = {}, {}
                for annotator in labels.annotators:
                    if human := labels.side(annotator, side):
                        taus[annotator] = correlation(
                            [REWARD[label] for label in human.values()],
                            [REWARD[machine[place]] for place in human],
                            "kendall",
                        )
                        rewards[annotator] = reward(human, machine)
                means = (
                    mean_of(tau.value for tau in taus.values()),
                    mean_of(spread.mean for spread in rewards.values()),
                )
                case = (metric.encoder.name, str(pair), side)
                results.append(MachineAgreement(*case, *means, taus, rewards))
        if progress:
            progress(number, len(encoders))
    return tuple(result for result in results if result.tau)


def labelled_texts(labels: SentenceLabels) -> dict[Sample, SampleText]:
    """Return the summaries and references in the column `text` of the label files."""
    texts: dict[Sample, dict[int, dict[int, str]]] = {sample: {} for sample in labels.samples}
    for place, text in labels.texts.items():
        if place.sample in texts:
            texts[place.sample].setdefault(place.reference, {})[place.sentence] = text
    return {
        sample: SampleText(
            _whole(sample, 0, parts),
            tuple(_whole(sample, n, parts) for n in range(1, max(parts, default=0) + 1)),
        )
        for sample, parts in texts.items()
    }


def split_texts(
    labels: SentenceLabels,
    predictions: Iterable[Prediction],
    events: Mapping[str, Event],
    splitter: str = "layout",
) -> dict[Sample, SampleText]:
    """Return the labelled summaries and their references, split into sentences.

    The splitter must give the sentences that were labelled.
    """
    wanted, texts = set(labels.samples), {}
    for prediction in predictions:
        sample = Sample(prediction.id, prediction.system)
        if sample in wanted and prediction.id in events:
            texts[sample] = SampleText(
                tuple(sentences(prediction.summary, splitter)),
                tuple(tuple(sentences(r, splitter)) for r in events[prediction.id].references),
            )
    for sample in labels.samples:
        if sample not in texts:
            by = f" of system {sample.system!r}" if sample.system else ""
            raise InputError(
                f"id {sample.id!r}{by} is labelled, but not in the predictions and the data set"
            )
    return texts


def _whole(
    sample: Sample, reference: int, texts: Mapping[int, Mapping[int, str]]
) -> tuple[str, ...]:
    known = texts.get(reference, {})
    numbers = range(1, max(known, default=1) + 1)
    for number in numbers:
        if number not in known:
            raise InputError(
                f'the label files have no "text" for {Place.of(sample, reference, number)}: fill '
                "the column, or give the predictions and the data set"
            )
    return tuple(known[number] for number in numbers)


def _check(labels: SentenceLabels, texts: Mapping[Sample, SampleText]) -> None:
    """Raise InputError if a labelled sentence is missing or differs from the text."""
    for place in sorted({place for by_place in labels.values.values() for place in by_place}):
        text = texts[place.sample]
        sides = dict(enumerate((text.summary, *text.references)))
        split = sides.get(place.reference, ())
        if place.sentence > len(split):
            raise InputError(
                f"{place} is labelled, but the text has {len(split)} sentences: split it as the "
                'annotators had it, or give the sentences in the column "text"'
            )
        if labels.texts.get(place, expected := split[place.sentence - 1].strip()) != expected:
            raise InputError(f"{place} differs between the label files and the texts")


def _similarities(
    metric: Metric[Any, Any], texts: Mapping[Sample, SampleText]
) -> dict[Place, float]:
    corpus = metric.corpus(
        [list(text.summary) for text in texts.values()],
        [[list(reference) for reference in text.references] for text in texts.values()],
    )
    return {
        Place.of(sample, reference, number): match.similarity
        for sample, item in zip(texts, corpus.items, strict=True)
        for reference, matches in enumerate((item.sentences, *item.references))
        for number, match in enumerate(matches, start=1)
    }
