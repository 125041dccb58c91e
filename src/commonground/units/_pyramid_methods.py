"""The ways to score a summary, by name."""

from collections.abc import Sequence
from typing import Final

from commonground import encoders
from commonground._score import Signature
from commonground.encoders import Encoder
from commonground.errors import InputError, unknown_name
from commonground.units._presets import preset_of
from commonground.units._pyramid_hard import MATCHERS, HardScorer
from commonground.units._pyramid_score import Scorer
from commonground.units._pyramid_soft import SoftScorer
from commonground.units._unit import Unit

SOFT: Final = "soft"
METHODS: Final = (SOFT, *MATCHERS)


def scorer(
    units: Sequence[Unit],
    references: int,
    pyramid: Signature,
    method: str | None,
    encoder: str | Encoder | None,
    threshold: float | None,
) -> Scorer:
    """What scores summaries against units; `Pyramid.scorer` says what the choices are."""
    if not units:
        raise InputError("a pyramid without units cannot score")
    chosen = preset_of(pyramid)
    if method is None:
        method = chosen.method if chosen else SOFT
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if method != SOFT:
        return HardScorer(units, references, pyramid, method, encoder, threshold)
    if threshold is not None:
        raise InputError(f"the method {SOFT!r} has no threshold; {' and '.join(MATCHERS)} have")
    return SoftScorer(units, references, pyramid, encoder or encoders.DEFAULT)
