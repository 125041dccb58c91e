"""How much of a unit counts, by its probability: the rule of the package and others."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid import share_of

Shares = NDArray[np.float64]
Rule = Callable[[Shares], Shares]

package: Rule = np.vectorize(share_of, otypes=[float])


def in_full(yes: float, partly: float, half: bool = False) -> Rule:
    """Count a unit in full from one limit on, and half or its probability from another."""

    def counted(present: Shares) -> Shares:
        rest = np.where(present < partly, 0.0, 0.5 if half else present)
        return np.where(present >= yes, 1.0, rest)

    return counted


RULES = {
    "package: probability from .25": package,
    "probability": in_full(1, 0),
    "probability from .35": in_full(1, 0.35),
    "1 from .75, probability from .25": in_full(0.75, 0.25),
    "1 from .5, probability from .25": in_full(0.5, 0.25),
    "1 from .5, half from .25": in_full(0.5, 0.25, half=True),
    "1 from .55, half from .35": in_full(0.55, 0.35, half=True),
    "1 from .75, half from .25": in_full(0.75, 0.25, half=True),
}
