"""From features to a probability: the mean of a plain regression and of small networks.

The regression is logistic, over `FEATURES`. In a network every word of a unit gets a few scores
from its features. Their mean (bent, so that no word counts without limit) and their least stand
beside the features of the whole unit; these, and a few hidden values made of them, are what a
logistic regression adds up. Networks from different random starts are averaged. They know the
texts they were fitted on better, the plain regression does better on texts of another kind.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.evidence.features import FEATURES, WORD_FEATURES, Features

Array = NDArray[np.float64]

_OVERALL = (*FEATURES, "size")
_PARTS = ("word", "word_bias", "score", "score_bias", "deep", "deep_bias", "out", "out_bias")
_FARTHEST = 3.0  # standard deviations; farther off than that nothing was learned


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Features brought to mean 0 and deviation 1."""

    centre: Array
    deviation: Array

    @classmethod
    def of(cls, rows: Array) -> "Scale":
        """The scale of these rows."""
        return cls(rows.mean(axis=0), rows.std(axis=0))

    def __call__(self, rows: Array) -> Array:
        """The rows in this scale."""
        return np.clip((rows - self.centre) / self.deviation, -_FARTHEST, _FARTHEST)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One of the networks that are averaged.

    Attributes:
        overall: The scale of `FEATURES` and `Features.size`.
        single: The scale of `WORD_FEATURES`.
        word: `WORD_FEATURES` x hidden values of a word.
        word_bias: One for each of these.
        score: Hidden values of a word x scores.
        score_bias: One for each score.
        deep: What stands for a unit (its features, mean and least scores) x hidden values.
        deep_bias: One for each hidden value.
        out: A coefficient for all that stands for a unit, and for each hidden value.
        out_bias: The intercept.
    """

    overall: Scale
    single: Scale
    word: Array
    word_bias: Array
    score: Array
    score_bias: Array
    deep: Array
    deep_bias: Array
    out: Array
    out_bias: Array

    def logits(self, found: Features) -> Array:
        """The log odds of units, all of which have words."""
        first = np.cumsum(found.counts) - found.counts
        inner = np.tanh(self.single(found.words) @ self.word + self.word_bias)
        scores = inner @ self.score + self.score_bias
        mean = np.add.reduceat(np.tanh(scores), first) / found.counts[:, None]
        least = np.minimum.reduceat(scores, first)
        joined = np.hstack([self.overall(overall(found)), mean, least])
        hidden = np.tanh(joined @ self.deep + self.deep_bias)
        return np.asarray(np.hstack([joined, hidden]) @ self.out + self.out_bias[0])


def overall(found: Features) -> Array:
    """All that is known of the units apart from their words."""
    return np.column_stack([found.rows, found.size])


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """What was fitted: a regression over `FEATURES`, and networks."""

    intercept: float
    weights: Array
    networks: tuple[Network, ...]

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Coefficients":
        """What `to_dict` made."""

        def scale(key: str, names: Sequence[str]) -> Scale:
            centre, deviation = np.array([content[key][name] for name in names]).T
            return Scale(centre, deviation)

        whole, single = scale("features", _OVERALL), scale("word_features", WORD_FEATURES)
        return cls(
            float(content["intercept"]),
            np.array([content["weights"][name] for name in FEATURES]),
            tuple(
                Network(whole, single, *(np.array(one[part]) for part in _PARTS))
                for one in content["networks"]
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """All by name; features with mean and deviation, which the networks must share."""
        whole, single = self.networks[0].overall, self.networks[0].single
        return {
            "intercept": round(self.intercept, 6),
            "weights": dict(zip(FEATURES, np.round(self.weights, 6).tolist(), strict=True)),
            "features": _scales(_OVERALL, whole),
            "word_features": _scales(WORD_FEATURES, single),
            "networks": [
                {part: np.round(getattr(network, part), 4).tolist() for part in _PARTS}
                for network in self.networks
            ],
        }


def probabilities(found: Features, fitted: Coefficients) -> Array:
    """How likely the text states each unit; 0 where it or the unit has no words."""
    chances = np.zeros(len(found.rows))
    if (found.shown >= 0).any():
        worded = found.counts > 0
        kept = Features(
            found.rows[worded],
            found.size[worded],
            found.words,
            found.counts[worded],
            found.shown[worded],
        )
        plain = _chance(fitted.intercept + kept.rows @ fitted.weights)
        learned = np.mean([_chance(network.logits(kept)) for network in fitted.networks], axis=0)
        chances[worded] = (plain + learned) / 2
    return chances


@cache
def coefficients() -> Coefficients:
    """Those that ship with the package."""
    file = resources.files("commonground.pyramid").joinpath("data/evidence.json")
    return Coefficients.from_dict(json.loads(file.read_text("utf-8")))


def _chance(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)


def _scales(names: Sequence[str], found: Scale) -> dict[str, list[float]]:
    pairs = np.round(np.stack([found.centre, found.deviation], axis=1), 5)
    return dict(zip(names, pairs.tolist(), strict=True))
