"""Does a metric say the same whichever reference it is given?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from commonground.agreement.adjust import adjusted
from commonground.agreement.correlations import Method, correlation
from commonground.agreement.estimate import Estimate, mean_of
from commonground.agreement.scores import ScoreRow, Scores
from commonground.errors import InputError

# Summaries and their references in, one score each out.
Scorer = Callable[[Sequence[str], Sequence[Sequence[str]]], Mapping[str, Sequence[float]]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReferencePair:
    """How the scores against one reference correlate with those against another.

    Attributes:
        by_system: Over the inputs, for each system.
        adjusted_p: Of the greatest, corrected (Holm) for having looked at all systems.
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
        """The system with the greatest, which flatters the metric where systems are many."""
        there = [(who, one) for who, one in self.by_system.items() if one.value is not None]
        return max(there, key=lambda pair: pair[1].value or 0.0) if there else None

    def significant(self, level: float = 0.05) -> int:
        """For how many systems it is significant, without correction."""
        return sum(one.p is not None and one.p < level for one in self.by_system.values())

    def to_dict(self) -> dict[str, Any]:
        """All of it, unrounded."""
        greatest = self.greatest
        return {
            "first": self.first,
            "second": self.second,
            "mean": self.mean,
            "maximum": greatest[1].value if greatest else None,
            "maximum_system": greatest[0] if greatest else None,
            "maximum_p": greatest[1].p if greatest else None,
            "maximum_p_adjusted": self.adjusted_p,
            "significant": self.significant(),
            "systems": {who: one.to_dict() for who, one in self.by_system.items()},
        }


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """One metric, every two references."""

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
        """All of it, unrounded."""
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

    Args:
        scores: Scores whose rows tell the reference.
        metric: Whose.
        method: `pearson` as in the papers, `spearman` or `kendall`.
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
        one, other = pivots[first], pivots[second]
        ids = [id_ for id_ in one.ids if id_ in set(other.ids)]
        columns = [[each.ids.index(id_) for id_ in ids] for each in (one, other)]
        by_system = {
            system: correlation(
                one.matrix[one.systems.index(system), columns[0]],
                other.matrix[other.systems.index(system), columns[1]],
                method,
            )
            for system in one.systems
            if system in other.systems
        }
        pairs.append(ReferencePair(first, second, by_system, _adjusted(by_system)))
    return ReferenceAgreement(metric, method, tuple(pairs))


def _adjusted(by_system: Mapping[str, Estimate]) -> float | None:
    there = [
        (one.value, one.p)
        for one in by_system.values()
        if one.value is not None and one.p is not None
    ]
    if not there:
        return None
    values, p_values = np.array(there).T
    return float(adjusted(p_values, "holm")[values.argmax()])


def reference_scores(
    summaries: Mapping[tuple[str, str], str],
    references: Mapping[str, Sequence[str]],
    scorer: Scorer,
    *,
    progress: Progress | None = None,
) -> Scores:
    """Score every summary against each of its references alone; these are numbered from 1.

    Args:
        summaries: By id and system.
        references: By id; an empty one is left out.
        scorer: Takes summaries and, for each, a list of references, and gives the values of each
            metric by its name.
        progress: Called with the references done and all.
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
