"""Tables as Markdown, LaTeX, CSV or HTML, and leaderboards, whose table can be sorted.

A table is a plain dict: `title`, `columns` (headings), `rows` (one cell per column) and `notes`
(lines below it); title and notes are optional. A cell is a string, an integer, a float or None.
Numbers are rounded, except in CSV.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isnan
from typing import Any, Final, TypeAlias

from commonground.cells import csv_line
from commonground.errors import InputError
from commonground.report.page import asset, html_page, render

Table: TypeAlias = Mapping[str, Any]
Cell: TypeAlias = str | int | float | None

DIGITS: Final = 3


class Strong(str):
    """A cell in bold."""

    __slots__ = ()


_MINUS: Final = "\N{MINUS SIGN}"

_LATEX: Final = str.maketrans(
    {sign: rf"\{sign}" for sign in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}", "±": r"$\pm$"}
    | {_MINUS: "$-$", "–": "--", "×": r"$\times$", "≥": r"$\geq$", "≤": r"$\leq$"}
    | {"ρ": r"$\rho$", "α": r"$\alpha$", "β": r"$\beta$", "τ": r"$\tau$", "κ": r"$\kappa$"}
    | {"†": r"$\dagger$", "▲": r"$\blacktriangle$", "▼": r"$\blacktriangledown$"}
)


def to_markdown(table: Table, digits: int = DIGITS) -> str:
    """Return a Markdown table; numbers are right-aligned.

    Example:
        >>> print(to_markdown({"columns": ["system", "F1"], "rows": [["lead", 0.51234]]}))
        | system |    F1 |
        | :----- | ----: |
        | lead   | 0.512 |
    """
    columns, rows = _checked(table)
    cells = [[_markdown(cell) for cell in columns]]
    cells += [
        [_bold(cell, _markdown(shown(cell, digits)), "**{}**") for cell in row] for row in rows
    ]
    right = _numeric(columns, rows)
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    dashes = zip((":".rjust if is_right else ":".ljust for is_right in right), widths, strict=True)
    cells.insert(1, [align(width, "-") for align, width in dashes])
    lines = [_markdown_line(row, widths, right) for row in cells]
    title = [f"**{_markdown(table['title'])}**", ""] if table.get("title") else []
    notes = [""] + [f"- {_markdown(note)}" for note in table["notes"]] if table.get("notes") else []
    return "\n".join([*title, *lines, *notes])


def to_latex(table: Table, digits: int = DIGITS, label: str | None = None) -> str:
    r"""Return a LaTeX float; it needs the packages booktabs and amssymb.

    Args:
        table: The title becomes the caption, the notes small lines below.
        digits: Number of decimals.
        label: The name for `\ref`.
    """
    columns, rows = _checked(table)
    layout = "".join("r" if right else "l" for right in _numeric(columns, rows))
    lines = [r"% \usepackage{booktabs,amssymb}", r"\begin{table}", r"\centering"]
    lines += [rf"\begin{{tabular}}{{{layout}}}", r"\toprule"]
    lines += [_latex_line(columns), r"\midrule"]
    lines += [
        _latex_cells(_bold(cell, _latex(shown(cell, digits)), r"\textbf{{{}}}") for cell in row)
        for row in rows
    ]
    lines += [r"\bottomrule", r"\end{tabular}"]
    for note in table.get("notes") or ():
        # A signature has no spaces; it may break after its bars.
        breaking = _latex(note).replace(r"\textbar{}", r"\textbar\allowbreak{}")
        lines.append(rf"\par\smallskip\footnotesize {breaking}")
    if table.get("title"):
        lines.append(rf"\caption{{{_latex(table['title'])}}}")
    if label:
        lines.append(rf"\label{{{label}}}")
    return "\n".join([*lines, r"\end{table}"])


def to_csv(table: Table) -> str:
    """Return headings and rows as CSV: numbers unrounded, None and NaN empty, no formulas."""
    columns, rows = _checked(table)
    filled = (["" if _is_empty(cell) else cell for cell in row] for row in rows)
    return "".join(map(csv_line, (columns, *filled)))


def to_html(table: Table, digits: int = DIGITS) -> str:
    """Return an HTML `<figure>` for `tables_page` or a notebook."""
    columns, rows = _checked(table)
    kinds = [' class="n"' if is_right else "" for is_right in _numeric(columns, rows)]

    def line(tag: str, end: str, cells: Iterable[str]) -> str:
        pairs = zip(cells, kinds, strict=True)
        return "".join(f"<{tag}{kind}>{cell}</{end}>" for cell, kind in pairs)

    heads = line('th scope="col"', "th", map(escape, columns))
    body = "\n".join(
        f"<tr>{line('td', 'td', [_html(cell, digits) for cell in row])}</tr>" for row in rows
    )
    caption = f"<caption>{escape(table['title'])}</caption>" if table.get("title") else ""
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.get("notes") or ())
    below = f"\n<figcaption>{notes}</figcaption>" if notes else ""
    return (
        f"<figure>\n<table>{caption}\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>{below}\n</figure>"
    )


def tables_page(title: str, parts: Iterable[Table | str], digits: int = DIGITS) -> str:
    """Return a standalone page of tables and raw HTML parts below a heading."""
    body = [part if isinstance(part, str) else to_html(part, digits) for part in parts]
    return html_page(title, asset("tables.css"), "\n".join([f"<h1>{escape(title)}</h1>", *body]))


def leaderboard_page(board: Mapping[str, Any]) -> str:
    """Return a page with the systems of several runs in one table.

    Args:
        board: `title`; `metrics` (names; rows are sorted by the first); `data` (`name` and
            `events` of each data set by key); `rows` (`system`, `run`, `data` and `scores`: by
            metric `mean`, `low`, `high`, `items`); `signatures` (lines); `warnings` (lines).
    """
    best: dict[tuple[str, str], float] = {}
    for row in board["rows"]:
        for metric, score in row["scores"].items():
            key = metric, row["data"]
            best[key] = max(score["mean"], best.get(key, score["mean"]))
    body = render("leaderboard.html", board=board, best=best, shown=shown)
    return html_page(board["title"], asset("tables.css") + asset("leaderboard.css"), body)


def shown(cell: Cell, digits: int = DIGITS) -> str:
    """Return a cell as text; None and NaN become a dash.

    Example:
        >>> shown(0.12345), shown(12), shown(None), shown("lead")
        ('0.123', '12', '–', 'lead')
    """
    if isinstance(cell, str):
        return cell
    if _is_empty(cell):
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
    """Say which columns are right-aligned: those without words."""
    if not rows:
        return [False] * len(columns)
    return [not any(map(_is_word, column)) for column in zip(*rows, strict=True)]


def _is_word(cell: Cell) -> bool:
    if not isinstance(cell, str):
        return False
    return cell[:1].isalpha() or (not any(map(str.isdigit, cell)) and bool(cell.strip("–")))


def _markdown_line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        cell.rjust(width) if is_right else cell.ljust(width)
        for cell, width, is_right in zip(cells, widths, right, strict=True)
    )
    return f"| {' | '.join(padded)} |"


def _markdown(text: str) -> str:
    return " ".join(re.sub(r"[\\|*_<`]", r"\\\g<0>", text).split())


def _html(cell: Cell, digits: int) -> str:
    return _bold(cell, escape(shown(cell, digits)), "<strong>{}</strong>")


def _latex_line(cells: Iterable[str]) -> str:
    return _latex_cells(map(_latex, cells))


def _latex_cells(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _bold(cell: Cell, text: str, form: str) -> str:
    return form.format(text) if isinstance(cell, Strong) else text


def _latex(text: str) -> str:
    return " ".join(text.split()).translate(_LATEX)


def _is_empty(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and isnan(cell))
