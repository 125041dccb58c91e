"""From features to a probability: the mean of a logistic regression and of small networks.

The regression is over `FEATURES`. A network computes scores for every word of a unit from its
features. The mean score (through tanh, so that no word dominates) and the least score join the
features of the unit; a logistic regression adds up these and a few hidden values made of them.
Networks from different random starts are averaged. The networks fit texts like the training data
better, the regression texts of other kinds.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.evidence.features import FEATURES, WORD_FEATURES, Features

Array = NDArray[np.float64]

_OVERALL = (*FEATURES, "size")
_PARTS = ("word", "word_bias", "score", "score_bias", "deep", "deep_bias", "out", "out_bias")
_FARTHEST = 3.0  # standard deviations; beyond, there was little to learn from


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Standardises features to mean 0 and deviation 1."""

    centre: Array
    deviation: Array

    @classmethod
    def of(cls, rows: Array) -> "Scale":
        """Return the scale of these rows."""
        return cls(rows.mean(axis=0), rows.std(axis=0))

    def __call__(self, rows: Array) -> Array:
        """Return the rows in this scale."""
        return np.clip((rows - self.centre) / self.deviation, -_FARTHEST, _FARTHEST)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One of the networks that are averaged."""

    overall: Scale  # the scale of `FEATURES` and `Features.size`
    single: Scale  # the scale of `WORD_FEATURES`
    word: Array  # `WORD_FEATURES` x hidden values of a word
    word_bias: Array  # one for each of these
    score: Array  # hidden values of a word x scores
    score_bias: Array  # one for each score
    deep: Array  # inputs of a unit (its features, mean and least scores) x hidden values
    deep_bias: Array  # one for each hidden value
    out: Array  # a coefficient for each input of a unit, and for each hidden value
    out_bias: Array  # the intercept

    def logits(self, features: Features) -> Array:
        """Return the log odds of units, all of which have words."""
        first = np.cumsum(features.counts) - features.counts
        inner = np.tanh(self.single(features.words) @ self.word + self.word_bias)
        scores = inner @ self.score + self.score_bias
        mean = np.add.reduceat(np.tanh(scores), first) / features.counts[:, None]
        least = np.minimum.reduceat(scores, first)
        joined = np.hstack([self.overall(overall(features)), mean, least])
        hidden = np.tanh(joined @ self.deep + self.deep_bias)
        return np.asarray(np.hstack([joined, hidden]) @ self.out + self.out_bias[0])


def overall(features: Features) -> Array:
    """Return the features of the units without those of their words."""
    return np.column_stack([features.rows, features.size])


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The fitted model: a regression over `FEATURES`, and networks with the same scales."""

    intercept: float
    weights: Array
    networks: tuple[Network, ...]

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Coefficients":
        """Return the coefficients of `to_dict`."""

        def scale(key: str, names: Sequence[str]) -> Scale:
            return Scale(*np.array([content[key][name] for name in names]).T)

        scales = scale("features", _OVERALL), scale("word_features", WORD_FEATURES)
        return cls(
            float(content["intercept"]),
            np.array([content["weights"][name] for name in FEATURES]),
            tuple(
                Network(*scales, *(np.array(network[part]) for part in _PARTS))
                for network in content["networks"]
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by name; each feature has its mean and deviation."""

        def scale(names: Sequence[str], fitted: Scale) -> dict[str, list[float]]:
            pairs = np.round(np.stack([fitted.centre, fitted.deviation], axis=1), 5)
            return dict(zip(names, pairs.tolist(), strict=True))

        return {
            "intercept": round(self.intercept, 6),
            "weights": dict(zip(FEATURES, np.round(self.weights, 6).tolist(), strict=True)),
            "features": scale(_OVERALL, self.networks[0].overall),
            "word_features": scale(WORD_FEATURES, self.networks[0].single),
            "networks": [
                {part: np.round(getattr(network, part), 4).tolist() for part in _PARTS}
                for network in self.networks
            ],
        }


def probabilities(features: Features, fitted: Coefficients) -> Array:
    """Return the probability that the text states each unit; 0 if it or the unit has no words."""
    chances = np.zeros(len(features.rows))
    if (features.shown >= 0).any():
        worded = features.counts > 0
        names = ("rows", "size", "counts", "shown")
        kept = replace(features, **{name: getattr(features, name)[worded] for name in names})
        plain = _sigmoid(fitted.intercept + kept.rows @ fitted.weights)
        learned = np.mean([_sigmoid(network.logits(kept)) for network in fitted.networks], axis=0)
        chances[worded] = (plain + learned) / 2
    return chances


@cache
def coefficients() -> Coefficients:
    """Load the coefficients of the package."""
    file = resources.files("commonground.pyramid").joinpath("data/evidence.json")
    return Coefficients.from_dict(json.loads(file.read_text("utf-8")))


def _sigmoid(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)
