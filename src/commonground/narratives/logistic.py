"""Logistic regressions with named features, fitted by the scripts in `training`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.narratives.word_lists import data_text

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression: a weight for each feature, in order, then "" (the intercept)."""

    weights: Mapping[str, float]

    @classmethod
    def load(cls, name: str) -> "Logistic":
        """Load the weights from `data/NAME.json`."""
        return cls(json.loads(data_text(f"{name}.json")))

    def probability(self, values: Iterable[float]) -> float:
        """Return the probability, given the values of the features in order."""
        *weights, intercept = self.weights.values()
        return sigmoid(intercept + sum(w * v for w, v in zip(weights, values, strict=True)))


def sigmoid(value: float) -> float:
    """Return the logistic function of a value."""
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def log_odds(probabilities: ArrayLike, margin: float = 1e-3) -> Floats:
    """Return the inverse of `sigmoid`; probabilities are kept a margin away from 0 and 1."""
    inside = np.clip(np.asarray(probabilities, dtype=np.float64), margin, 1 - margin)
    return np.asarray(np.log(inside / (1 - inside)))
