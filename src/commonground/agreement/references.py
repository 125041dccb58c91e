"""Agreement of a metric's scores against different references."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from commonground.agreement.coefficients import Estimate, mean_of
from commonground.agreement.correlations import Method, correlation
from commonground.agreement.scores import ScoreRow, Scores, common
from commonground.agreement.significance import adjusted
from commonground.errors import InputError
from commonground.frames import HasRows
from commonground.plain import to_plain
from commonground.score import Progress

# From summaries and their references to the values of each metric by name.
Scorer = Callable[[Sequence[str], Sequence[Sequence[str]]], Mapping[str, Sequence[float]]]


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
        return mean_of([estimate.value for estimate in self.by_system.values()])

    @property
    def greatest(self) -> tuple[str, Estimate] | None:
        """The system with the greatest correlation, which is optimistic for many systems."""
        known = [item for item in self.by_system.items() if item[1].value is not None]
        return max(known, key=lambda item: item[1].value or 0.0, default=None)

    def significant(self) -> int:
        """Count the systems with p < .05, without correction."""
        return sum(e.p is not None and e.p < 0.05 for e in self.by_system.values())

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
class ReferenceAgreement(HasRows):
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

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each pair of references and system."""
        return [
            {
                "metric": self.metric,
                "first": pair.first,
                "second": pair.second,
                "system": system,
                "value": estimate.value,
                "p": estimate.p,
            }
            for pair in self.pairs
            for system, estimate in pair.by_system.items()
        ]

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
            system: correlation(x, y, method)
            for system, x, y in zip(systems, *matrices, strict=True)
        }
        tests = [(e.value, e.p) for e in by_system.values() if None not in (e.value, e.p)]
        adjusted_p = None
        if tests:
            values, p_values = np.array(tests, dtype=float).T
            adjusted_p = float(adjusted(p_values, "holm")[values.argmax()])
        pairs.append(ReferencePair(first, second, by_system, adjusted_p))
    return ReferenceAgreement(metric, method, tuple(pairs))


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
            scores = scorer(
                [summaries[key] for key in keys], [[references[id_][number]] for id_, _ in keys]
            )
            rows += [
                ScoreRow(*key, metric, float(value), str(number + 1))
                for metric, values in scores.items()
                for key, value in zip(keys, values, strict=True)
            ]
        if progress:
            progress(number + 1, most)
    return Scores(tuple(rows))
