"""How far probabilities are from what happens."""

import numpy as np


def calibration_error(probabilities: np.ndarray, happened: np.ndarray) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = np.minimum((probabilities * 10).astype(int), 9)
    sizes = np.bincount(bins, minlength=10)
    gaps = np.bincount(bins, weights=probabilities - happened, minlength=10)
    return float(np.abs(gaps).sum() / max(sizes.sum(), 1))
