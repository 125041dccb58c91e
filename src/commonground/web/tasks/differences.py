"""Whether the best of several systems is better than the others, or only luckier."""

from collections.abc import Mapping, Sequence
from typing import Any

from commonground.agreement import PairedTest, Scores, adjusted, paired_systems

_METRIC = "SEM-F1"


def behind_best(f1: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, dict[str, Any]]:
    """Compare the best system, which is the first, with every other one, on their common ids.

    `f1` has pairs of id and F1 for each system. Returns the difference, its 95% interval, the
    p-value of the permutation test (after Holm, for the number of systems) and the number of ids.
    A system without a common id, or with an id twice, is left out.
    """
    best, *others = f1
    tests = {other: test for other in others if (test := _test(f1[best], f1[other]))}
    p_values = adjusted([test.p_permutation for test in tests.values()])
    return {
        other: {
            "difference": test.difference,
            "low": test.interval.low if test.interval else None,
            "high": test.interval.high if test.interval else None,
            "p": float(p),
            "items": test.n,
        }
        for (other, test), p in zip(tests.items(), p_values, strict=True)
    }


def _test(
    mine: Sequence[tuple[str, float]], theirs: Sequence[tuple[str, float]]
) -> PairedTest | None:
    ids = [{id for id, _ in side} for side in (mine, theirs)]
    repeated = len(ids[0]) < len(mine) or len(ids[1]) < len(theirs)
    if repeated or not ids[0] & ids[1]:
        return None
    sides = (("best", mine), ("other", theirs))
    rows = [(id, name, _METRIC, value) for name, side in sides for id, value in side]
    return paired_systems(Scores.of(rows), _METRIC, "best", "other")
