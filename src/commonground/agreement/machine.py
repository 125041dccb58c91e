"""Agreement of the labels that SEM-F1 infers with those of people."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from commonground.agreement.correlations import correlation
from commonground.agreement.estimate import Estimate, Spread, mean_of
from commonground.agreement.labels import SIDES, Place, Sample, SentenceLabels, Side
from commonground.agreement.rewards import reward
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.io import Event, Prediction
from commonground.metrics.semf1 import PRESETS, REWARD, SemF1, Thresholds, thresholds_of
from commonground.plain import to_plain
from commonground.text import sentences

Progress = Callable[[int, int], None]


class SampleText(NamedTuple):
    """The labelled sentences of a summary and its references."""

    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MachineAgreement:
    """Agreement of SEM-F1, with one encoder and pair of thresholds, with each annotator.

    Attributes:
        tau: Kendall's tau-b by annotator.
        reward: The reward by annotator: mean and deviation over summaries.
    """

    encoder: str
    thresholds: str
    side: Side
    tau: Mapping[str, Estimate]
    reward: Mapping[str, Spread]

    @property
    def mean_tau(self) -> float | None:
        """The mean over annotators."""
        return mean_of([one.value for one in self.tau.values()])

    @property
    def mean_reward(self) -> float | None:
        """The mean over annotators."""
        return mean_of([one.mean for one in self.reward.values()])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        names = ("encoder", "thresholds", "side", "mean_tau", "mean_reward", "tau", "reward")
        return {name: to_plain(getattr(self, name)) for name in names}


def machine_agreement(
    labels: SentenceLabels,
    encoders: Sequence[str | Encoder],
    *,
    texts: Mapping[Sample, SampleText] | None = None,
    thresholds: Iterable[str | Thresholds] = tuple(PRESETS),
    progress: Progress | None = None,
) -> tuple[MachineAgreement, ...]:
    """Compare human labels with those of SEM-F1, for every encoder and pair of thresholds.

    The sentences are `texts`, or those in the label files; the default thresholds are the papers'.
    """
    known = labelled_texts(labels) if texts is None else texts
    _check(labels, known)
    pairs = [thresholds_of(pair) for pair in thresholds]
    results = []
    for number, encoder in enumerate(encoders, start=1):
        measure = SemF1(encoder)
        similarities = _similarities(measure, known)
        results += [
            _compared(labels, similarities, measure.encoder.name, pair, side)
            for pair in pairs
            for side in SIDES
        ]
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
    for number in range(1, max(known, default=1) + 1):
        if number not in known:
            place = Place("recall" if reference else "precision", sample, reference, number)
            raise InputError(
                f'the label files have no "text" for {place}: fill the column, or give the '
                "predictions and the data set"
            )
    return tuple(known[number] for number in sorted(known))


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


def _similarities(measure: SemF1, texts: Mapping[Sample, SampleText]) -> dict[Place, float]:
    corpus = measure.corpus(
        [list(text.summary) for text in texts.values()],
        [[list(reference) for reference in text.references] for text in texts.values()],
    )
    return {
        Place("recall" if reference else "precision", sample, reference, number): match.similarity
        for sample, item in zip(texts, corpus.items, strict=True)
        for reference, matches in enumerate((item.sentences, *item.references))
        for number, match in enumerate(matches, start=1)
    }


def _compared(
    labels: SentenceLabels,
    similarities: Mapping[Place, float],
    encoder: str,
    pair: Thresholds,
    side: Side,
) -> MachineAgreement:
    machine = {place: pair.label(value) for place, value in similarities.items()}
    taus, rewards = {}, {}
    for who in labels.annotators:
        human = labels.side(who, side)
        if human:
            taus[who] = correlation(
                [REWARD[label] for label in human.values()],
                [REWARD[machine[place]] for place in human],
                "kendall",
            )
            rewards[who] = reward(human, machine)
    return MachineAgreement(encoder, str(pair), side, taus, rewards)
