"""The papers' rewards for equal labels, and labels as scores."""

from collections import defaultdict
from collections.abc import Mapping
from math import fsum
from typing import Final

from commonground.agreement.estimate import Spread
from commonground.agreement.labels import Place, Ratings, Sample, SentenceLabels
from commonground.agreement.scores import ScoreRow, Scores
from commonground.metrics.semf1 import REWARD, Label
from commonground.score import PRF

REWARDS: Final[Mapping[tuple[Label, Label], float]] = {
    **{(one, other): float(one == other) for one in REWARD for other in REWARD},
    ("P", "PP"): 0.5,
    ("PP", "P"): 0.5,
}
"""Table 9 of the SOS paper. It is not a distance: PP and A are as far apart as P and A."""


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
    return {who: _by_sample(labels.values[who]) for who in labels.annotators}


def _by_sample(labels: Mapping[Place, Label]) -> dict[Sample, PRF]:
    texts: defaultdict[tuple[Sample, int], list[float]] = defaultdict(list)
    for place, label in labels.items():
        texts[place.sample, place.reference].append(REWARD[label])
    summaries: defaultdict[Sample, list[float]] = defaultdict(list)
    references: defaultdict[Sample, list[float]] = defaultdict(list)
    for (sample, reference), values in sorted(texts.items()):
        (references if reference else summaries)[sample].append(_mean(values))
    return {
        sample: PRF.of(_mean(summaries[sample]), _mean(references[sample]))
        for sample in sorted(summaries.keys() & references.keys())
    }


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
