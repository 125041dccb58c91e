"""Choose the sentences that together say best what the narratives share.

What people would write is not known, but every sentence tells how much it stands for it: the
candidates serve as each other's references, weighted by relevance. A set is good where its
sentences are relevant (precision) and near to all that is relevant (recall).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from commonground.overlap._candidates import Candidate

_SHARPNESS = 20.0  # how quickly a less relevant sentence stops counting as a reference
_WORTH = 0.3  # what the relevance itself is worth beside the F1
_OFFSET = 0.25  # how much higher precision is than relevance, on average
_SEARCHED = 10  # candidates of which every set is tried
_TRIED = 3  # sentences of such a set
_SAME = 0.8  # from this cosine on two sentences say the same; so does one's evidence
_CLEARER = 0.2  # surer by so much, a wording of the same takes another's place ...
_CLOSE = 0.05  # ... where it is less relevant by no more than this
_SURE = 0.45  # the certainty that sentences after the third need


def select(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """The best set of at most so many candidates, which come with the most relevant first.

    Every set of up to three is tried. Who asks for more wants all that is shared: the rest
    follows by relevance, as far as it is well supported.
    """
    if not found:
        return []
    pool = _Pool(found)
    best: tuple[float, tuple[int, ...]] = (-np.inf, ())
    for places in _sets(min(len(found), _SEARCHED), min(most, _TRIED), pool.same):
        best = max(best, (pool.worth(places), places), key=lambda one: one[0])
    chosen = pool.clearest(best[1])
    for place, one in enumerate(found if most > _TRIED else ()):
        if one.certainty >= _SURE and not pool.same[place, chosen].any():
            chosen.append(place)
    return [found[place] for place in chosen[:most]]


class _Pool:
    """What the worth of a set is worked out from."""

    def __init__(self, found: Sequence[Candidate]) -> None:
        vectors = np.array([one.vector for one in found], dtype=np.float64)
        self.nearness = np.clip(vectors @ vectors.T, 0.0, 1.0)
        self.same = self.nearness >= _SAME
        shows = np.array([[_shows(one, other) for other in found] for one in found])
        self.same |= shows | shows.T
        self._mutual = (shows & shows.T) | (self.nearness >= _SAME)
        self._certainty = np.array([one.certainty for one in found])
        self._relevance = np.array([one.relevance for one in found])
        shares = np.exp(_SHARPNESS * (self._relevance - self._relevance.max()))
        self._shares = shares / shares.sum()
        self._words = np.array([len(one.text.split()) for one in found], dtype=np.float64)

    def worth(self, places: Sequence[int]) -> float:
        """Rounded, so that the last digits, which depend on the machine, decide nothing."""
        rows = list(places)
        precision = float(self._relevance[rows].mean()) + _OFFSET
        recall = float(self._shares @ self.nearness[:, rows].max(axis=1))
        both = precision > 0 and recall > 0
        worth = 2 * precision * recall / (precision + recall) if both else 0.0
        worth += _WORTH * float(np.average(self._relevance[rows], weights=self._words[rows]))
        return round(worth, 9)

    def clearest(self, places: Sequence[int]) -> list[int]:
        """The places, each for the wording of the same that the other narratives state best."""
        taken = list(places)
        for number, place in enumerate(places):
            rest = taken[:number] + taken[number + 1 :]
            better = (
                self._mutual[place]
                & ~self.same[:, rest].any(axis=1)
                & (self._certainty >= self._certainty[place] + _CLEARER)
                & (self._relevance >= self._relevance[place] - _CLOSE)
            )
            if better.any():
                taken[number] = int(np.where(better, np.round(self._certainty, 9), -1).argmax())
        return taken


def _shows(one: Candidate, other: Candidate) -> bool:
    """Whether the sentence of the one is the other's evidence in its narrative."""
    return one.narrative != other.narrative and other.shown[one.narrative] == one.sentence


def _sets(count: int, most: int, same: NDArray[np.bool_]) -> Iterator[tuple[int, ...]]:
    """All sets without two sentences that say the same, small ones first."""
    for size in range(1, most + 1):
        for places in combinations(range(count), size):
            if not any(same[one, other] for one, other in combinations(places, 2)):
                yield places
