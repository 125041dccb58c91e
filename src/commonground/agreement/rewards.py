"""What labels are worth: the papers' rewards, and labels as scores."""

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
    ("P", "P"): 1.0,
    ("P", "PP"): 0.5,
    ("P", "A"): 0.0,
    ("PP", "P"): 0.5,
    ("PP", "PP"): 1.0,
    ("PP", "A"): 0.0,
    ("A", "P"): 0.0,
    ("A", "PP"): 0.0,
    ("A", "A"): 1.0,
}
"""Table 9 of the SOS paper. It is not a distance: PP and A are as far apart as P and A."""


def reward(first: Mapping[Place, Label], second: Mapping[Place, Label]) -> Spread:
    """The mean reward of a sample's sentences, over the samples.

    The labels are of one side. For recall, the sentences of all references of a sample are pooled.
    Only sentences that both labelled count.
    """
    samples: defaultdict[Sample, list[float]] = defaultdict(list)
    for place in sorted(first.keys() & second.keys()):
        samples[place.sample].append(REWARDS[first[place], second[place]])
    return Spread.of([fsum(values) / len(values) for values in samples.values()])


def label_scores(labels: SentenceLabels) -> dict[str, dict[Sample, PRF]]:
    """Precision, recall and F1 of each summary, by annotator, with P=1, PP=.5, A=0.

    Precision is the mean over the summary's sentences; recall the mean over each reference's, and
    then over references. A summary of which an annotator labelled one side alone is left out.
    """
    return {who: _by_sample(labels.values[who]) for who in labels.annotators}


def _by_sample(given: Mapping[Place, Label]) -> dict[Sample, PRF]:
    texts: defaultdict[tuple[Sample, int], list[float]] = defaultdict(list)
    for place, label in given.items():
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
    """Labels as scores, so that people can be the gold standard of a table.

    The metrics are `human-precision`, `human-recall` and `human-f1` from sentence labels, and
    `human-score`, `human-precision` and `human-recall` from ratings; each the mean over the
    annotators who labelled the summary.
    """
    gathered: defaultdict[tuple[str, Sample], list[float]] = defaultdict(list)
    if isinstance(labels, Ratings):
        for quantity, by_annotator in labels.values.items():
            for given in by_annotator.values():
                for sample, value in given.items():
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
