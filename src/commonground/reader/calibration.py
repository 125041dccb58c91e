"""Calibrated probabilities from the network's raw answers.

Fitted out of fold by `training/calibrate.py`; the numbers are in `data/calibration.json`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STRONGEST = 5  # words whose mean support is a feature


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Parameters of the calibration.

    Attributes:
        classes: Classes x (features and 1): a multinomial logistic regression.
        words: Weights of a word's logit, of the log odds that the sentence is shared, of those
            that it is stated, and the intercept.
        within: Weights of a word's logit, of the sentence's mean logit, and the intercept.
        evidence: Weights of a sentence's cosine, of its distance to the best one, and the
            intercept.
    """

    classes: Floats
    words: Floats
    within: Floats
    evidence: Floats

    @classmethod
    def read(cls, path: Path) -> "Calibration":
        """Read the parameters from a file."""
        return cls.of(json.loads(path.read_text(encoding="utf-8")))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Calibration":
        """Create a calibration from plain values."""
        names = ("classes", "words", "within", "evidence")
        return cls(*(np.array(values[name], dtype=np.float64) for name in names))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {name: np.round(value, 5).tolist() for name, value in asdict(self).items()}

    def label(self, features: Floats) -> Floats:
        """Return four probabilities for each row of `features`."""
        moved = np.append(features, np.ones((*features.shape[:-1], 1)), axis=-1) @ self.classes.T
        moved = np.exp(moved - moved.max(axis=-1, keepdims=True))
        return np.asarray(moved / moved.sum(axis=-1, keepdims=True))

    def support(self, logits: Floats, label: Floats) -> Floats:
        """Return the support of each word, given the label probabilities of the sentence."""
        shared, stated = log_odds(label[0] + label[1]), log_odds(label[0])
        own, by_shared, by_stated, shift = self.words
        return sigmoid(own * logits + by_shared * shared + by_stated * stated + shift)

    def part(self, logits: Floats) -> Floats:
        """Return the probability of each word, given that the text states part of the sentence."""
        own, mean, shift = self.within
        return sigmoid(own * logits + mean * (logits.mean() if len(logits) else 0.0) + shift)

    def shown(self, cosines: Floats) -> Floats:
        """Return the probability of each sentence of the text to be evidence."""
        near, behind, shift = self.evidence
        return sigmoid(near * cosines + behind * (cosines - cosines.max(initial=-1)) + shift)


def features(classes: Floats, words: Floats, cosine: float) -> Floats:
    """Return the features of the label: class logits, best cosine, statistics of word logits."""
    strongest = np.sort(words)[-_STRONGEST:]
    brief = [words.mean(), words.min(), strongest.mean()] if len(words) else [0.0, 0.0, 0.0]
    return np.array([*classes, cosine, *brief], dtype=np.float64)


def sigmoid(values: Floats) -> Floats:
    """Return the logistic function of the values."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))))


def log_odds(probability: float) -> float:
    """Return the inverse of `sigmoid`, kept within bounds."""
    inside = min(max(float(probability), 1e-4), 1 - 1e-4)
    return float(np.log(inside / (1 - inside)))
