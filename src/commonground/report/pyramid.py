"""A pyramid as a standalone HTML page without scripts."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from commonground.report.page import asset, html_page, render

_TOP: Final = 0.45  # width of the top tier as a share of the page; the lowest fills it
_TIER_HEIGHT: Final = 34
_DRAWING: Final = 480


def pyramid_page(pyramid: Mapping[str, Any], title: str = "Pyramid") -> str:
    """Return the page: a drawing of the tiers, the units of each tier, the references.

    Args:
        pyramid: `units` (each with `label`, `weight` and `contributors`, these with `reference`
            and `text`), `references` and `signature`, as in the JSON of a pyramid; the heaviest
            unit first.
        title: The heading.
    """
    fields = dict(pyramid["signature"])
    signature = [fields.pop("measure"), *(f"{key}:{value}" for key, value in fields.items())]
    body = render(
        "pyramid.html",
        pyramid=pyramid,
        title=title,
        tiers=_tiers(pyramid["units"]),
        width=_DRAWING,
        height=_TIER_HEIGHT,
        signature="|".join(signature),
    )
    return html_page(title, asset("pyramid.css"), body)


def _tiers(units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the weight, units, width, colour and outline of each tier; each outline is a link."""
    groups = [
        (weight, list(tier)) for weight, tier in groupby(units, key=lambda unit: unit["weight"])
    ]
    count, middle = len(groups), _DRAWING / 2
    top = _DRAWING * _TOP / 2  # leaves room for the words in the top tier
    slope = (_DRAWING - top) / 2 / max(1, count)
    tiers = []
    for index, (weight, tier) in enumerate(groups):
        upper, lower = (top / 2 + slope * edge for edge in (index, index + 1))
        high, low = index * _TIER_HEIGHT, (index + 1) * _TIER_HEIGHT
        # Stronger for heavier tiers, but the words stay readable.
        tint = f"color-mix(in srgb, var(--accent) {round(30 * (1 - index / count))}%, var(--card))"
        tiers.append(
            {
                "weight": weight,
                "units": tier,
                "share": 1.0 if count == 1 else _TOP + (1 - _TOP) * index / (count - 1),
                "tint": f"--tint: {tint}",
                "corners": f"{middle - upper:.1f},{high} {middle + upper:.1f},{high} "
                f"{middle + lower:.1f},{low} {middle - lower:.1f},{low}",
            }
        )
    return tiers
