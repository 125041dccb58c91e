"""Which systems differ, and how often a metric finds the differences that people find."""

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
from commonground.score import Interval

Floats = NDArray[np.float64]
Outcomes = NDArray[np.int64]
Progress = Callable[[int, int], None]

SIGNIFICANCE: Final = 0.05
DRAWS: Final = 100
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """Two systems on the same inputs, by Wilcoxon's signed-rank test.

    Attributes:
        outcome: 1 where the first is significantly better, -1 where it is worse, otherwise 0.
        difference: The mean of the first less the second.
        p: The p-value, corrected where that was asked for.
        n: The inputs on which they differ.
    """

    first: str
    second: str
    outcome: int
    difference: float | None
    p: float
    n: int

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "first": self.first,
            "second": self.second,
            "outcome": self.outcome,
            "difference": self.difference,
            "p": self.p,
            "n": self.n,
        }


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a metric's significant differences are those of the gold standard.

    Attributes:
        metric: The metric.
        on_all: The share of pairs of systems with the same outcome (better, worse, no
            difference), on all topics.
        mean: The mean of that share over the draws of topics.
        sd: Its standard deviation over the draws.
        interval: The interval of the mean.
        missed: Pairs, on all topics, whose difference the metric does not find.
        invented: Pairs for which the metric alone has a difference.
        reversed: Pairs that the metric puts the other way round.
        pairs: How many pairs of systems there are.
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
        """The accuracy on all topics less the mean over the draws."""
        return None if self.mean is None else self.on_all - self.mean

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {
            "metric": self.metric,
            "mean": self.mean,
            "sd": self.sd,
            "interval": self.interval.to_dict() if self.interval else None,
            "on_all": self.on_all,
            "delta": self.delta,
            "missed": self.missed,
            "invented": self.invented,
            "reversed": self.reversed,
            "pairs": self.pairs,
        }


def compare_systems(
    scores: Scores,
    metric: str,
    *,
    significance: float = SIGNIFICANCE,
    correction: Correction = "none",
) -> tuple[PairOutcome, ...]:
    """All pairs of systems on the inputs that both have.

    Args:
        scores: The scores.
        metric: Whose.
        significance: The level below which a p-value is significant.
        correction: For many comparisons: `none`, `holm` or `bh`.
    """
    systems, _, matrix = scores.pivot(metric)
    _need_two(systems)
    pairs = _pairs(len(systems))
    differences = matrix[pairs[0]] - matrix[pairs[1]]
    found = signed_ranks(differences)
    p = adjusted(found.p, correction)
    outcomes = np.where(p < significance, found.direction, 0)
    return tuple(
        PairOutcome(
            systems[first],
            systems[second],
            int(outcomes[row]),
            _mean(differences[row]),
            float(p[row]),
            int(found.n[row]),
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
    """How accurately metrics find the differences between systems that the gold standard finds.

    Each draw takes some of the topics, each at most once, and the gold standard's differences are
    found anew on them.

    Args:
        scores: The scores, the gold standard among them.
        gold: The gold standard.
        metrics: All others by default.
        draws: How many samples of topics; 0 for none.
        topics: How many topics a sample has; nine tenths of them, rounded down, by default, which
            makes 41 of 46.
        significance: The level below which a p-value is significant.
        correction: Over the pairs of systems: `none`, `holm` or `bh`.
        confidence: Of the interval of the mean, which is Student's.
        seed: Of the draws.
        progress: Called with the draws done and all.
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
        right, *found = outcomes(np.sort(generator.permutation(len(ids))[:size]))
        accuracies[draw] = [(each == right).mean() for each in found]
        if progress:
            progress(draw + 1, draws)
    right, *found = outcomes(np.arange(len(ids)))
    return tuple(
        _accuracy(name, each, right, accuracies[:, column], confidence)
        for column, (name, each) in enumerate(zip(names, found, strict=True))
    )


def _accuracy(
    metric: str, found: Outcomes, right: Outcomes, drawn: Floats, confidence: float
) -> Accuracy:
    several = len(drawn) > 1
    mean = float(drawn.mean()) if len(drawn) else None
    sd = float(drawn.std(ddof=1)) if several else None
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
    found = signed_ranks(differences)
    return np.where(adjusted(found.p, correction) < significance, found.direction, 0)


def _sample_size(topics: int | None, there: int) -> int:
    size = max(1, 9 * there // 10) if topics is None else topics
    if not 1 <= size <= there:
        raise InputError(f"a sample has from 1 to all {there} topics, not {size}")
    return size


def _need_two(systems: Sequence[str]) -> None:
    if len(systems) < 2:
        raise InputError(f"a comparison needs two systems; the scores have only {systems[0]!r}")


def _pairs(systems: int) -> tuple[list[int], list[int]]:
    first, second = zip(*combinations(range(systems), 2), strict=True)
    return list(first), list(second)


def _mean(differences: Floats) -> float | None:
    there = differences[~np.isnan(differences)]
    return float(there.mean()) if len(there) else None
