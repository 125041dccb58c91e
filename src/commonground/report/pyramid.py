"""A pyramid as a standalone HTML page without scripts."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any, Final

from commonground.report.page import asset, counted, html_page, wordings

_TOP: Final = 0.45  # width of the top tier as a share of the page; the lowest fills it
_TIER_HEIGHT: Final = 34
_DRAWING: Final = 480

_Tiers = Sequence[tuple[int, Sequence[Mapping[str, Any]]]]


def pyramid_page(pyramid: Mapping[str, Any], title: str = "Pyramid") -> str:
    """Return the page: a drawing of the tiers, the units of each tier, the references.

    Args:
        pyramid: `units` (each with `label`, `weight` and `contributors`, these with `reference`
            and `text`), `references` and `signature`, as in the JSON of a pyramid; the heaviest
            unit first.
        title: The heading.
    """
    tiers = [
        (weight, list(units))
        for weight, units in groupby(pyramid["units"], key=lambda unit: int(unit["weight"]))
    ]
    references, signature = pyramid["references"], dict(pyramid["signature"])
    line = "|".join(
        [signature.pop("measure"), *(f"{key}:{value}" for key, value in signature.items())]
    )
    texts = "\n".join(
        f"<details><summary>Reference {number}</summary><p>{escape(text)}</p></details>"
        for number, text in enumerate(references, start=1)
    )
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="about">{counted(len(pyramid["units"]), "unit")} from '
        f"{counted(len(references), 'reference')}. Open a unit to see who says it.</p>",
        _drawing(tiers),
        *(_section(tiers, index) for index in range(len(tiers))),
        f'<section class="references">\n<h2>References</h2>\n{texts}\n</section>',
        f'<p class="signature">{escape(line)}</p>',
    ]
    return html_page(title, pyramid_style(), body)


def pyramid_style() -> str:
    """Return the CSS rules of the tiers and units, without those of every page."""
    return asset("pyramid.css")


def _drawing(tiers: _Tiers) -> str:
    """Return the silhouette; each tier links to its units."""
    if not tiers:
        return ""
    top = _DRAWING * _TOP / 2  # leaves room for the words in the top tier
    slope = (_DRAWING - top) / 2 / len(tiers)
    shapes = []
    for index, (weight, units) in enumerate(tiers):
        upper, lower = (top / 2 + slope * edge for edge in (index, index + 1))
        middle, high, low = _DRAWING / 2, index * _TIER_HEIGHT, (index + 1) * _TIER_HEIGHT
        shapes.append(
            f'<a href="#weight-{weight}" style="{_tint(tiers, index)}">'
            f'<polygon points="{middle - upper:.1f},{high} {middle + upper:.1f},{high} '
            f'{middle + lower:.1f},{low} {middle - lower:.1f},{low}"/>'
            f'<text x="{middle:.0f}" y="{(high + low) / 2 + 5:.0f}">'
            f"{weight}: {counted(len(units), 'unit')}</text></a>"
        )
    return (
        f'<svg viewBox="0 0 {_DRAWING} {_TIER_HEIGHT * len(tiers)}" role="group" '
        f'aria-label="A pyramid of {counted(len(tiers), "tier")}">{"".join(shapes)}</svg>'
    )


def _section(tiers: _Tiers, index: int) -> str:
    weight, units = tiers[index]
    share = 1.0 if len(tiers) == 1 else _TOP + (1 - _TOP) * index / (len(tiers) - 1)
    blocks = "\n".join(
        f'<details class="unit"><summary>{escape(unit["label"])}</summary>'
        f"{wordings(unit['contributors'])}</details>"
        for unit in units
    )
    return (
        f'<section class="tier" id="weight-{weight}" '
        f'style="--width: {share:.0%}; {_tint(tiers, index)}">\n'
        f"<h2>Weight {weight} <span>({counted(len(units), 'unit')})</span></h2>\n"
        f'<div class="units">\n{blocks}\n</div>\n</section>'
    )


def _tint(tiers: _Tiers, index: int) -> str:
    """Return a colour that is stronger for heavier tiers but keeps the words readable."""
    share = round(30 * (1 - index / len(tiers)))
    return f"--tint: color-mix(in srgb, var(--accent) {share}%, var(--card))"
