"""Chance-corrected agreement: Cohen's kappa and Krippendorff's alpha."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.agreement.estimate import Estimate
from commonground.errors import InputError, unknown_name

Weights = Literal["none", "linear", "quadratic"]
Measurement = Literal["nominal", "ordinal", "interval"]

WEIGHTS: Final[tuple[str, ...]] = get_args(Weights)
MEASUREMENTS: Final[tuple[str, ...]] = get_args(Measurement)


def cohen_kappa(first: ArrayLike, second: ArrayLike, weights: Weights = "none") -> Estimate:
    """Compute Cohen's kappa of two annotators over the same items.

    Weighted kappa uses the distance of labels, so labels should be evenly spaced numbers: 1 to
    10, or P=1, PP=.5, A=0.

    Example:
        >>> cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]).value
        0.5
    """
    if weights not in WEIGHTS:
        raise unknown_name("weights", weights, WEIGHTS)
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(one) != len(other):
        raise InputError(f"{len(one)} labels do not fit {len(other)} of the other annotator")
    if not len(one):
        return Estimate(None, 0, note="no item that both labelled")
    observed = _distance(one, other, weights).mean()
    values, numbers = np.unique(np.concatenate([one, other]), return_inverse=True)
    shares = [
        np.bincount(half, minlength=len(values)) / len(one)
        for half in (numbers[: len(one)], numbers[len(one) :])
    ]
    expected = shares[0] @ _distance(values[:, None], values[None, :], weights) @ shares[1]
    if expected == 0:
        return Estimate(None, len(one), note="both gave one and the same label throughout")
    return Estimate(float(1 - observed / expected), len(one))


def _distance(
    one: NDArray[np.float64], other: NDArray[np.float64], weights: str
) -> NDArray[np.float64]:
    if weights == "none":
        return np.asarray(one != other, dtype=float)
    return np.asarray(np.abs(one - other) ** (1 if weights == "linear" else 2))


def krippendorff_alpha(labels: ArrayLike, measurement: Measurement = "nominal") -> Estimate:
    """Compute Krippendorff's alpha of any number of annotators; labels may be missing.

    Args:
        labels: Annotators x items, as numbers; NaN for a missing label.
        measurement: The distance of two labels: `nominal` (equal or not), `ordinal` (by rank) or
            `interval` (by difference).

    Example:
        >>> krippendorff_alpha([[1, 2, 3], [1, 2, 3]], "interval").value
        1.0
    """
    if measurement not in MEASUREMENTS:
        raise unknown_name("level of measurement", measurement, MEASUREMENTS)
    table = np.asarray(labels, dtype=float)
    table = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    items = table.shape[1]
    if not items:
        return Estimate(None, 0, note="no item that two annotators labelled")
    values = np.unique(table[~np.isnan(table)])
    if len(values) == 1:
        return Estimate(None, items, note="every label is the same")
    counts = (table[:, :, None] == values).sum(axis=0)  # items x values
    coincidences = _coincidences(counts)
    totals = coincidences.sum(axis=0)
    distance = _squared(values, totals, measurement)
    by_chance = np.outer(totals, totals) / (totals.sum() - 1)
    # The diagonal of by_chance is wrong, but does not count: distances there are 0.
    alpha = 1 - (coincidences * distance).sum() / (by_chance * distance).sum()
    return Estimate(float(alpha), items)


def _coincidences(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Count how often two values meet in an item, weighted by the item's number of labels."""
    weights = 1 / (counts.sum(axis=1) - 1)
    pairs = np.einsum("ia,ib,i->ab", counts, counts, weights)
    return np.asarray(pairs - np.diag((counts * weights[:, None]).sum(axis=0)))


def _squared(
    values: NDArray[np.float64], totals: NDArray[np.float64], measurement: str
) -> NDArray[np.float64]:
    if measurement == "nominal":
        return 1.0 - np.eye(len(values))
    # An ordinal value is the middle of its ranks.
    scale = values if measurement == "interval" else np.cumsum(totals) - totals / 2
    return np.asarray((scale[:, None] - scale[None, :]) ** 2)
