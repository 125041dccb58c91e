"""What narratives have in common as one HTML page that needs nothing else, and no network.

Every mark has a shape beside its colour: what is shared has a tint and a round number, what one
narrative alone says has that narrative's colour, underline and letter in a square, and where two
narratives differ there is a dotted box with `≠` and the differing words in bold.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, Final

from commonground.report.marks import Mark, joined, marked
from commonground.report.page import counted, html_page, report_data

NOTHING: Final = "The narratives have nothing in common."

_SHADES: Final = 5  # of the shared colour, in the style
_SIDES: Final = 6  # colours of narratives there; the letter tells those apart that share one

_Result = Mapping[str, Any]


def overlap_page(result: _Result, title: str = "Common ground") -> str:
    """The page: what is shared, where narratives differ, and the narratives side by side.

    Args:
        result: As `Overlap.to_dict()` gives it.
        title: The heading.
    """
    body = [
        f"<h1>{escape(title)}</h1>",
        overlap_body(result),
        f"<script>{overlap_script()}</script>",
    ]
    return html_page(title, overlap_style(), body)


def overlap_body(result: _Result) -> str:
    """The page without its shell: for other pages, which need the style and the script too."""
    findings = "\n".join(part for part in (_statements(result), _conflicts(result)) if part)
    parts = [
        f'<p class="about">{_about(result)}</p>',
        f'<div class="findings">\n{findings}\n</div>',
        _legend(result),
        '<div class="narratives">\n'
        + "\n".join(_narrative(result, place) for place in range(len(result["narratives"])))
        + "\n</div>",
        f'<p class="signature">{escape(result["signature"])}</p>',
    ]
    return '<div class="overlap">\n' + "\n".join(parts) + "\n</div>"


@cache
def overlap_style() -> str:
    """The rules for the body, beside those of every page."""
    return report_data("overlap.css")


@cache
def overlap_script() -> str:
    """What makes evidence light up; it asks for nothing and keeps nothing."""
    return report_data("overlap.js")


def letter(narrative: int) -> str:
    """The short name of a narrative by its place.

    Example:
        >>> letter(0), letter(19), letter(26)
        ('A', 'T', 'AA')
    """
    before, place = divmod(narrative, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + place)


def heading(result: _Result) -> str:
    """What the statements are: said by both, by all, or by so many."""
    several, least = len(result["narratives"]), result["at_least"]
    if least < several:
        return f"What at least {least} of {several} say"
    return "What both say" if several == 2 else f"What all {several} say"


def source(result: _Result, narrative: int) -> str:
    """Where a narrative comes from, or its letter where nothing is known."""
    return str(result["narratives"][narrative]["source"] or f"Narrative {letter(narrative)}")


def by_value(conflict: _Result) -> list[list[_Result]]:
    """The sides of a conflict by the value that they give.

    Results of earlier versions have no groups: there each side is a value of its own.
    """
    groups: dict[int, list[_Result]] = {}
    for place, side in enumerate(conflict["sides"]):
        group = side.get("group")
        groups.setdefault(place if group is None else group, []).append(side)
    return list(groups.values())


def conflict_kind(conflict: _Result) -> str:
    """What a conflict is about and how likely it is: "date, 72% likely".

    Results of earlier versions have no probability.
    """
    chance = conflict.get("probability")
    return f"{conflict['kind']}" + ("" if chance is None else f", {chance:.0%} likely")


def _about(result: _Result) -> str:
    statements, conflicts = len(result["statements"]), len(result["conflicts"])
    found = f"{counted(len(result['narratives']), 'narrative')}: "
    differ = counted(conflicts, "conflict") if conflicts else "no conflict found"
    found += f"{counted(statements, 'statement')} in common, {differ}."
    if not conflicts:
        found += ' <span class="hint">We may have missed some.</span>'
    if statements:
        found += ' <span class="hint">Choose a statement to see who says it, and where.</span>'
    return found


def _statements(result: _Result) -> str:
    title = f"<h2>{heading(result)}</h2>"
    if not result["statements"]:
        return f'<section>\n{title}\n<p class="nothing">{NOTHING}</p>\n</section>'
    items = "\n".join(
        _statement(number, statement, len(result["narratives"]))
        for number, statement in enumerate(result["statements"], start=1)
    )
    return f'<section>\n{title}\n{_slider(result)}<ol class="found">\n{items}\n</ol>\n</section>'


def _slider(result: _Result) -> str:
    """Hides the less likely statements; it works by script alone, so the style hides it else."""
    chances = [int(100 * statement["probability"]) for statement in result["statements"]]
    least, most = min(chances), max(chances)
    if least == most:
        return ""
    return (
        f'<p class="strict"><label>At least <output>{least}</output> % likely '
        f'<input type="range" min="{least}" max="{most}" value="{least}"></label></p>\n'
    )


def _statement(number: int, statement: _Result, narratives: int) -> str:
    evidence = "".join(
        f"<li>{_place(f'statement-{number}-{place}', passage)}<span>{_quoted(passage['text'])} "
        f"{_sureness(passage)}</span></li>"
        for place, passage in enumerate(statement["evidence"])
    )
    weight = statement["weight"]
    few = f' <small class="weight">{weight} of {narratives}</small>' if weight < narratives else ""
    sign = _badge("round", str(number), str(number))
    return (
        f'<li id="statement-{number}" data-likely="{int(100 * statement["probability"])}">'
        f'<details class="{_shade(number)}" data-key="s{number}">'
        f'<summary>{sign}<span><span dir="auto">{escape(statement["text"])}</span>{few}'
        f'</span></summary><ul class="evidence">{evidence}</ul></details></li>'
    )


def _sureness(passage: _Result) -> str:
    sure = f"{passage['probability']:.0%} likely"
    if passage["through"]:
        sure += f", through “{escape(passage['through'])}”"
    return f"<small>{sure}</small>"


def _conflicts(result: _Result) -> str:
    if not result["conflicts"]:
        return ""
    items = "\n".join(
        _conflict(number, conflict) for number, conflict in enumerate(result["conflicts"], start=1)
    )
    return f'<section>\n<h2>Where they differ</h2>\n<ol class="found">\n{items}\n</ol>\n</section>'


def _conflict(number: int, conflict: _Result) -> str:
    values = ' <span class="against">≠</span> '.join(
        f"{''.join(_side(side['narrative']) for side in some)} "
        f"<strong>{escape(_flat(some[0]['value'])) or '—'}</strong>"
        for some in by_value(conflict)
    )
    evidence = "".join(
        f"<li>{_place(f'conflict-{number}-{place}', side)}<span>{_with_value(side)}</span></li>"
        for place, side in enumerate(conflict["sides"])
    )
    sign = _badge("sharp", f"≠{number}", f"Conflict {number}")
    return (
        f'<li id="conflict-{number}"><details class="differ" data-key="c{number}">'
        f'<summary>{sign}<span dir="auto">{values} '
        f"<small>({escape(conflict_kind(conflict))})</small></span></summary>"
        f'<ul class="evidence">{evidence}</ul></details></li>'
    )


def _with_value(side: _Result) -> str:
    """A side's sentence with the words that differ in bold."""
    text, start = side["text"], side["start"]
    cut, end = side["value_start"] - start, side["value_end"] - start
    parts = [escape(part) for part in (text[:cut], text[cut:end], text[end:])]
    value = f"<strong>{parts[1]}</strong>" if parts[1] else ""
    return f'<q dir="auto">{parts[0]}{value}{parts[2]}</q>'


