"""Resampling of matrices of systems x inputs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from commonground.agreement.correlations import (
    CONFIDENCE,
    LEVELS,
    RESAMPLES,
    SEED,
    Level,
    Method,
    column_correlations,
    correlation,
    level_correlation,
    paired_values,
)
from commonground.agreement.estimate import Estimate
from commonground.errors import unknown_name
from commonground.score import Interval

Floats = NDArray[np.float64]
Resampled = Literal["both", "systems", "inputs"]
RESAMPLED: Final[tuple[str, ...]] = get_args(Resampled)

Progress = Callable[[int, int], None]


def resampled(
    matrices: Sequence[Floats],
    over: Resampled = "both",
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Iterator[list[Floats]]:
    """The matrices with rows (systems), columns (inputs) or both drawn anew, all in the same way.

    To redraw inputs asks how the result would be with other inputs, to redraw systems with other
    systems, and both with both.
    """
    if over not in RESAMPLED:
        raise unknown_name("resampling", over, RESAMPLED)
    generator = np.random.default_rng(seed)
    systems, inputs = matrices[0].shape
    for _ in range(resamples):
        rows = np.arange(systems)
        columns = np.arange(inputs)
        if over != "inputs":
            rows = generator.choice(rows, systems)
        if over != "systems":
            columns = generator.choice(columns, inputs)
        yield [matrix[np.ix_(rows, columns)] for matrix in matrices]


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval | None:
    """The middle share of the values that are numbers; None where fewer than half are."""
    there = values[~np.isnan(values)]
    if 2 * len(there) < len(values) or not len(there):
        return None
    tail = (1 - confidence) / 2
    low, high = np.quantile(there, [tail, 1 - tail])
    return Interval(float(low), float(high), confidence)


def metric_correlation(
    first: Floats,
    second: Floats,
    *,
    method: Method = "pearson",
    level: Level = "system",
    over: Resampled | None = None,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Estimate:
    """How two metrics correlate, with an interval.

    Args:
        first: One metric, systems x inputs, not-a-number where a score is missing.
        second: The other, with the same systems and inputs.
        method: `pearson`, `spearman` or `kendall` (tau-b).
        level: `system`, `summary` or `pooled`; see `level_correlation`.
        over: What the bootstrap draws anew: `systems`, `inputs` or `both`. None gives Fisher's
            interval, which takes the values as independent and so is none for `summary`.
        resamples: How many draws.
        confidence: The share of draws that the interval holds.
        seed: Of the draws.
        progress: Called with the draws done and all.

    Returns:
        The value; `n` is the number of systems, of inputs or of summaries, by level. There is a
        p-value for `system` and `pooled` alone.
    """
    plain = _without_draws(first, second, method, level, confidence)
    if plain.value is None or over is None:
        return plain
    draws = np.empty(resamples)
    for place, (one, other) in enumerate(
        resampled([first, second], over, resamples=resamples, seed=seed)
    ):
        draws[place] = level_correlation(one, other, method, level)
        if progress:
            progress(place + 1, resamples)
    return replace(plain, interval=percentile_interval(draws, confidence))


def _without_draws(
    first: Floats, second: Floats, method: Method, level: Level, confidence: float
) -> Estimate:
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    if level != "summary":
        one, other = paired_values(first, second, level)
        return correlation(one, other, method, confidence=confidence)
    there = ~np.isnan(column_correlations(first, second, method))
    n = int(there.sum())
    if not n:
        return Estimate(None, 0, note="no input for which the systems differ in both")
    left_out = f"{len(there) - n} inputs left out, where systems do not differ"
    note = "" if there.all() else left_out
    return Estimate(level_correlation(first, second, method, level), n, note=note)
