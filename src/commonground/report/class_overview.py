"""A class at a glance: a table of the students, and which ideas the class has taken up."""

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean
from typing import Any, Final
from urllib.parse import quote

from commonground.report.feedback import GENERATOR
from commonground.report.page import bar, counted, html_page

_STYLE: Final = """
main { max-width: 60rem; margin: 0 auto; }
h2 { margin: 2rem 0 .25rem; font-size: 1.2rem; }
h2 + p { margin-top: 0; }
a { color: var(--accent); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 9rem; }
thead th { white-space: nowrap; vertical-align: bottom; }
tfoot td { border-bottom: 0; border-top: 2px solid var(--line); font-weight: bold; }
th button { padding: 0; border: 0; background: none; color: inherit; font: inherit;
  cursor: pointer; }
th button::after { content: " ↕"; color: var(--soft); }
th[aria-sort=ascending] button::after { content: " ↑"; color: var(--accent); }
th[aria-sort=descending] button::after { content: " ↓"; color: var(--accent); }
td { white-space: nowrap; }
td:first-child { white-space: normal; }
.bar { width: 4rem; margin-left: .5rem; }
@media (max-width: 44rem) {
  body { padding: 1rem; }
  th, td { padding: .4rem .3rem; }
  th:first-child, td:first-child { min-width: 6rem; position: sticky; left: 0;
    background: var(--page); }
  .bar { display: none; } }
@media print { th button::after { content: ""; } }
"""

# Numbers start from the greatest, words from A; a click on the sorted column turns it round.
_SCRIPT: Final = """
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.ariaSort;
      const up = now === null ? column === 0 : now === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.value;
      const order = (a, b) => column === 0
        ? key(a).localeCompare(key(b), undefined, { numeric: true }) : key(a) - key(b);
      body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
    });
  });
}
"""

_SHARES: Final = ("quality", "coverage", "comprehensive")


def class_page(students: Sequence[Mapping[str, Any]], pages: Sequence[str], title: str) -> str:
    """The page of a class; its tables are sorted by a click on a column.

    Args:
        students: At least one, each as `feedback_page` takes it, all scored with one pyramid.
        pages: The file name of each one's page.
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
        f"<script>{_SCRIPT}</script>",
    ]
    return html_page(title, _STYLE, body, GENERATOR)


def class_style() -> str:
    """The rules of the tables, beside those of every page."""
    return _STYLE


def _students(students: Sequence[Mapping[str, Any]], pages: Sequence[str]) -> str:
    rows = []
    for student, page in zip(students, pages, strict=True):
        name, raw, units = escape(student["name"]), student["raw"], student["units"]
        said = sum(unit["stated"] for unit in units)
        rows.append(
            f'<tr><td data-value="{name}"><a href="{quote(page)}">{name}</a></td>'
            f"{_number(raw, f'{raw:.1f}')}"
            f"{''.join(_percent(student[share]) for share in _SHARES)}"
            f"{_number(said, f'{said} of {len(units)}{_to_check(units)}')}</tr>"
        )
    means = [fmean(student[share] for student in students) for share in _SHARES]
    foot = (
        f"<tr><td>Mean</td><td>{fmean(student['raw'] for student in students):.1f}</td>"
        f"{''.join(_percent(mean) for mean in means)}<td></td></tr>"
    )
    heads = ("student", "points", *_SHARES, "ideas said")
    return _table(heads, rows, foot if len(students) > 1 else "")


def _ideas(students: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for place, unit in enumerate(students[0]["units"]):
        found = [student["units"][place] for student in students]
        said = sum(one["stated"] for one in found)
        words = f"{said} of {len(students)}{_to_check(found)}"
        label = escape(unit["label"])
        rows.append(
            f'<tr><td data-value="{label}" dir="auto">{label}</td>'
            f"{_number(unit['weight'], str(unit['weight']))}"
            f"{_number(said, words, said / len(students))}</tr>"
        )
    return _table(("idea", "weight", "said by"), rows)


def _to_check(units: Sequence[Mapping[str, Any]]) -> str:
    """How many are called stated by words that may deny them."""
    count = sum(unit["check"] is not None for unit in units)
    return f", {count} to check" if count else ""


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
    drawn = "" if share is None else bar(share)
    return f'<td data-value="{value}">{words}{drawn}</td>'
