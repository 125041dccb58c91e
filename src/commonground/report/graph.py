"""A graph of statements as an SVG drawing, and as a page with the sentences behind it."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from operator import mul
from typing import Any

from commonground.report.graph_layout import LINE, Arc, Box, layout
from commonground.report.page import asset, html_page, render

# Characters that XML 1.0 does not allow, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BULGE = 60.0
_BOW = 34.0  # separates the two edges between boxes that point at each other
# Candidate label positions, best first: where along the edge, and the vertical offset.
_POSITIONS = [(t, lift) for lift in (0, -14, 14) for t in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)]

_Point = tuple[float, float]
_Curve = tuple[_Point, _Point, _Point, _Point]


def graph_svg(graph: Mapping[str, Any]) -> str:
    """Return a standalone drawing for light and dark pages.

    Args:
        graph: `nodes`, each with `label`, and `edges`, each with `label`, `source` and `target`:
            indices of nodes, or None for an open end, drawn as a small circle.
    """
    laid = layout(graph)
    about = "; ".join(_sentence(graph, edge) for edge in graph["edges"]) or "Nothing in common"
    pairs = {(arc.start, arc.end) for arc in laid.arcs}
    curves = [_curve(arc, laid.boxes, (arc.end, arc.start) in pairs) for arc in laid.arcs]
    labels = _labels(laid.arcs, curves, laid.boxes)
    # Labels and bowed edges may reach a little further than the boxes.
    width = max([laid.width, *(box.x + box.width / 2 for box in labels)])
    top = min([0.0, *(box.y - box.height / 2 for box in labels)])
    height = max([laid.height, *(box.y + box.height / 2 for box in labels)]) - top
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cg-graph" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 {top:.0f} {width:.0f} {height:.0f}">',
        f"<title>{_xml(about)}</title><style>{asset('graph-svg.css')}</style>",
        '<defs><marker id="cg-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" '
        'markerHeight="8" orient="auto"><path class="head" d="M0 0L10 5L0 10z"/></marker></defs>',
        f'<rect class="ground" y="{top:.0f}" width="100%" height="100%"/>',
        *(
            f'<path class="edge" marker-end="url(#cg-head)" d="{_path(curve)}"/>'
            for curve in curves
        ),
        *(_drawn(box, "label", "ground") for box in labels),
        *(_drawn(box, "node", "thing") for box in laid.boxes),
        "</svg>",
    ]
    return "\n".join(parts)


def graph_page(graph: Mapping[str, Any], title: str = "Common graph") -> str:
    """Return the page: the drawing, then every edge with the sentence of each narrative.

    Args:
        graph: As for `graph_svg`; each edge also has `sentences` with `narrative` and `text`;
            and `narratives`, `optimal` and `missed`.
        title: The heading.
    """
    drawing = graph_svg(graph) if graph["edges"] else ""
    body = render("graph.html", graph=graph, title=title, drawing=drawing, ends=_ends)
    return html_page(title, asset("graph.css"), body)


def _ends(graph: Mapping[str, Any], edge: Mapping[str, Any]) -> tuple[str, str]:
    nodes, source, target = graph["nodes"], edge["source"], edge["target"]
    return (
        "(somebody)" if source is None else str(nodes[source]["label"]),
        "" if target is None else str(nodes[target]["label"]),
    )


def _sentence(graph: Mapping[str, Any], edge: Mapping[str, Any]) -> str:
    source, target = _ends(graph, edge)
    return f"{source} {edge['label']} {target}".strip()


def _curve(arc: Arc, boxes: Sequence[Box], returned: bool) -> _Curve:
    """Connect the facing sides of two boxes, or the right sides within a column."""
    start, end = boxes[arc.start], boxes[arc.end]
    if abs(start.x - end.x) < (start.width + end.width) / 2:
        first = (start.x + start.width / 2, start.y)
        last = (end.x + end.width / 2, end.y)
        if arc.start == arc.end:
            first, last = (first[0], first[1] - 6), (last[0], last[1] + 6)
        reach = max(first[0], last[0]) + _BULGE
        return first, (reach, first[1]), (reach, last[1]), last
    side = 1 if end.x > start.x else -1
    bow = _BOW * side if returned else 0.0  # forward edges above, backward ones below
    first = (start.x + side * start.width / 2, start.y - bow / 6)
    last = (end.x - side * end.width / 2, end.y - bow / 6)
    bend = abs(last[0] - first[0]) * 0.4 * side
    return first, (first[0] + bend, first[1] - bow), (last[0] - bend, last[1] - bow), last


def _at(curve: _Curve, t: float) -> _Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (sum(map(mul, weights, values)) for values in zip(*curve, strict=True))
    return x, y


def _labels(arcs: Sequence[Arc], curves: Sequence[_Curve], boxes: Sequence[Box]) -> list[Box]:
    """Place the label of each edge where it covers the fewest nodes and other labels."""
    placed: list[Box] = []
    for arc, curve in zip(arcs, curves, strict=True):
        candidates = []
        for t, lift in _POSITIONS:
            x, y = _at(curve, t)
            candidates.append(Box(arc.label, x, y + lift, padding=3.0))
        others = [*boxes, *placed]
        placed.append(min(candidates, key=lambda box: sum(map(box.meets, others))))
    return placed


def _drawn(box: Box, text: str, ground: str) -> str:
    """Return a box and its text, with the classes `ground` and `text`."""
    if not box.lines:
        return f'<circle cx="{box.x:.1f}" cy="{box.y:.1f}" r="{box.width / 2:.1f}"/>'
    left, top = box.x - box.width / 2, box.y - box.height / 2
    return (
        f'<rect class="{ground}" x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="8"/>{_text(box, text)}'
    )


def _text(box: Box, kind: str) -> str:
    first = box.y - (len(box.lines) - 1) * LINE / 2 + 5  # letters sit on their line
    lines = "".join(
        f'<tspan x="{box.x:.1f}" y="{first + number * LINE:.1f}">{_xml(line)}</tspan>'
        for number, line in enumerate(box.lines)
    )
    return f'<text class="{kind}">{lines}</text>'


def _path(curve: _Curve) -> str:
    start, first, second, end = (f"{x:.1f} {y:.1f}" for x, y in curve)
    return f"M{start}C{first} {second} {end}"


def _xml(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))
