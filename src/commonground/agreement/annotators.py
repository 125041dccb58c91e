"""Do annotators agree? Every pair of them, and all together."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from commonground.agreement.correlations import correlation
from commonground.agreement.estimate import Estimate, Spread, mean_of
from commonground.agreement.kappa import cohen_kappa, krippendorff_alpha
from commonground.agreement.labels import SIDES, Ratings, SentenceLabels
from commonground.agreement.rewards import reward
from commonground.errors import InputError

_Item = TypeVar("_Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two annotators agree on the items that both labelled.

    Attributes:
        tau: Kendall's tau-b.
        kappa: Cohen's kappa.
        weighted_kappa: The same with linear weights.
        reward: For sentence labels, the papers' reward: mean and deviation over summaries.
    """

    first: str
    second: str
    tau: Estimate
    kappa: Estimate
    weighted_kappa: Estimate
    reward: Spread | None

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, unrounded."""
        return {
            "first": self.first,
            "second": self.second,
            "tau": self.tau.to_dict(),
            "kappa": self.kappa.to_dict(),
            "weighted_kappa": self.weighted_kappa.to_dict(),
            "reward": self.reward.to_dict() if self.reward else None,
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree on one quantity: a score, precision or recall.

    Attributes:
        pairs: Every two annotators.
        alpha: Krippendorff's alpha of all, by level of measurement: `nominal`, `ordinal`,
            `interval`.
        items: How many items anybody labelled.
        complete: How many all of them labelled.
    """

    quantity: str
    pairs: tuple[PairAgreement, ...]
    alpha: Mapping[str, Estimate]
    items: int
    complete: int

    def mean(self, statistic: str) -> float | None:
        """The mean over the pairs of `tau`, `kappa`, `weighted_kappa` or `reward`."""
        found = [getattr(pair, statistic) for pair in self.pairs]
        return mean_of(
            [one.mean if isinstance(one, Spread) else one.value for one in found if one is not None]
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it, unrounded."""
        return {
            "quantity": self.quantity,
            "items": self.items,
            "complete": self.complete,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "mean": {
                name: self.mean(name) for name in ("tau", "kappa", "weighted_kappa", "reward")
            },
            "alpha": {level: one.to_dict() for level, one in self.alpha.items()},
        }


def annotator_agreement(labels: Ratings | SentenceLabels) -> tuple[Agreement, ...]:
    """Agreement on each quantity: the scores that were asked for, or the two sides.

    Sentence labels are flattened over the data set and count as P=1, PP=.5, A=0; for recall the
    sentences of all references of a summary are pooled.

    Raises:
        InputError: There is one annotator alone.
    """
    if len(labels.annotators) < 2:
        raise InputError(
            f"agreement needs two annotators; the labels are all by {labels.annotators[0]!r}"
        )
    if isinstance(labels, Ratings):
        return tuple(_agreement(quantity, given) for quantity, given in labels.values.items())
    found = []
    for side in SIDES:
        numbers = {who: labels.numbers(who, side) for who in labels.annotators}
        if any(numbers.values()):
            found.append(_agreement(side, numbers, labels))
    return tuple(found)


def _agreement(
    quantity: str,
    given: Mapping[str, Mapping[_Item, float]],
    labels: SentenceLabels | None = None,
) -> Agreement:
    items = sorted({item for values in given.values() for item in values})  # type: ignore[type-var]
    table = np.array([[values.get(item, np.nan) for item in items] for values in given.values()])
    names = list(given)
    pairs = []
    for one, other in combinations(range(len(names)), 2):
        rewarded = _reward(labels, names[one], names[other], quantity) if labels else None
        pairs.append(_pair(names[one], names[other], table[[one, other]], rewarded))
    alpha = {
        level: krippendorff_alpha(table, level) for level in ("nominal", "ordinal", "interval")
    }
    complete = int((~np.isnan(table)).all(axis=0).sum())
    return Agreement(quantity, tuple(pairs), alpha, len(items), complete)


def _pair(
    first: str, second: str, table: NDArray[np.float64], rewarded: Spread | None
) -> PairAgreement:
    both = table[:, ~np.isnan(table).any(axis=0)]
    one, other = both[0].tolist(), both[1].tolist()
    return PairAgreement(
        first,
        second,
        correlation(one, other, "kendall"),
        cohen_kappa(one, other),
        cohen_kappa(one, other, "linear"),
        rewarded,
    )


def _reward(labels: SentenceLabels, first: str, second: str, side: str) -> Spread:
    chosen = (
        {place: label for place, label in labels.values[who].items() if place.side == side}
        for who in (first, second)
    )
    return reward(*chosen)