def _legend(result: _Result) -> str:
    """What the marks mean, as far as they are there."""
    signs = []
    if result["statements"]:
        shared = f'<mark class="shared s1">{_badge("round", "1", "1")}shared</mark>'
        signs.append(f"{shared} with its statement")
    if any(passage["through"] for one in result["statements"] for passage in one["evidence"]):
        signs.append('<mark class="shared s1 through">shared</mark> by background knowledge')
    if result["unique"]:
        one = result["unique"][0]["narrative"]
        own = f'<mark class="own n{one % _SIDES}">{_side(one)}only in this text</mark>'
        signs.append(own)
    if result["conflicts"]:
        sign = _badge("sharp", "≠1", "Conflict 1")
        differ = f'{sign}told <mark class="value">differently</mark>'
        signs.append(f'<mark class="conflict">{differ}</mark>')
    items = "".join(f"<li>{sign}</li>" for sign in signs)
    return f'<ul class="legend" aria-label="Marks">{items}</ul>' if items else ""


def _narrative(result: _Result, place: int) -> str:
    text, title = result["narratives"][place]["text"], f"narrative-{letter(place)}"
    own = joined(_spans(result["unique"], place), text)
    marks = [*_shared_marks(result, place), *_conflict_marks(result, place)]
    marks += [_own_mark(place, start, end) for start, end in own]
    body = marked(text, marks) if text.strip() else "<em>There are no words in it.</em>"
    return (
        f'<section class="narrative n{place % _SIDES}" aria-labelledby="{title}">\n'
        f'<h2 id="{title}">{_side(place)}<span dir="auto">{escape(source(result, place))}</span>'
        f'</h2>\n<p class="about">{_share(result, place, len(own))}</p>\n'
        f'<div class="text" tabindex="0" role="group" aria-labelledby="{title}" dir="auto">'
        f"{body}</div>\n</section>"
    )


