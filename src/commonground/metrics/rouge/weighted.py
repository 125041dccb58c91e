"""ROUGE-W: a common subsequence in which consecutive matches count more (Lin 2004, section 4)."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

WEIGHT: Final = 1.2
"""A run of k matches counts k ** 1.2, the value of ROUGE 1.5.5."""


def weighted_lcs(first: Sequence[int], second: Sequence[int], weight: float = WEIGHT) -> float:
    """Return the weighted length of the common subsequence.

    Example:
        >>> weighted_lcs([1, 2, 3, 4, 5], [1, 2, 3, 9, 9], weight=2)
        9.0
        >>> weighted_lcs([1, 2, 3, 4, 5], [1, 9, 2, 9, 3], weight=2)
        3.0
    """
    places: dict[int, list[int]] = {}
    for place, token in enumerate(second, start=1):
        places.setdefault(token, []).append(place)
    gains = [(k + 1) ** weight - k**weight for k in range(min(len(first), len(second)) + 1)]
    above = [0.0] * (len(second) + 1)
    runs: dict[int, int] = {}
    for token in first:
        matches = places.get(token)
        if not matches:  # as in most rows
            above, runs = list(accumulate(above, max)), {}
            continue
        row = above.copy()
        lengths = {}
        before = 0
        for place in matches:
            row[before:place] = accumulate(row[before:place], max)
            run = runs.get(place - 1, 0)
            row[place] = above[place - 1] + gains[run]
            lengths[place] = run + 1
            before = place
        row[before:] = accumulate(row[before:], max)
        above, runs = row, lengths
    return above[-1]


def unweighted(share: float, weight: float = WEIGHT) -> float:
    """Return the inverse of the weighting, so that a full match is 1."""
    return float(share ** (1 / weight))
