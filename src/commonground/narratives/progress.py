"""Progress of a comparison: its stages, each with its usual share of the time."""

from collections.abc import Callable
from itertools import accumulate
from typing import Literal, TypeAlias

Progress: TypeAlias = Callable[[float, str], None]
"""A callback with the completed share, from 0 to 1, and the next step in words."""

Stage = Literal["read", "facts", "conflicts", "compare", "choose", "unique"]

_SHARES: dict[Stage, float] = {
    "read": 0.22,
    "facts": 0.06,
    "conflicts": 0.02,
    "compare": 0.4,
    "choose": 0.28,
    "unique": 0.02,
}
_STARTS = dict(zip(_SHARES, accumulate(_SHARES.values(), initial=0.0), strict=False))


class Stages:
    """Reports the stages of one comparison; does nothing without a callback."""

    def __init__(self, callback: Progress | None = None) -> None:
        self._callback = callback

    def report(self, stage: Stage, message: str, step: int = 0, steps: int = 1) -> None:
        """Report that a step of a stage, counted from 0, begins."""
        if self._callback:
            self._callback(_STARTS[stage] + _SHARES[stage] * step / steps, message)

    def finish(self) -> None:
        """Report the end."""
        if self._callback:
            self._callback(1.0, "Done")
