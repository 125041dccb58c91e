"""A class at a glance: a table of the students and a table of the ideas."""

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean
from typing import Any, Final
from urllib.parse import quote

from commonground.report.feedback import GENERATOR
from commonground.report.page import asset, bar, counted, html_page

_SHARES: Final = ("quality", "coverage", "comprehensive")


def class_page(students: Sequence[Mapping[str, Any]], pages: Sequence[str], title: str) -> str:
    """Return the page of a class; a click on a column heading sorts its table.

    Args:
        students: At least one, each as for `feedback_page`, all scored with the same pyramid.
        pages: The file name of each student's page.
        title: The heading.
    """
    first = students[0]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="about">{counted(len(students), "summary", "summaries")}, '
        f"scored by {counted(len(first['units']), 'idea')} of "
        f"{counted(first['references'], 'model summary', 'model summaries')}. A name leads "
        "to the student's feedback; a heading sorts.</p>",
        _students(students, pages),
        '<p class="about">Quality: does it say what matters? Coverage: does it say enough? '
        "Comprehensive: both together. Points: the weights of the ideas that are said, a doubtful "
        "one in part. To check: the sentence may deny the idea.</p>",
        "<h2>What the class has taken up</h2>",
        "<p>The weight of an idea is how many model summaries mention it.</p>",
        _ideas(students),
        f'<p class="signature">{escape(first["signature"])}</p>',
        f"<script>{asset('class.js')}</script>",
    ]
    return html_page(title, class_style(), body, GENERATOR)


def class_style() -> str:
    """Return the CSS rules of the tables, without those of every page."""
    return asset("class.css")


def _students(students: Sequence[Mapping[str, Any]], pages: Sequence[str]) -> str:
    rows = []
    for student, page in zip(students, pages, strict=True):
        name, raw, units = escape(student["name"]), student["raw"], student["units"]
        rows.append(
            f'<tr><td data-value="{name}"><a href="{quote(page)}">{name}</a></td>'
            f"{_number(raw, f'{raw:.1f}')}"
            f"{''.join(_percent(student[share]) for share in _SHARES)}{_stated(units)}</tr>"
        )
    means = (fmean(student[share] for student in students) for share in _SHARES)
    foot = (
        f"<tr><td>Mean</td><td>{fmean(student['raw'] for student in students):.1f}</td>"
        f"{''.join(map(_percent, means))}<td></td></tr>"
    )
    heads = ("student", "points", *_SHARES, "ideas said")
    return _table(heads, rows, foot if len(students) > 1 else "")


def _ideas(students: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for units in zip(*(student["units"] for student in students), strict=True):
        label, weight = escape(units[0]["label"]), units[0]["weight"]
        rows.append(
            f'<tr><td data-value="{label}" dir="auto">{label}</td>'
            f"{_number(weight, str(weight))}{_stated(units, drawn=True)}</tr>"
        )
    return _table(("idea", "weight", "said by"), rows)


def _stated(units: Sequence[Mapping[str, Any]], drawn: bool = False) -> str:
    """Return a cell with the number of stated units and how many of them may be denied."""
    stated = sum(unit["stated"] for unit in units)
    doubtful = sum(unit["check"] is not None for unit in units)
    check = f", {doubtful} to check" if doubtful else ""
    share = stated / len(units) if drawn else None
    return _number(stated, f"{stated} of {len(units)}{check}", share)


def _table(heads: Sequence[str], rows: Sequence[str], foot: str = "") -> str:
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    ending = f"<tfoot>{foot}</tfoot>\n" if foot else ""
    lines = "\n".join(rows)
    return (
        f'<div class="wide"><table>\n<thead><tr>{cells}</tr></thead>\n'
        f"<tbody>\n{lines}\n</tbody>\n{ending}</table></div>"
    )


def _percent(share: float) -> str:
    return _number(share, f"{share:.0%}", share)


def _number(value: float, words: str, share: float | None = None) -> str:
    return f'<td data-value="{value}">{words}{"" if share is None else bar(share)}</td>'
