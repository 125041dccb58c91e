"""From a network's raw answers to probabilities that can be taken at their word.

Fitted out of fold by `training/calibrate.py`; the numbers are in `data/calibration.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How logits become probabilities.

    Attributes:
        scale: Classes x classes: the new logits are the old ones times this, plus `shift`.
        shift: One for each class.
        word: Weights of a word's logit, of the sentence's log odds of sharing anything, and of
            its log odds of being fully stated; and the intercept.
        evidence: Weight of an evidence logit, and the intercept.
    """

    scale: Floats
    shift: Floats
    word: Floats
    evidence: Floats

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Calibration":
        """From plain values."""
        names = ("scale", "shift", "word", "evidence")
        return cls(*(np.array(values[name], dtype=np.float64) for name in names))

    def classes(self, logits: Floats) -> Floats:
        """Four probabilities for each row of logits."""
        moved = logits @ self.scale.T + self.shift
        moved = np.exp(moved - moved.max(axis=-1, keepdims=True))
        return np.asarray(moved / moved.sum(axis=-1, keepdims=True))

    def words(self, logits: Floats, classes: Floats) -> Floats:
        """The support of each word of a sentence whose class probabilities are known."""
        stated, shared = log_odds(classes[0]), log_odds(classes[0] + classes[1])
        own, by_shared, by_stated, shift = self.word
        return sigmoid(own * logits + by_shared * shared + by_stated * stated + shift)

    def shown(self, logits: Floats) -> Floats:
        """The probability of each sentence to be evidence."""
        return sigmoid(self.evidence[0] * logits + self.evidence[1])


def sigmoid(values: Floats) -> Floats:
    """The logistic function."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))))


def log_odds(probability: float) -> float:
    """The inverse of `sigmoid`, kept within bounds."""
    inside = min(max(float(probability), 1e-4), 1 - 1e-4)
    return float(np.log(inside / (1 - inside)))


@cache
def shipped() -> Calibration:
    """The calibration of the model in the package."""
    file = resources.files(__package__).joinpath("data/calibration.json")
    return Calibration.of(json.loads(file.read_text(encoding="utf-8")))
