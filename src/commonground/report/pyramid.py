"""A pyramid as one HTML page that needs nothing else: no script, no network."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any, Final

from commonground.report.page import counted, html_page, wordings

# A tier is this share of the page wide at the top; the lowest has all of it.
_TOP: Final = 0.45
_TIER_HEIGHT: Final = 34
_DRAWING: Final = 480

_STYLE: Final = """
h2 { margin: 0 0 .5rem; font-size: 1rem; text-align: center; }
h2 span { color: var(--soft); font-weight: normal; }
svg { display: block; margin: 1rem auto 1.5rem; width: 100%; max-width: 30rem; height: auto; }
svg polygon { fill: var(--tint); stroke: var(--page); stroke-width: 2; }
svg a:hover polygon, svg a:focus polygon { stroke: var(--accent); }
svg text { fill: var(--ink); font-size: 14px; text-anchor: middle; }
.tier { width: var(--width); margin: 0 auto 1.25rem; }
.units { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center; }
.unit { flex: 1 1 13rem; max-width: 30rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--tint); overflow-wrap: anywhere; break-inside: avoid; }
.unit[open] { flex-basis: 100%; }
.unit summary { padding: .5rem .7rem; cursor: pointer; }
.unit summary:focus-visible { outline: 2px solid var(--accent); border-radius: .4rem; }
.references { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.references p { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 46rem; }
@media (max-width: 44rem) { .tier { width: 100%; } .unit { flex-basis: 100%; max-width: none; } }
@media print {
  .tier { width: 100%; }
  .unit { print-color-adjust: exact; } }
"""


def pyramid_page(pyramid: Mapping[str, Any], title: str = "Pyramid") -> str:
    """The page: a drawing of the tiers, the units of each tier, the references.

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
    references = pyramid["references"]
    about = f"{counted(len(pyramid['units']), 'unit')} from "
    about += f"{counted(len(references), 'reference')}. Open a unit to see who says it."
    sections = [_section(tiers, place) for place in range(len(tiers))]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="about">{about}</p>',
        _drawing(tiers),
        *sections,
        _references(references),
        f'<p class="signature">{escape(_signature(pyramid["signature"]))}</p>',
    ]
    return html_page(title, _STYLE, body)


def pyramid_style() -> str:
    """The rules of the tiers and units, beside those of every page."""
    return _STYLE


_Tiers = Sequence[tuple[int, Sequence[Mapping[str, Any]]]]


def _drawing(tiers: _Tiers) -> str:
    """The silhouette, each tier a link to its units."""
    if not tiers:
        return ""
    height = _TIER_HEIGHT * len(tiers)
    # Room for the words in the topmost tier.
    top = _DRAWING * _TOP / 2
    slope = (_DRAWING - top) / 2 / len(tiers)
    shapes = []
    for place, (weight, units) in enumerate(tiers):
        upper, lower = (top / 2 + slope * edge for edge in (place, place + 1))
        middle, high, low = _DRAWING / 2, place * _TIER_HEIGHT, (place + 1) * _TIER_HEIGHT
        points = f"{middle - upper:.1f},{high} {middle + upper:.1f},{high} "
        points += f"{middle + lower:.1f},{low} {middle - lower:.1f},{low}"
        words = f"{weight}: {counted(len(units), 'unit')}"
        shapes.append(
            f'<a href="#weight-{weight}" style="{_tint(tiers, place)}">'
            f'<polygon points="{points}"/>'
            f'<text x="{middle:.0f}" y="{(high + low) / 2 + 5:.0f}">{words}</text></a>'
        )
    name = f"A pyramid of {counted(len(tiers), 'tier')}"
    return (
        f'<svg viewBox="0 0 {_DRAWING} {height}" role="group" aria-label="{name}">'
        + "".join(shapes)
        + "</svg>"
    )


def _section(tiers: _Tiers, place: int) -> str:
    weight, units = tiers[place]
    share = 1.0 if len(tiers) == 1 else _TOP + (1 - _TOP) * place / (len(tiers) - 1)
    blocks = "\n".join(_unit(unit) for unit in units)
    return (
        f'<section class="tier" id="weight-{weight}" '
        f'style="--width: {share:.0%}; {_tint(tiers, place)}">\n'
        f"<h2>Weight {weight} <span>({counted(len(units), 'unit')})</span></h2>\n"
        f'<div class="units">\n{blocks}\n</div>\n</section>'
    )


def _unit(unit: Mapping[str, Any]) -> str:
    label, lines = escape(unit["label"]), wordings(unit["contributors"])
    return f'<details class="unit"><summary>{label}</summary>{lines}</details>'


def _tint(tiers: _Tiers, place: int) -> str:
    """Heavier tiers have more colour, but never so much that the words are hard to read."""
    share = round(30 * (1 - place / len(tiers)))
    return f"--tint: color-mix(in srgb, var(--accent) {share}%, var(--card))"


def _references(texts: Sequence[str]) -> str:
    parts = "\n".join(
        f"<details><summary>Reference {number}</summary><p>{escape(text)}</p></details>"
        for number, text in enumerate(texts, start=1)
    )
    return f'<section class="references">\n<h2>References</h2>\n{parts}\n</section>'


def _signature(fields: Mapping[str, str]) -> str:
    rest = [f"{key}:{value}" for key, value in fields.items() if key != "measure"]
    return "|".join([fields["measure"], *rest])
