"""The papers' reward matrix: how much two labels of one sentence agree."""

from collections import defaultdict
from collections.abc import Mapping
from math import fsum
from typing import Final

from commonground.agreement._estimate import Spread
from commonground.agreement._labels import Place, Sample
from commonground.metrics.semf1._labels import Label

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
