"""A table as Markdown, LaTeX, CSV or HTML.

A table is a plain dict: `title`, `columns` (headings), `rows` (lists of as many cells) and
`notes` (lines below it); title and notes may be left out. A cell is a text, a whole number, a
number or None for nothing. Numbers are rounded wherever people read them, and whole in CSV.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isnan
from typing import Any, Final, TypeAlias

from commonground.errors import InputError
from commonground.report.page import html_page

Table: TypeAlias = Mapping[str, Any]
Cell: TypeAlias = str | int | float | None

DIGITS: Final = 3
_MINUS: Final = "\N{MINUS SIGN}"

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    _MINUS: "$-$",
    "–": "--",
    "×": r"$\times$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "τ": r"$\tau$",
    "κ": r"$\kappa$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "†": r"$\dagger$",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
}

STYLE: Final = """
body { max-width: 90rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; }
th { border-bottom: 2px solid var(--soft); vertical-align: bottom; }
.n { text-align: right; }
td.n, td:first-child { white-space: nowrap; }
figure { margin: 1.5rem 0 2rem; overflow-x: auto; }
figcaption { color: var(--soft); font-size: .85rem; margin-top: .4rem; max-width: 60rem; }
figcaption p { margin: .15rem 0; }
"""


def to_markdown(table: Table, digits: int = DIGITS) -> str:
    """The table as Markdown with pipes; numbers stand right.

    Example:
        >>> print(to_markdown({"columns": ["system", "F1"], "rows": [["lead", 0.51234]]}))
        | system |    F1 |
        | :----- | ----: |
        | lead   | 0.512 |
    """
    columns, rows = _checked(table)
    cells = [[_markdown(cell) for cell in columns]]
    cells += [[_markdown(shown(cell, digits)) for cell in row] for row in rows]
    right = _numeric(columns, rows)
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_markdown_line(row, widths, right) for row in cells]
    rule = [
        "-" * (width - 1) + ":" if is_right else ":" + "-" * (width - 1)
        for width, is_right in zip(widths, right, strict=True)
    ]
    lines.insert(1, _markdown_line(rule, widths, right))
    title = [f"**{_markdown(table['title'])}**", ""] if table.get("title") else []
    notes = [""] + [f"- {_markdown(note)}" for note in table["notes"]] if table.get("notes") else []
    return "\n".join([*title, *lines, *notes])


def to_latex(table: Table, digits: int = DIGITS, label: str | None = None) -> str:
    r"""The table as a LaTeX float; it needs the packages booktabs and amssymb.

    Args:
        table: The table; its title becomes the caption, its notes small lines below.
        digits: How many decimals numbers have.
        label: What `\ref` finds it by.
    """
    columns, rows = _checked(table)
    layout = "".join("r" if right else "l" for right in _numeric(columns, rows))
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
    lines += [_latex_line(columns), r"\midrule"]
    lines += [_latex_line([shown(cell, digits) for cell in row]) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip\footnotesize {_latex(note)}" for note in table.get("notes") or ()]
    if table.get("title"):
        lines.append(rf"\caption{{{_latex(table['title'])}}}")
    if label:
        lines.append(rf"\label{{{label}}}")
    return "\n".join([*lines, r"\end{table}"])


def to_csv(table: Table) -> str:
    """Headings and rows alone, numbers unrounded, nothing as an empty cell."""
    columns, rows = _checked(table)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_bare(cell) for cell in row] for row in rows)
    return out.getvalue()


def to_html(table: Table, digits: int = DIGITS) -> str:
    """The table as an HTML `<figure>`, for a page that `tables_page` or a notebook holds."""
    columns, rows = _checked(table)
    right = _numeric(columns, rows)
    kinds = [' class="n"' if is_right else "" for is_right in right]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for name, kind in zip(columns, kinds, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{escape(shown(cell, digits))}</td>"
            for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    caption = f"<caption>{escape(table['title'])}</caption>" if table.get("title") else ""
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.get("notes") or ())
    below = f"\n<figcaption>{notes}</figcaption>" if notes else ""
    return (
        f"<figure>\n<table>{caption}\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>{below}\n</figure>"
    )


def tables_page(title: str, parts: Iterable[Table | str], digits: int = DIGITS) -> str:
    """A page that needs nothing else: a heading, and tables with HTML parts between them.

    Args:
        title: The heading.
        parts: Tables, or HTML that is taken as it is.
        digits: How many decimals numbers have.
    """
    body = [part if isinstance(part, str) else to_html(part, digits) for part in parts]
    return html_page(title, STYLE, [f"<h1>{escape(title)}</h1>", *body])


def shown(cell: Cell, digits: int = DIGITS) -> str:
    """A cell as people read it; nothing and not-a-number are a dash.

    Example:
        >>> shown(0.12345), shown(12), shown(None), shown("lead")
        ('0.123', '12', '–', 'lead')
    """
    if isinstance(cell, str):
        return cell
    if cell is None or (isinstance(cell, float) and isnan(cell)):
        return "–"
    if isinstance(cell, float):
        text = f"{cell:.{digits}f}"
        negative = text.startswith("-") and float(text) != 0
        return (_MINUS if negative else "") + text.removeprefix("-")
    return str(cell)


def _checked(table: Table) -> tuple[Sequence[str], Sequence[Sequence[Cell]]]:
    columns, rows = table["columns"], table["rows"]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise InputError(
                f"table {table.get('title', '')!r}: row {number} has {len(row)} cells "
                f"for {len(columns)} columns"
            )
    return columns, rows


def _numeric(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[bool]:
    """Which columns stand right: those where no cell is a text that starts with a letter."""
    return [
        bool(rows)
        and all(
            not isinstance(row[place], str) or not _leading_letter(str(row[place])) for row in rows
        )
        for place in range(len(columns))
    ]


def _leading_letter(text: str) -> bool:
    return text[:1].isalpha() or (not any(map(str.isdigit, text)) and bool(text.strip("–")))


def _markdown_line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if is_right else cell.ljust(width)
        for cell, width, is_right in zip(cells, widths, right, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _markdown(text: str) -> str:
    for letter in "\\|*_<`":
        text = text.replace(letter, f"\\{letter}")
    return " ".join(text.split())


def _latex_line(cells: Iterable[str]) -> str:
    return " & ".join(map(_latex, cells)) + r" \\"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def _bare(cell: Cell) -> Cell:
    return "" if cell is None or (isinstance(cell, float) and isnan(cell)) else cell
