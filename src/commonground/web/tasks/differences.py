"""Whether the best of several systems is better than the others, or only luckier."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from commonground.agreement import PairedTest, Scores, adjusted, paired_systems

_METRIC: Final = "SEM-F1"
_RESAMPLES: Final = 10_000
_SIGNIFICANT: Final = 0.05


def behind_best(f1: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, dict[str, Any]]:
    """Compare the best system, which is the first, with every other one, on their common ids.

    `f1` has pairs of id and F1 for each system. Returns the difference, its 95% interval, the
    p-value of the permutation test (after Holm, for the number of systems) and the number of ids;
    `smallest_p` is the lowest p-value that so many ids can give, `ids_needed` how many could give
    one below 0.05 (None: too many systems). A system without a common id, or with an id twice, is
    left out.
    """
    best, *others = f1
    tests = {other: test for other in others if (test := _test(f1[best], f1[other]))}
    floors = [smallest_p(test.n) for test in tests.values()]
    # The signs are drawn at random, so a p-value can fall below its floor by chance.
    p_values = adjusted(
        [max(test.p_permutation, least) for test, least in zip(tests.values(), floors, strict=True)]
    )
    needed = ids_needed(len(tests))
    return {
        other: {
            "difference": test.difference,
            "low": test.interval.low if test.interval else None,
            "high": test.interval.high if test.interval else None,
            "p": float(p),
            "items": test.n,
            "smallest_p": float(least),
            "ids_needed": needed,
        }
        # Holm never lowers a p-value if another rises, so the floors together give the lowest ones.
        for (other, test), p, least in zip(tests.items(), p_values, adjusted(floors), strict=True)
    }


def smallest_p(ids: int) -> float:
    """Return the lowest p-value of the permutation test for one comparison on so many ids.

    Two of the 2^ids ways to flip signs give a difference at least as large, either way: the one of
    the data and its opposite.

    Example:
        >>> smallest_p(4)
        0.125
    """
    return max(2.0 ** (1 - ids), 1 / (_RESAMPLES + 1))


def ids_needed(comparisons: int) -> int | None:
    """Return how many common ids could give a p-value below 0.05 after Holm; None if no number.

    Example:
        >>> ids_needed(1), ids_needed(2)
        (6, 7)
    """
    enough = (ids for ids in range(1, 40) if comparisons * smallest_p(ids) < _SIGNIFICANT)
    return next(enough, None)


def _test(
    mine: Sequence[tuple[str, float]], theirs: Sequence[tuple[str, float]]
) -> PairedTest | None:
    ids = [{id for id, _ in side} for side in (mine, theirs)]
    repeated = len(ids[0]) < len(mine) or len(ids[1]) < len(theirs)
    if repeated or not ids[0] & ids[1]:
        return None
    sides = (("best", mine), ("other", theirs))
    rows = [(id, name, _METRIC, value) for name, side in sides for id, value in side]
    return paired_systems(Scores.of(rows), _METRIC, "best", "other", resamples=_RESAMPLES)
