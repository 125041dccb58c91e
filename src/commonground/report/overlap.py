"""What narratives have in common, as one self-contained HTML page.

Left is the list (shared, only in one, differ), right are the narratives with their marks. Every
mark has a shape beside its colour: words that others state are tinted, words of one narrative alone
have a dotted underline, and disputed values a box. Without scripts everything is on the page, and
what is less likely than the strictness is folded.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from math import gcd
from typing import Any, Final

from commonground.report.overlap_texts import marked_text, place
from commonground.report.page import asset, html_page, render

NOTHING: Final = "The texts share no statement."

SCRIPTS: Final = ("overlap.js", "overlap_strictness.js", "overlap_words.js")
"""The scripts of the page, in their order."""

_STRICTNESS: Final = 0.5  # of results of earlier versions
_NAMES: Final = 80  # characters of all names in the heading
_MATTERS: Final = 3  # conflicts in the overview; the list has all
_KEPT: Final = 30  # percent, from which on statements and conflicts are kept

_Result = Mapping[str, Any]


def overlap_page(result: _Result, title: str | None = None, shown_at: float | None = None) -> str:
    """Return the page: an overview, the list of statements, and the narratives beside it.

    Args:
        result: The values of `Overlap.to_dict(readings=True)`; without readings no words are
            marked, only sentences.
        title: The heading (default: one with the sources).
        shown_at: Where the slider stands at first (default: the strictness of the result).
    """
    title = title or _title(result)
    scripts = "\n".join(f"<script>{asset(name)}</script>" for name in SCRIPTS)
    body = f"<h1>{escape(title)}</h1>\n{overlap_body(result, shown_at)}\n{scripts}"
    return html_page(title, asset("overlap.css"), body)


def _title(result: _Result) -> str:
    """Return a heading with the names of the texts, if they have names and are few."""
    names = [" ".join(str(row["source"] or "").split()) for row in result["narratives"]]
    joined = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Common ground: {joined}" if all(names) and len(joined) <= _NAMES else "Common ground"


def overlap_body(result: _Result, shown_at: float | None = None) -> str:
    """Return the content, to embed in a page with `overlap.css` and the scripts."""
    strictness = round(100 * result.get("strictness", _STRICTNESS))
    at = strictness if shown_at is None else round(100 * shown_at)
    findings = _findings(result, strictness, at)
    folded = {row["id"] for rows in findings.values() for row in rows if not row["shown"]}
    count = len(result["narratives"])
    texts = [marked_text(result, index, at, folded) for index in range(count)]
    return render(
        "overlap.html",
        result=result,
        count=count,
        texts=texts,
        names=[source(result, index) for index in range(len(texts))],
        **findings,
        strictness=strictness,
        shown_at=at,
        slider=slider(strictness),
        all_read=all(text.all_read for text in texts),
        with_words=bool(result.get("readings")),
        nothing=_nothing(result),
        most_matters=_MATTERS,
        own=_by_narrative(findings["unique"]),
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


def _nothing(result: _Result) -> str:
    """Return what to say if there is no statement; fewer texts may still share some."""
    count, least = len(result["narratives"]), result["at_least"]
    if count == 2:
        return NOTHING
    which = f"all {count}" if least == count else f"at least {least} of the {count}"
    hint = " Fewer may share some: ask for statements of at least 2." if least > 2 else ""
    return f"No statement is in {which} texts.{hint}"


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


def _findings(result: _Result, strictness: int, at: int) -> dict[str, list[dict[str, Any]]]:
    """Return what the lists have, each with its id, its percentage and whether it is shown.

    `overlap_strictness.js` decides the same for other positions of the slider: at the strictness of
    the result, and below, all that was found is shown.
    """
    found = result["statements"]
    statements = [*found, *result.get("less_likely", ())]
    passages = sorted(result["unique"], key=lambda row: (row["narrative"], row["start"]))
    conflicts = result["conflicts"]
    lists = {
        "statements": ("s", statements, [_likely(result, row) for row in statements]),
        "unique": ("u", passages, [int(100 * row["probability"]) for row in passages]),
        "conflicts": ("c", conflicts, [100] * len(conflicts)),  # never hidden
    }
    findings = {}
    for name, (key, rows, chances) in lists.items():
        findings[name] = [
            {
                **row,
                "id": f"{key}{number}",
                "number": number,
                "likely": likely,
                "less": (less := name == "statements" and number > len(found)),
                "shown": likely >= at or (at <= strictness and not less),
            }
            for number, (row, likely) in enumerate(zip(rows, chances, strict=True), start=1)
        ]
    return findings


def _likely(result: _Result, statement: _Result) -> int:
    """Return the percentage up to which enough narratives state a statement."""
    chances = sorted((passage["probability"] for passage in statement["evidence"]), reverse=True)
    least = result["at_least"]
    return int(100 * (chances[least - 1] if least <= len(chances) else statement["probability"]))


def _by_narrative(passages: Sequence[_Result]) -> list[tuple[int, list[_Result]]]:
    """Return the passages of each narrative that has some of its own."""
    groups = groupby(passages, key=lambda row: row["narrative"])
    return [(narrative, list(group)) for narrative, group in groups]


def _letters(sides: Sequence[_Result]) -> str:
    """Return the short names of the narratives of some sides: "B, C"."""
    return ", ".join(dict.fromkeys(letter(side["narrative"]) for side in sides))