def _share(result: _Result, narrative: int, own: int) -> str:
    """How much of a narrative is shared, and how much its own."""
    spans = [_spans(statement["evidence"], narrative) for statement in result["statements"]]
    has = sum(map(bool, spans))
    share = "all" if has == len(spans) > 1 else f"{has} of"
    said = f"Has {share} {counted(len(spans), 'shared point')}" if spans else ""
    alone = f"{counted(own, 'point')} only here" if own else ""
    return " · ".join(part for part in (said, alone) if part)


def _spans(passages: Sequence[_Result], narrative: int) -> list[tuple[int, int]]:
    return [(one["start"], one["end"]) for one in passages if one["narrative"] == narrative]


def _shared_marks(result: _Result, narrative: int) -> list[Mark]:
    marks = []
    for number, statement in enumerate(result["statements"], start=1):
        for place, passage in enumerate(statement["evidence"]):
            if passage["narrative"] == narrative:
                classes = f"shared {_shade(number)}" + (" through" if passage["through"] else "")
                name, link = f"statement-{number}-{place}", f"statement-{number}"
                hint = statement["text"]
                if passage["through"]:
                    hint += f" (through: {passage['through']})"
                badge = _link("round", link, f"Statement {number}", str(number), hint)
                span = passage["start"], passage["end"]
                marks.append(Mark(*span, classes, f"s{number}", name, badge))
    return marks


def _conflict_marks(result: _Result, narrative: int) -> list[Mark]:
    marks = []
    for number, conflict in enumerate(result["conflicts"], start=1):
        others = " ≠ ".join(_flat(some[0]["value"]) or "—" for some in by_value(conflict))
        for place, side in enumerate(conflict["sides"]):
            if side["narrative"] == narrative:
                key, link = f"c{number}", f"conflict-{number}"
                badge = _link("sharp", link, f"Conflict {number}", f"≠{number}", others)
                whole = side["start"], side["end"]
                marks.append(Mark(*whole, "conflict", key, f"{link}-{place}", badge))
                marks.append(Mark(side["value_start"], side["value_end"], "value", key))
    return marks


def _own_mark(narrative: int, start: int, end: int) -> Mark:
    sign, side = letter(narrative), f"n{narrative % _SIDES}"
    return Mark(start, end, f"own {side}", badge=_badge("square", sign, f"Only in {sign}"))


def _badge(shape: str, sign: str, name: str) -> str:
    """A sign that the style draws, so that it is no part of the text around it."""
    return f'<span class="badge {shape}" role="img" aria-label="{name}" data-sign="{sign}"></span>'


def _link(shape: str, target: str, name: str, sign: str, hint: str) -> str:
    return (
        f'<a class="badge {shape}" href="#{target}" aria-label="{name}" data-sign="{sign}" '
        f'title="{escape(_flat(hint))}"></a>'
    )


def _place(target: str, passage: _Result) -> str:
    """A narrative's letter that leads to the passage in it."""
    sign, side = letter(passage["narrative"]), passage["narrative"] % _SIDES
    return (
        f'<a class="badge square n{side}" href="#{target}" aria-label="In {sign}" '
        f'data-sign="{sign}"></a>'
    )


def _side(narrative: int) -> str:
    return _badge(f"square n{narrative % _SIDES}", letter(narrative), letter(narrative))


def _shade(number: int) -> str:
    return f"s{number % _SHADES}"


def _quoted(text: str) -> str:
    return f'<q dir="auto">{escape(_flat(text))}</q>'


def _flat(text: str) -> str:
    """On one line, however the narrative was wrapped."""
    return " ".join(text.split())
