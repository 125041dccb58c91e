"""Agreement of a metric's scores against different references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from commonground.agreement.adjust import adjusted
from commonground.agreement.correlations import Method, correlation
from commonground.agreement.estimate import Estimate, mean_of
from commonground.agreement.scores import ScoreRow, Scores, common
from commonground.errors import InputError
from commonground.plain import to_plain

# From summaries and their references to the values of each metric by name.
Scorer = Callable[[Sequence[str], Sequence[Sequence[str]]], Mapping[str, Sequence[float]]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReferencePair:
    """Correlation of the scores against one reference with those against another.

    Attributes:
        by_system: The correlation over inputs, for each system.
        adjusted_p: The p-value of the greatest, corrected (Holm) for the number of systems.
    """

    first: str
    second: str
    by_system: Mapping[str, Estimate]
    adjusted_p: float | None

    @property
    def mean(self) -> float | None:
        """The mean over systems."""
        return mean_of([one.value for one in self.by_system.values()])

    @property
    def greatest(self) -> tuple[str, Estimate] | None:
        """The system with the greatest correlation, which is optimistic for many systems."""
        known = [(who, one) for who, one in self.by_system.items() if one.value is not None]
        return max(known, key=lambda pair: pair[1].value or 0.0) if known else None

    def significant(self, level: float = 0.05) -> int:
        """Count the systems with a significant correlation, without correction."""
        return sum(one.p is not None and one.p < level for one in self.by_system.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        system, greatest = self.greatest or (None, None)
        return {
            "first": self.first,
            "second": self.second,
            "mean": self.mean,
            "maximum": greatest.value if greatest else None,
            "maximum_system": system,
            "maximum_p": greatest.p if greatest else None,
            "maximum_p_adjusted": self.adjusted_p,
            "significant": self.significant(),
            "systems": to_plain(self.by_system),
        }


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """One metric, every pair of references."""

    metric: str
    method: str
    pairs: tuple[ReferencePair, ...]

    @property
    def mean(self) -> float | None:
        """The mean over pairs of the mean over systems."""
        return mean_of([pair.mean for pair in self.pairs])

    @property
    def mean_of_greatest(self) -> float | None:
        """The mean over pairs of the maximum over systems, which the papers report."""
        return mean_of([pair.greatest[1].value if pair.greatest else None for pair in self.pairs])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "metric": self.metric,
            "method": self.method,
            "mean": self.mean,
            "mean_of_maxima": self.mean_of_greatest,
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def reference_agreement(
    scores: Scores, metric: str, method: Method = "pearson"
) -> ReferenceAgreement:
    """Correlate, for each system, a metric's scores against one reference with those of another.

    The rows of `scores` must name their reference. The papers use `pearson`.
    """
    references = scores.references(metric)
    if len(references) < 2:
        raise InputError(
            f"metric {metric!r} has scores against {len(references)} single references; "
            'two are needed (the column "reference")'
        )
    pivots = {reference: scores.pivot(metric, reference) for reference in references}
    pairs = []
    for first, second in combinations(references, 2):
        systems, _, matrices = common((pivots[first], pivots[second]))
        by_system = {
            system: correlation(one, other, method)
            for system, one, other in zip(systems, *matrices, strict=True)
        }
        pairs.append(ReferencePair(first, second, by_system, _adjusted(by_system)))
    return ReferenceAgreement(metric, method, tuple(pairs))


def _adjusted(by_system: Mapping[str, Estimate]) -> float | None:
    known = [(one.value, one.p) for one in by_system.values() if None not in (one.value, one.p)]
    if not known:
        return None
    values, p_values = np.array(known, dtype=float).T
    return float(adjusted(p_values, "holm")[values.argmax()])


def reference_scores(
    summaries: Mapping[tuple[str, str], str],
    references: Mapping[str, Sequence[str]],
    scorer: Scorer,
    *,
    progress: Progress | None = None,
) -> Scores:
    """Score every summary (by id and system) against each non-empty reference alone.

    References are numbered from 1. `progress` is called with the references done and in all.
    """
    rows: list[ScoreRow] = []
    most = max((len(references[id_]) for id_, _ in summaries), default=0)
    for number in range(most):
        keys = [
            key
            for key in summaries
            if number < len(references[key[0]]) and references[key[0]][number].strip()
        ]
        if keys:
            found = scorer(
                [summaries[key] for key in keys], [[references[id_][number]] for id_, _ in keys]
            )
            rows += [
                ScoreRow(*key, metric, float(value), str(number + 1))
                for metric, values in found.items()
                for key, value in zip(keys, values, strict=True)
            ]
        if progress:
            progress(number + 1, most)
    return Scores(tuple(rows))
