"""Human labels (docs/label-formats): ratings, sentence labels, written overlaps; their scores."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Final, Literal, NamedTuple

from commonground.agreement.coefficients import Spread
from commonground.agreement.rows import check_once, counting, has, name, number, read_tables
from commonground.agreement.scores import ScoreRow, Scores
from commonground.errors import InputError
from commonground.io import Row
from commonground.metrics import REWARD, Label
from commonground.score import PRF

Side = Literal["precision", "recall"]
SIDES: Final[tuple[Side, Side]] = ("precision", "recall")
LABELS: Final[Mapping[str, Label]] = {"P": "P", "PP": "PP", "A": "A"}
LOWEST, HIGHEST = 1, 10

REWARDS: Final[Mapping[tuple[Label, Label], float]] = {
    **{(first, second): float(first == second) for first in REWARD for second in REWARD},
    ("P", "PP"): 0.5,
    ("PP", "P"): 0.5,
}
"""Table 9 of the SOS paper. It is not a distance: PP and A are as far apart as P and A."""


class Sample(NamedTuple):
    """One system's summary of one event."""

    id: str
    system: str


class Place(NamedTuple):
    """A labelled sentence; `reference` is 0 for sentences of the summary."""

    side: Side
    sample: Sample
    reference: int
    sentence: int

    @classmethod
    def of(cls, sample: Sample, reference: int, sentence: int) -> "Place":
        """Return a place with its side."""
        return cls("recall" if reference else "precision", sample, reference, sentence)

    def __str__(self) -> str:
        of = f"reference {self.reference}" if self.reference else "the summary"
        by = f", system {self.sample.system!r}" if self.sample.system else ""
        return f"sentence {self.sentence} of {of} (id {self.sample.id!r}{by})"


@dataclass(frozen=True, slots=True)
class Ratings:
    """Protocol 1: numbers from 1 to 10 for summaries, by quantity, annotator and summary.

    The quantities are `score`, or `precision` and `recall`.
    """

    values: Mapping[str, Mapping[str, Mapping[Sample, float]]]

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators, sorted."""
        return tuple(sorted({name for ratings in self.values.values() for name in ratings}))


@dataclass(frozen=True, slots=True)
class SentenceLabels:
    """Protocol 2: P, PP or A by annotator and place; `texts` are the sentences, if known."""

    values: Mapping[str, Mapping[Place, Label]]
    texts: Mapping[Place, str]

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators, sorted."""
        return tuple(sorted(self.values))

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The labelled summaries, sorted."""
        return tuple(sorted({place.sample for labels in self.values.values() for place in labels}))

    def side(self, annotator: str, side: str) -> dict[Place, Label]:
        """Return one annotator's labels of one side."""
        labels = self.values[annotator]
        return {place: label for place, label in labels.items() if place.side == side}

    def numbers(self, annotator: str, side: Side) -> dict[Place, float]:
        """Return one annotator's labels of one side as P=1, PP=.5, A=0."""
        return {place: REWARD[label] for place, label in self.side(annotator, side).items()}


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Protocol 3: overlaps that annotators wrote, by event and annotator; "" means no overlap."""

    texts: Mapping[str, Mapping[str, str]]

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators, sorted."""
        return tuple(sorted({name for texts in self.texts.values() for name in texts}))

    def to_rows(self) -> list[dict[str, object]]:
        """Return rows of a data set whose references are the overlaps."""
        return [
            {"id": id_, "references": list(texts.values()), "annotators": list(texts)}
            for id_, texts in self.texts.items()
        ]


Labels = Ratings | SentenceLabels | Overlaps


def read_labels(*paths: str | Path) -> Labels:
    """Read label files of one protocol, recognised by its columns.

    Raises:
        InputError: Columns of no protocol or of several, a value out of range, or a duplicate
            label; with the file and the line.
    """
    rows = read_tables(paths)
    kinds = {_kind(row): row for row in rows}
    if len(kinds) > 1:
        (first, _), (second, row) = list(kinds.items())[:2]
        raise row.wrong(f"has {second}, but other rows have {first}; read them separately")
    (kind,) = kinds
    return _READERS[kind](rows)


def _kind(row: Row) -> str:
    for kind, columns in _COLUMNS.items():
        if columns & row.values.keys():
            return kind
    keys_here = ", ".join(f'"{key}"' for key in row.values) or "none"
    raise row.wrong(
        'has no labels: expected "score", "precision" and "recall", "label", or "text" '
        f"(here: {keys_here})"
    )


def _sample(row: Row) -> Sample:
    return Sample(name(row, "id"), name(row, "system") if has(row, "system") else "")


def _ratings(rows: Iterable[Row]) -> Ratings:
    values: dict[str, dict[str, dict[Sample, float]]] = {}
    seen: dict[tuple[str, Sample, str], Row] = {}
    for row in rows:
        annotator, sample = name(row, "annotator"), _sample(row)
        if "score" not in row.values:
            for side in SIDES:
                row.required(side)
        for quantity in ("score", *SIDES):
            if not has(row, quantity):
                continue
            value = number(row, quantity)
            if not LOWEST <= value <= HIGHEST:
                raise row.wrong(f'"{quantity}" must be from {LOWEST} to {HIGHEST}, not {value:g}')
            what = f"the {quantity} by {annotator!r} for id {sample.id!r}"
            check_once(row, seen, (annotator, sample, quantity), what)
            values.setdefault(quantity, {}).setdefault(annotator, {})[sample] = value
    if not values:
        raise InputError("the label files have no ratings: every cell is blank")
    return Ratings(values)


