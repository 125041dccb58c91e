"""What narratives have in common, as one self-contained HTML page.

Left is the list (shared, only in one, differ), right are the narratives with their marks. Every
mark has a shape beside its colour: words that others state are tinted, words of one narrative alone
have a dotted underline, and disputed values a box.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from math import gcd
from typing import Any, Final

from commonground.report.overlap_texts import marked_text, place
from commonground.report.page import asset, html_page, render

NOTHING: Final = "The texts have nothing in common."

SCRIPTS: Final = ("overlap.js", "overlap_strictness.js", "overlap_words.js")
"""The scripts of the page, in their order; without them it shows everything, at one strictness."""

_STRICTNESS: Final = 0.5  # of results of earlier versions
_KEPT: Final = 30  # percent, from which on statements and conflicts are kept

_Result = Mapping[str, Any]


def overlap_page(
    result: _Result, title: str = "Common ground", shown_at: float | None = None
) -> str:
    """Return the page: an overview, the list of statements, and the narratives beside it.

    Args:
        result: The values of `Overlap.to_dict(readings=True)`; without readings no words are
            marked, only sentences.
        title: The heading.
        shown_at: Where the slider stands at first (default: the strictness of the result).
    """
    scripts = "\n".join(f"<script>{asset(name)}</script>" for name in SCRIPTS)
    body = f"<h1>{escape(title)}</h1>\n{overlap_body(result, shown_at)}\n{scripts}"
    return html_page(title, asset("overlap.css"), body)


def overlap_body(result: _Result, shown_at: float | None = None) -> str:
    """Return the content, to embed in a page with `overlap.css` and the scripts."""
    strictness = round(100 * result.get("strictness", _STRICTNESS))
    texts = [marked_text(result, index, strictness) for index in range(len(result["narratives"]))]
    less_likely = result.get("less_likely", ())
    return render(
        "overlap.html",
        result=result,
        count=len(texts),
        texts=texts,
        names=[source(result, index) for index in range(len(texts))],
        statements=[_item(result, statement) for statement in result["statements"]],
        less_likely=[_item(result, statement) for statement in less_likely],
        strictness=strictness,
        shown_at=strictness if shown_at is None else round(100 * shown_at),
        slider=slider(strictness),
        all_read=all(text.all_read for text in texts),
        with_words=bool(result.get("readings")),
        nothing=NOTHING,
        own=_own(result),
        by_value=by_value,
        conflict_kind=conflict_kind,
        heading=heading,
        letter=letter,
        letters=_letters,
        place=place,
    )


def letter(narrative: int) -> str:
    """Return the short name of a narrative by its index.

    Example:
        >>> letter(0), letter(19), letter(26)
        ('A', 'T', 'AA')
    """
    before, index = divmod(narrative, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + index)


def slider(strictness: int) -> tuple[int, int, int]:
    """Return minimum, maximum and step of the slider, in percent; it can stand at the strictness.

    Results keep nothing below the minimum.

    Example:
        >>> slider(50), slider(55), slider(20), slider(95)
        ((30, 90, 10), (30, 90, 5), (20, 90, 10), (30, 95, 5))
    """
    least, most = min(_KEPT, strictness), max(90, strictness)
    return least, most, gcd(10, strictness - least, _KEPT - least, most - least)


def heading(result: _Result) -> str:
    """Return the heading of the statements: what both say, all, or at least some number."""
    count, least = len(result["narratives"]), result["at_least"]
    if least < count:
        return f"What at least {least} of {count} say"
    return "What both say" if count == 2 else f"What all {count} say"


def source(result: _Result, narrative: int) -> str:
    """Return the source of a narrative (default: its letter)."""
    return str(result["narratives"][narrative]["source"] or f"Text {letter(narrative)}")


def by_value(conflict: _Result) -> list[list[_Result]]:
    """Group the sides of a conflict by their value.

    Results of earlier versions have no groups: there each side has its own value.
    """
    groups: dict[int, list[_Result]] = {}
    for index, side in enumerate(conflict["sides"]):
        group = side.get("group")
        groups.setdefault(index if group is None else group, []).append(side)
    return list(groups.values())


def conflict_kind(conflict: _Result) -> str:
    """Return the kind of a conflict and its probability: "date, 72% likely".

    Results of earlier versions have no probability.
    """
    chance = conflict.get("probability")
    return f"{conflict['kind']}" + ("" if chance is None else f", {chance:.0%} likely")


def _item(result: _Result, statement: _Result) -> dict[str, Any]:
    """Return a statement with the percentage up to which enough narratives state it."""
    chances = sorted((passage["probability"] for passage in statement["evidence"]), reverse=True)
    least = result["at_least"]
    likely = chances[least - 1] if least <= len(chances) else statement["probability"]
    return {**statement, "likely": int(100 * likely)}


def _own(result: _Result) -> list[tuple[int, list[_Result]]]:
    """Return the passages of each narrative that has some of its own."""
    passages = sorted(result["unique"], key=lambda row: (row["narrative"], row["start"]))
    groups = groupby(passages, key=lambda row: row["narrative"])
    return [(narrative, list(group)) for narrative, group in groups]


def _letters(sides: Sequence[_Result]) -> str:
    """Return the short names of the narratives of some sides: "B, C"."""
    return ", ".join(dict.fromkeys(letter(side["narrative"]) for side in sides))
