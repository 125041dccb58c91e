"""Do the labels that SEM-F1 infers agree with those of people?"""

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
from commonground.text import sentences

Progress = Callable[[int, int], None]


class SampleText(NamedTuple):
    """A summary and its references as the sentences that were labelled."""

    summary: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MachineAgreement:
    """SEM-F1 with one encoder and one pair of thresholds beside every annotator, on one side.

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
        """All of it, unrounded."""
        return {
            "encoder": self.encoder,
            "thresholds": self.thresholds,
            "side": self.side,
            "mean_tau": self.mean_tau,
            "mean_reward": self.mean_reward,
            "tau": {who: one.to_dict() for who, one in self.tau.items()},
            "reward": {who: one.to_dict() for who, one in self.reward.items()},
        }


def machine_agreement(
    labels: SentenceLabels,
    encoders: Sequence[str | Encoder],
    *,
    texts: Mapping[Sample, SampleText] | None = None,
    thresholds: Iterable[str | Thresholds] = tuple(PRESETS),
    progress: Progress | None = None,
) -> tuple[MachineAgreement, ...]:
    """Compare people's labels with those of SEM-F1, for every encoder and pair of thresholds.

    Args:
        labels: People's labels.
        encoders: Names or encoders.
        texts: The sentences; by default those in the label files.
        thresholds: Pairs such as "35-65"; the seven of the papers by default.
        progress: Called with the encoders done and all.
    """
    known = labelled_texts(labels) if texts is None else texts
    _check(labels, known)
    pairs = [thresholds_of(pair) for pair in thresholds]
    found = []
    for number, encoder in enumerate(encoders, start=1):
        measure = SemF1(encoder)
        similarities = _similarities(measure, known)
        for pair in pairs:
            for side in SIDES:
                found.append(_compared(labels, similarities, measure.encoder.name, pair, side))
        if progress:
            progress(number, len(encoders))
    return tuple(one for one in found if one.tau)


def labelled_texts(labels: SentenceLabels) -> dict[Sample, SampleText]:
    """The summaries and references that the label files spell out in their column `text`."""
    found = {}
    for sample in labels.samples:
        texts: dict[int, dict[int, str]] = {}
        for place, text in labels.texts.items():
            if place.sample == sample:
                texts.setdefault(place.reference, {})[place.sentence] = text
        numbers = range(1, max(texts, default=0) + 1)
        found[sample] = SampleText(
            _whole(sample, 0, texts), tuple(_whole(sample, number, texts) for number in numbers)
        )
    return found


def split_texts(
    labels: SentenceLabels,
    predictions: Iterable[Prediction],
    events: Mapping[str, Event],
    splitter: str = "layout",
) -> dict[Sample, SampleText]:
    """The labelled summaries and their references, split into sentences.

    Args:
        labels: Which summaries.
        predictions: The summaries; those that nobody labelled are passed over.
        events: The data set, by id.
        splitter: `layout` or `punkt`; it must cut where the annotators' sentences were cut.
    """
    wanted = set(labels.samples)
    found = {}
    for prediction in predictions:
        sample = Sample(prediction.id, prediction.system)
        if sample in wanted and prediction.id in events:
            references = events[prediction.id].references
            found[sample] = SampleText(
                tuple(sentences(prediction.summary, splitter)),
                tuple(tuple(sentences(reference, splitter)) for reference in references),
            )
    for sample in labels.samples:
        if sample not in found:
            by = f" of system {sample.system!r}" if sample.system else ""
            raise InputError(
                f"id {sample.id!r}{by} is labelled, but not in the predictions and the data set"
            )
    return found


def _whole(
    sample: Sample, reference: int, texts: Mapping[int, Mapping[int, str]]
) -> tuple[str, ...]:
    there = texts.get(reference, {})
    for number in range(1, max(there, default=1) + 1):
        if number not in there:
            place = Place("recall" if reference else "precision", sample, reference, number)
            raise InputError(
                f'the label files have no "text" for {place}: fill the column, or give the '
                "predictions and the data set"
            )
    return tuple(there[number] for number in sorted(there))


def _check(labels: SentenceLabels, texts: Mapping[Sample, SampleText]) -> None:
    """Every label must have its sentence, or all after it would be compared with others."""
    for place in sorted({place for given in labels.values.values() for place in given}):
        text = texts[place.sample]
        sides = (text.summary, *text.references)
        if place.reference >= len(sides) or place.sentence > len(sides[place.reference]):
            there = len(sides[place.reference]) if place.reference < len(sides) else 0
            raise InputError(
                f"{place} is labelled, but the text has {there} sentences: split it as the "
                'annotators had it, or give the sentences in the column "text"'
            )
        known = labels.texts.get(place)
        if known is not None and known != sides[place.reference][place.sentence - 1].strip():
            raise InputError(f"{place} reads otherwise in the label files than in the texts")


def _similarities(measure: SemF1, texts: Mapping[Sample, SampleText]) -> dict[Place, float]:
    corpus = measure.corpus(
        [list(text.summary) for text in texts.values()],
        [[list(reference) for reference in text.references] for text in texts.values()],
    )
    found: dict[Place, float] = {}
    for sample, item in zip(texts, corpus.items, strict=True):
        for number, match in enumerate(item.sentences, start=1):
            found[Place("precision", sample, 0, number)] = match.similarity
        for reference, matches in enumerate(item.references, start=1):
            for number, match in enumerate(matches, start=1):
                found[Place("recall", sample, reference, number)] = match.similarity
    return found


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
        given = {place: label for place, label in labels.values[who].items() if place.side == side}
        if given:
            taus[who] = correlation(
                [REWARD[label] for label in given.values()],
                [REWARD[machine[place]] for place in given],
                "kendall",
            )
            rewards[who] = reward(given, machine)
    return MachineAgreement(encoder, str(pair), side, taus, rewards)
