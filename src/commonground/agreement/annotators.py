"""Agreement between annotators: every pair, and all together."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from commonground.agreement.correlations import Floats, correlation
from commonground.agreement.estimate import Estimate, Spread, mean_of
from commonground.agreement.kappa import Measurement, cohen_kappa, krippendorff_alpha
from commonground.agreement.labels import SIDES, Ratings, SentenceLabels
from commonground.agreement.rewards import reward
from commonground.errors import InputError
from commonground.plain import Plain, to_plain

_Item = TypeVar("_Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PairAgreement(Plain):
    """Agreement of two annotators on the items that both labelled.

    Attributes:
        tau: Kendall's tau-b.
        kappa: Cohen's kappa.
        weighted_kappa: Cohen's kappa with linear weights.
        reward: For sentence labels, the papers' reward: mean and deviation over summaries.
    """

    first: str
    second: str
    tau: Estimate
    kappa: Estimate
    weighted_kappa: Estimate
    reward: Spread | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of annotators on one quantity: a score, precision or recall.

    Attributes:
        pairs: Every pair of annotators.
        alpha: Krippendorff's alpha of all, by level of measurement: `nominal`, `ordinal`,
            `interval`.
        items: The number of items with a label.
        complete: The number of items that all of them labelled.
    """

    quantity: str
    pairs: tuple[PairAgreement, ...]
    alpha: Mapping[str, Estimate]
    items: int
    complete: int

    def mean(self, statistic: str) -> float | None:
        """Return the mean over pairs of `tau`, `kappa`, `weighted_kappa` or `reward`."""
        values = [getattr(pair, statistic) for pair in self.pairs]
        return mean_of(
            [one.mean if isinstance(one, Spread) else one.value for one in values if one]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "quantity": self.quantity,
            "items": self.items,
            "complete": self.complete,
            "pairs": to_plain(self.pairs),
            "mean": {
                name: self.mean(name) for name in ("tau", "kappa", "weighted_kappa", "reward")
            },
            "alpha": to_plain(self.alpha),
        }


def annotator_agreement(labels: Ratings | SentenceLabels) -> tuple[Agreement, ...]:
    """Return the agreement on each quantity: the ratings, or the two sides of sentence labels.

    Sentence labels are pooled over the data set and count as P=1, PP=.5, A=0; for recall the
    sentences of all references of a summary are pooled.

    Raises:
        InputError: There is only one annotator.
    """
    if len(labels.annotators) < 2:
        raise InputError(
            f"agreement needs two annotators; the labels are all by {labels.annotators[0]!r}"
        )
    if isinstance(labels, Ratings):
        return tuple(_agreement(quantity, values) for quantity, values in labels.values.items())
    sides = {side: {who: labels.numbers(who, side) for who in labels.annotators} for side in SIDES}
    return tuple(
        _agreement(side, values, labels) for side, values in sides.items() if any(values.values())
    )


def _agreement(
    quantity: str,
    values: Mapping[str, Mapping[_Item, float]],
    labels: SentenceLabels | None = None,
) -> Agreement:
    items = sorted({item for by_item in values.values() for item in by_item})  # type: ignore[type-var]
    table = np.array([[by_item.get(item, np.nan) for item in items] for by_item in values.values()])
    complete = int((~np.isnan(table)).all(axis=0).sum())
    rows = zip(values, table, strict=True)
    pairs = tuple(_pair(one, other, quantity, labels) for one, other in combinations(rows, 2))
    levels: tuple[Measurement, ...] = ("nominal", "ordinal", "interval")
    alpha = {str(level): krippendorff_alpha(table, level) for level in levels}
    return Agreement(quantity, pairs, alpha, len(items), complete)


def _pair(
    one: tuple[str, Floats], other: tuple[str, Floats], side: str, labels: SentenceLabels | None
) -> PairAgreement:
    both = ~np.isnan(one[1] + other[1])
    names, (first, second) = (one[0], other[0]), (one[1][both], other[1][both])
    return PairAgreement(
        *names,
        correlation(first, second, "kendall"),
        cohen_kappa(first, second),
        cohen_kappa(first, second, "linear"),
        reward(*(labels.side(name, side) for name in names)) if labels else None,
    )
