"""How much a sentence stands for what all narratives say.

A linear model over the signals, fitted by `bench/fit_overlap.py` on human overlaps; the
coefficients and where they come from are in `data/relevance.json`.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._signals import SIGNALS

MODEL = "sos1"
"""What a signature calls the coefficients; raised whenever they change."""


@dataclass(frozen=True, slots=True, eq=False)
class Relevance:
    """The coefficients.

    Attributes:
        base: The relevance of a sentence with the mean signals of its event.
        weights: For each of `SIGNALS`.
    """

    base: float
    weights: NDArray[np.float64]

    def of(self, signals: NDArray[np.float64]) -> NDArray[np.float64]:
        """The relevance of sentences, about 0 to 1: the mean of SEM-F1 and ROUGE expected."""
        return np.asarray(self.base + signals @ self.weights)


@cache
def fitted() -> Relevance:
    """The coefficients that come with the package."""
    folder = resources.files("commonground.overlap").joinpath("data/relevance.json")
    content = json.loads(folder.read_text("utf-8"))
    weights = np.array([content["weights"][name] for name in SIGNALS])
    return Relevance(float(content["base"]), weights)
