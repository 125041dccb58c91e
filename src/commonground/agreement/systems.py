"""Significant differences between systems, and how well metrics find those of people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from commonground.agreement.adjust import Correction, adjusted
from commonground.agreement.scores import Scores
from commonground.agreement.wilcoxon import signed_ranks
from commonground.errors import InputError
from commonground.plain import Plain, to_plain
from commonground.score import Interval

Floats = NDArray[np.float64]
Outcomes = NDArray[np.int64]
Progress = Callable[[int, int], None]

SIGNIFICANCE: Final = 0.05
DRAWS: Final = 100
SEED: Final = 0


_ACCURACY_KEYS: Final = (
    *("metric", "mean", "sd", "interval", "on_all", "delta"),
    *("missed", "invented", "reversed", "pairs"),
)


@dataclass(frozen=True, slots=True)
class PairOutcome(Plain):
    """Two systems on the same inputs, by Wilcoxon's signed-rank test.

    Attributes:
        outcome: 1 if the first is significantly higher, -1 if lower, otherwise 0.
        difference: The mean of the first minus the second.
        p: The p-value, corrected if asked for.
        n: The number of inputs on which they differ.
    """

    first: str
    second: str
    outcome: int
    difference: float | None
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a metric's significant differences match those of the gold standard.

    Attributes:
        metric: The metric.
        on_all: The share of pairs of systems with the same outcome (better, worse, no
            difference), on all topics.
        mean: The mean of that share over samples of topics.
        sd: Its standard deviation over the samples.
        interval: The interval of the mean.
        missed: Pairs whose difference the metric does not find, on all topics.
        invented: Pairs with a difference by the metric only.
        reversed: Pairs with the opposite difference.
        pairs: The number of pairs of systems.
    """

    metric: str
    on_all: float
    mean: float | None
    sd: float | None
    interval: Interval | None
    missed: int
    invented: int
    reversed: int
    pairs: int

    @property
    def delta(self) -> float | None:
        """The accuracy on all topics minus the mean over samples."""
        return None if self.mean is None else self.on_all - self.mean

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {name: to_plain(getattr(self, name)) for name in _ACCURACY_KEYS}


def compare_systems(
    scores: Scores,
    metric: str,
    *,
    significance: float = SIGNIFICANCE,
    correction: Correction = "none",
) -> tuple[PairOutcome, ...]:
    """Compare all pairs of systems on the inputs that both have.

    A difference counts if its p-value, corrected by `correction`, is below `significance`.
    """
    systems, _, matrix = scores.pivot(metric)
    _need_two(systems)
    pairs = _pairs(len(systems))
    differences = matrix[pairs[0]] - matrix[pairs[1]]
    tests = signed_ranks(differences)
    p = adjusted(tests.p, correction)
    outcomes = np.where(p < significance, tests.direction, 0)
    return tuple(
        PairOutcome(
            systems[first],
            systems[second],
            int(outcomes[row]),
            _mean(differences[row]),
            float(p[row]),
            int(tests.n[row]),
        )
        for row, (first, second) in enumerate(zip(*pairs, strict=True))
    )


def metric_accuracy(
    scores: Scores,
    gold: str,
    metrics: Sequence[str] | None = None,
    *,
    draws: int = DRAWS,
    topics: int | None = None,
    significance: float = SIGNIFICANCE,
    correction: Correction = "none",
    confidence: float = 0.95,
    seed: int = SEED,
    progress: Progress | None = None,
) -> tuple[Accuracy, ...]:
    """Return how accurately metrics find the gold standard's differences between systems.

    Each draw is a sample of the topics without replacement; the gold standard's differences are
    those on the same sample.

    A sample has `topics` topics (default: nine tenths, rounded down; 41 of 46). The interval of
    the mean is Student's. `significance` and `correction` are those of `compare_systems`.
    """
    names = list(metrics or scores.others(gold))
    if not names:
        raise InputError(f"there is no metric besides the gold standard {gold!r}")
    systems, ids, matrices = scores.matched(gold, *names)
    _need_two(systems)
    size = _sample_size(topics, len(ids))
    pairs = _pairs(len(systems))
    differences = [matrix[pairs[0]] - matrix[pairs[1]] for matrix in matrices]

    def outcomes(columns: NDArray[np.int64]) -> list[Outcomes]:
        return [_outcomes(each[:, columns], significance, correction) for each in differences]

    generator = np.random.default_rng(seed)
    accuracies = np.empty((draws, len(names)))
    for draw in range(draws):
        right, *others = outcomes(np.sort(generator.permutation(len(ids))[:size]))
        accuracies[draw] = [(each == right).mean() for each in others]
        if progress:
            progress(draw + 1, draws)
    right, *others = outcomes(np.arange(len(ids)))
    return tuple(
        _accuracy(name, each, right, drawn, confidence)
        for name, each, drawn in zip(names, others, accuracies.T, strict=True)
    )


def _accuracy(
    metric: str, found: Outcomes, right: Outcomes, drawn: Floats, confidence: float
) -> Accuracy:
    mean = float(drawn.mean()) if len(drawn) else None
    sd = float(drawn.std(ddof=1)) if len(drawn) > 1 else None
    interval = None
    if mean is not None and sd is not None:
        reach = float(stats.t.ppf((1 + confidence) / 2, len(drawn) - 1)) * sd / len(drawn) ** 0.5
        interval = Interval(mean - reach, mean + reach, confidence)
    return Accuracy(
        metric=metric,
        on_all=float((found == right).mean()),
        mean=mean,
        sd=sd,
        interval=interval,
        missed=int(((right != 0) & (found == 0)).sum()),
        invented=int(((right == 0) & (found != 0)).sum()),
        reversed=int((right * found == -1).sum()),
        pairs=len(right),
    )


def _outcomes(differences: Floats, significance: float, correction: Correction) -> Outcomes:
    tests = signed_ranks(differences)
    return np.where(adjusted(tests.p, correction) < significance, tests.direction, 0)


def _sample_size(topics: int | None, known: int) -> int:
    size = max(1, 9 * known // 10) if topics is None else topics
    if not 1 <= size <= known:
        raise InputError(f"a sample has from 1 to all {known} topics, not {size}")
    return size


def _need_two(systems: Sequence[str]) -> None:
    if len(systems) < 2:
        raise InputError(f"a comparison needs two systems; the scores have only {systems[0]!r}")


def _pairs(systems: int) -> tuple[list[int], list[int]]:
    first, second = zip(*combinations(range(systems), 2), strict=True)
    return list(first), list(second)


def _mean(differences: Floats) -> float | None:
    known = differences[~np.isnan(differences)]
    return float(known.mean()) if len(known) else None