def _sentence_labels(rows: Iterable[Row]) -> SentenceLabels:
    values: dict[str, dict[Place, Label]] = {}
    texts: dict[Place, str] = {}
    first: dict[Place, Row] = {}
    seen: dict[tuple[str, Place], Row] = {}
    for row in rows:
        annotator, place = name(row, "annotator"), _place(row)
        if has(row, "text"):
            text = row.text("text").strip()
            before = first.setdefault(place, row)
            if texts.setdefault(place, text) != text:
                raise row.wrong(
                    f"{place} differs from {before.path}, line {before.line}; "
                    "annotators must label the same sentences"
                )
        row.required("label")
        if not has(row, "label"):
            continue
        label = name(row, "label")
        if label not in LABELS:
            raise row.wrong(f'"label" must be P, PP or A, not {label!r}')
        check_once(row, seen, (annotator, place), f"the label by {annotator!r} for {place}")
        values.setdefault(annotator, {})[place] = LABELS[label]
    if not values:
        raise InputError("the label files have no labels: every cell is blank")
    return SentenceLabels(values, texts)


def _place(row: Row) -> Place:
    side, sentence = name(row, "side"), counting(row, "sentence")
    if side not in SIDES:
        raise row.wrong(f'"side" must be precision or recall, not {side!r}')
    if side == "recall":
        return Place.of(_sample(row), counting(row, "reference"), sentence)
    if has(row, "reference"):
        raise row.wrong(
            'a "precision" label is against all references together: leave "reference" blank'
        )
    return Place.of(_sample(row), 0, sentence)


def _overlaps(rows: Sequence[Row]) -> Overlaps:
    order = dict.fromkeys(name(row, "annotator") for row in rows)
    texts: dict[str, dict[str, str]] = {}
    seen: dict[tuple[str, str], Row] = {}
    for row in rows:
        annotator, id_ = name(row, "annotator"), name(row, "id")
        check_once(row, seen, (annotator, id_), f"the overlap by {annotator!r} for id {id_!r}")
        texts.setdefault(id_, {})[annotator] = row.text("text").strip() if has(row, "text") else ""
    return Overlaps(
        {id_: {a: written[a] for a in order if a in written} for id_, written in texts.items()}
    )


_COLUMNS: Final[Mapping[str, set[str]]] = {
    "sentence labels": {"label", "sentence"},
    "ratings": {"score", *SIDES},
    "written overlaps": {"text"},
}
_READERS: Final[Mapping[str, Callable[[Sequence[Row]], Labels]]] = {
    "ratings": _ratings,
    "sentence labels": _sentence_labels,
    "written overlaps": _overlaps,
}


def reward(first: Mapping[Place, Label], second: Mapping[Place, Label]) -> Spread:
    """Return the mean reward of a sample's sentences, over the samples.

    The labels are of one side. For recall, the sentences of all references of a sample are pooled.
    Only sentences that both labelled count.
    """
    samples: defaultdict[Sample, list[float]] = defaultdict(list)
    for place in sorted(first.keys() & second.keys()):
        samples[place.sample].append(REWARDS[first[place], second[place]])
    return Spread.of([fsum(values) / len(values) for values in samples.values()])


def label_scores(labels: SentenceLabels) -> dict[str, dict[Sample, PRF]]:
    """Return precision, recall and F1 of each summary, by annotator, with P=1, PP=.5, A=0.

    Precision is the mean over the summary's sentences; recall the mean over each reference's, and
    then over references. Summaries that an annotator labelled on one side only are left out.
    """
    scores = {}
    for annotator in labels.annotators:
        texts: defaultdict[tuple[Sample, int], list[float]] = defaultdict(list)
        for place, label in labels.values[annotator].items():
            texts[place.sample, place.reference].append(REWARD[label])
        means: defaultdict[tuple[bool, Sample], list[float]] = defaultdict(list)
        for (sample, reference), values in sorted(texts.items()):
            means[reference > 0, sample].append(_mean(values))
        scores[annotator] = {
            sample: PRF.of(_mean(means[False, sample]), _mean(means[True, sample]))
            for sample in sorted({sample for _, sample in means})
            if (False, sample) in means and (True, sample) in means
        }
    return scores


def human_scores(labels: Ratings | SentenceLabels) -> Scores:
    """Turn labels into scores, so that people can be the gold standard.

    The metrics are `human-precision`, `human-recall` and `human-f1` from sentence labels, and
    `human-score`, `human-precision` and `human-recall` from ratings; each the mean over the
    annotators who labelled the summary.
    """
    gathered: defaultdict[tuple[str, Sample], list[float]] = defaultdict(list)
    if isinstance(labels, Ratings):
        for quantity, by_annotator in labels.values.items():
            for ratings in by_annotator.values():
                for sample, value in ratings.items():
                    gathered[quantity, sample].append(value)
    else:
        for by_sample in label_scores(labels).values():
            for sample, scores in by_sample.items():
                for quantity, value in scores.to_dict().items():
                    gathered[quantity, sample].append(value)
    return Scores.of(
        ScoreRow(sample.id, sample.system, f"human-{quantity}", _mean(values))
        for (quantity, sample), values in gathered.items()
    )


def _mean(values: list[float]) -> float:
    return fsum(values) / len(values)
