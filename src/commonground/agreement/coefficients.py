"""Cohen's kappa and Krippendorff's alpha; the estimates and spreads that studies report.

The papers' own coefficient, the reward, is with the labels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.errors import InputError, check_known
from commonground.plain import Plain
from commonground.score import Interval

Floats: TypeAlias = NDArray[np.float64]
Weights = Literal["none", "linear", "quadratic"]
Measurement = Literal["nominal", "ordinal", "interval"]

WEIGHTS: Final[tuple[Weights, ...]] = get_args(Weights)
MEASUREMENTS: Final[tuple[Measurement, ...]] = get_args(Measurement)
_STRENGTHS: Final = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))


@dataclass(frozen=True, slots=True)
class Estimate(Plain):
    """A statistic of n items.

    The value is None if it is not defined, and `note` says why. The p-value is two-sided, for the
    null hypothesis that the value is 0.
    """

    value: float | None
    n: int
    p: float | None = None
    interval: Interval | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spread(Plain):
    """A mean, the sample standard deviation (n - 1) and the number of values.

    Both are None if there are too few values.
    """

    mean: float | None
    sd: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float] | Floats) -> "Spread":
        """Compute the spread of values."""
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
        return cls(mean_of(values), sd, len(values))


def mean_of(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def landis_koch(kappa: float | None) -> str | None:
    """Return the strength of agreement in words, after Landis and Koch (1977).

    The words are a convention, not a test.

    Example:
        >>> [landis_koch(kappa) for kappa in (-0.1, 0.2, 0.21, 0.6, 0.81)]
        ['poor', 'slight', 'fair', 'moderate', 'almost perfect']
    """
    if kappa is None or kappa < 0:
        return None if kappa is None else "poor"
    return next((words for limit, words in _STRENGTHS if kappa <= limit), "almost perfect")


def cohen_kappa(first: ArrayLike, second: ArrayLike, weights: Weights = "none") -> Estimate:
    """Compute Cohen's kappa of two annotators over the same items.

    Weighted kappa uses the distance of labels, so labels should be evenly spaced numbers: 1 to
    10, or P=1, PP=.5, A=0.

    Example:
        >>> cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]).value
        0.5
    """
    check_known("weights", WEIGHTS, weights)
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(x) != len(y):
        raise InputError(f"{len(x)} labels do not fit {len(y)} of the other annotator")
    if not len(x):
        return Estimate(None, 0, note="no item that both labelled")

    def distance(a: Floats, b: Floats) -> Floats:
        if weights == "none":
            return np.asarray(a != b, dtype=float)
        return np.asarray(np.abs(a - b) ** (1 if weights == "linear" else 2))

    values = np.unique([x, y])
    shares = [(labels == values[:, None]).mean(axis=1) for labels in (x, y)]
    expected = shares[0] @ distance(values[:, None], values) @ shares[1]
    if expected == 0:
        return Estimate(None, len(x), note="both gave one and the same label throughout")
    return Estimate(float(1 - distance(x, y).mean() / expected), len(x))


def krippendorff_alpha(labels: ArrayLike, measurement: Measurement = "nominal") -> Estimate:
    """Compute Krippendorff's alpha of any number of annotators; labels may be missing.

    `labels` are annotators x items, NaN where missing. The distance of two labels is `nominal`
    (equal or not), `ordinal` (by rank) or `interval` (by difference).

    Example:
        >>> krippendorff_alpha([[1, 2, 3], [1, 2, 3]], "interval").value
        1.0
    """
    check_known("level of measurement", MEASUREMENTS, measurement)
    table = np.asarray(labels, dtype=float)
    table = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    items = table.shape[1]
    if not items:
        return Estimate(None, 0, note="no item that two annotators labelled")
    values = np.unique(table[~np.isnan(table)])
    if len(values) == 1:
        return Estimate(None, items, note="every label is the same")
    counts = (table[:, :, None] == values).sum(axis=0)  # items x values
    # How often two values meet in an item, weighted by the item's number of labels.
    weights = 1 / (counts.sum(axis=1) - 1)
    coincidences = np.einsum("ia,ib,i->ab", counts, counts, weights)
    coincidences -= np.diag((counts * weights[:, None]).sum(axis=0))
    totals = coincidences.sum(axis=0)
    # An ordinal value is the middle of its ranks.
    scale = np.cumsum(totals) - totals / 2 if measurement == "ordinal" else values
    distance = (scale[:, None] - scale) ** 2
    if measurement == "nominal":
        distance = 1.0 - np.eye(len(values))
    by_chance = np.outer(totals, totals) / (totals.sum() - 1)
    # The diagonal of by_chance is wrong, but does not count: distances there are 0.
    alpha = 1 - (coincidences * distance).sum() / (by_chance * distance).sum()
    return Estimate(float(alpha), items)
