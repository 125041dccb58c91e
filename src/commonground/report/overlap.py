"""What narratives have in common, as one self-contained HTML page.

Every mark has a shape beside its colour: shared text has a tint and a round number; text that only
one narrative has gets that narrative's colour, underline and letter in a square; and where two
narratives differ there is a dotted box with `≠` and the differing words in bold.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.marks import Mark, joined, marked
from commonground.report.page import asset, counted, flat, html_page, render

NOTHING: Final = "The narratives have nothing in common."

_SHADES: Final = 5  # shades of the shared colour in the style sheet
_COLOURS: Final = 6  # colours of narratives there; letters distinguish those that share one

_Result = Mapping[str, Any]


def overlap_page(result: _Result, title: str = "Common ground") -> str:
    """Return the page: what is shared, where narratives differ, and the narratives side by side.

    Args:
        result: The values of `Overlap.to_dict()`.
        title: The heading.
    """
    script = f"<script>{asset('overlap.js')}</script>"
    body = f"<h1>{escape(title)}</h1>\n{overlap_body(result)}\n{script}"
    return html_page(title, asset("overlap.css"), body)


def overlap_body(result: _Result) -> str:
    """Return the content, to embed in a page with `overlap.css` and `overlap.js`."""
    evidence = (passage for row in result["statements"] for passage in row["evidence"])
    return render(
        "overlap.html",
        result=result,
        narratives=[_narrative(result, index) for index in range(len(result["narratives"]))],
        chances=[int(100 * statement["probability"]) for statement in result["statements"]],
        through=any(passage["through"] for passage in evidence),
        nothing=NOTHING,
        colours=_COLOURS,
        badge=_badge,
        by_value=by_value,
        conflict_kind=conflict_kind,
        heading=heading,
        letter=letter,
        shade=_shade,
        side_badge=_side_badge,
    )


def letter(narrative: int) -> str:
    """Return the short name of a narrative by its index.

    Example:
        >>> letter(0), letter(19), letter(26)
        ('A', 'T', 'AA')
    """
    before, index = divmod(narrative, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + index)


def heading(result: _Result) -> str:
    """Return the heading of the statements: what both say, all, or at least some number."""
    count, least = len(result["narratives"]), result["at_least"]
    if least < count:
        return f"What at least {least} of {count} say"
    return "What both say" if count == 2 else f"What all {count} say"


def source(result: _Result, narrative: int) -> str:
    """Return the source of a narrative (default: its letter)."""
    return str(result["narratives"][narrative]["source"] or f"Narrative {letter(narrative)}")


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


def _narrative(result: _Result, narrative: int) -> dict[str, str]:
    """Return the source of a narrative, what it shares, and its marked text; "" if it is empty."""
    text = result["narratives"][narrative]["text"]
    own = joined(_spans(result["unique"], narrative), text)
    badge = _badge("square", letter(narrative), f"Only in {letter(narrative)}")
    classes = f"own n{narrative % _COLOURS}"
    marks = [
        *_shared_marks(result, narrative),
        *_conflict_marks(result, narrative),
        *(Mark(start, end, classes, badge=badge) for start, end in own),
    ]
    about = (_shared(result, narrative), f"{counted(len(own), 'point')} only here" if own else "")
    return {
        "source": source(result, narrative),
        "about": " · ".join(part for part in about if part),
        "marked": marked(text, marks) if text.strip() else "",
    }


def _shared(result: _Result, narrative: int) -> str:
    spans = [_spans(statement["evidence"], narrative) for statement in result["statements"]]
    count = sum(map(bool, spans))
    share = "all" if count == len(spans) > 1 else f"{count} of"
    return f"Has {share} {counted(len(spans), 'shared point')}" if spans else ""


def _spans(passages: Sequence[_Result], narrative: int) -> list[tuple[int, int]]:
    return [
        (passage["start"], passage["end"])
        for passage in passages
        if passage["narrative"] == narrative
    ]


def _shared_marks(result: _Result, narrative: int) -> Iterator[Mark]:
    for number, statement in enumerate(result["statements"], start=1):
        for index, passage in enumerate(statement["evidence"]):
            if passage["narrative"] != narrative:
                continue
            classes, hint, id_ = (
                f"shared {_shade(number)}",
                statement["text"],
                f"statement-{number}",
            )
            if passage["through"]:
                classes += " through"
                hint += f" (through: {passage['through']})"
            badge = _link("round", id_, f"Statement {number}", str(number), hint)
            span = passage["start"], passage["end"]
            yield Mark(*span, classes, f"s{number}", f"{id_}-{index}", badge)


def _conflict_marks(result: _Result, narrative: int) -> Iterator[Mark]:
    for number, conflict in enumerate(result["conflicts"], start=1):
        key, id_ = f"c{number}", f"conflict-{number}"
        hint = " ≠ ".join(flat(sides[0]["value"]) or "—" for sides in by_value(conflict))
        badge = _link("sharp", id_, f"Conflict {number}", f"≠{number}", hint)
        for index, side in enumerate(conflict["sides"]):
            if side["narrative"] == narrative:
                yield Mark(side["start"], side["end"], "conflict", key, f"{id_}-{index}", badge)
                yield Mark(side["value_start"], side["value_end"], "value", key)


def _badge(shape: str, sign: str, name: str) -> str:
    """Return a sign that the style draws, so that it is not part of the text around it."""
    return f'<span class="badge {shape}" role="img" aria-label="{name}" data-sign="{sign}"></span>'


def _side_badge(narrative: int) -> str:
    return _badge(f"square n{narrative % _COLOURS}", letter(narrative), letter(narrative))


def _link(shape: str, target: str, name: str, sign: str, hint: str) -> str:
    return (
        f'<a class="badge {shape}" href="#{target}" aria-label="{name}" data-sign="{sign}" '
        f'title="{escape(flat(hint))}"></a>'
    )


def _shade(number: int) -> str:
    return f"s{number % _SHADES}"
