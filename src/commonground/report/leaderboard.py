"""A leaderboard: systems of several runs in one table that sorts, as one page."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.page import counted, html_page
from commonground.report.tables import STYLE, shown

_STYLE: Final = (
    STYLE
    + """
.scroll { overflow-x: auto; }
th button { all: unset; cursor: pointer; font-weight: 600; white-space: nowrap; }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
th button::after { content: " \\2195"; color: var(--soft); }
th[aria-sort="descending"] button::after { content: " \\2193"; color: var(--ink); }
th[aria-sort="ascending"] button::after { content: " \\2191"; color: var(--ink); }
td small { display: block; color: var(--soft); font-size: .75rem; font-weight: 400; }
td.best { font-weight: 700; }
.tools { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; align-items: center; }
.tools input, .tools select { font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .5rem; }
.warning { border-left: .25rem solid var(--accent); padding: .3rem .8rem; background: var(--card); }
@media print { .tools { display: none; } }
"""
)

# Sorting starts where it is useful: numbers from the highest, names from the first letter.
_SCRIPT: Final = """
const body = document.querySelector("tbody"), heads = [...document.querySelectorAll("th")];
function sort(head) {
  const column = heads.indexOf(head), numeric = head.classList.contains("n");
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : numeric;
  heads.forEach(one => one.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = row => row.cells[column].dataset.value;
  const compare = (a, b) => {
    const x = value(a), y = value(b);
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = numeric ? x - y : x.localeCompare(y, undefined, {numeric: true});
    return down ? -order : order;
  };
  [...body.rows].sort(compare).forEach(row => body.append(row));
}
heads.forEach(head => head.querySelector("button").addEventListener("click", () => sort(head)));
const words = document.getElementById("filter"), data = document.getElementById("data");
function filter() {
  const wanted = words.value.trim().toLowerCase();
  for (const row of body.rows) {
    const here = row.textContent.toLowerCase().includes(wanted);
    row.hidden = !(here && (data.value === "" || row.dataset.data === data.value));
  }
}
words.addEventListener("input", filter);
data.addEventListener("change", filter);
filter();
"""


def leaderboard_page(board: Mapping[str, Any]) -> str:
    """The page; it needs no other file and no network, and is readable without scripts.

    Args:
        board: `title`; `metrics` (names, the first gives the order); `data` (name and events of
            each data set by key); `rows` (each `system`, `run`, `data` and `scores`: by metric
            `mean`, `low`, `high`, `items`); `signatures` (lines); `warnings` (lines).
    """
    metrics: Sequence[str] = board["metrics"]
    best = {
        (metric, key): max(
            (
                row["scores"][metric]["mean"]
                for row in board["rows"]
                if row["data"] == key and metric in row["scores"]
            ),
            default=None,
        )
        for metric in metrics
        for key in board["data"]
    }
    heads = "".join(_head(name, False) for name in ("System", "Run", "Data"))
    heads += "".join(_head(name, True, place == 0) for place, name in enumerate(metrics))
    rows = "\n".join(_row(row, metrics, board["data"], best) for row in board["rows"])
    systems = counted(len(board["rows"]), "system")
    about = f"{systems} on {counted(len(board['data']), 'data set')}. "
    about += "A click on a heading sorts. Small: the 95% interval. Bold: the best on its data set."
    body = [
        f"<h1>{escape(board['title'])}</h1>",
        f'<p class="about">{about}</p>',
        *(f'<p class="warning">{escape(line)}</p>' for line in board["warnings"]),
        _tools(board["data"]),
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        "</table></div>",
        *(f'<p class="signature">{escape(line)}</p>' for line in board["signatures"]),
        f"<script>{_SCRIPT}</script>",
    ]
    return html_page(board["title"], _STYLE, body)


def _head(name: str, numeric: bool, sorted_by: bool = False) -> str:
    kind = ' class="n"' if numeric else ""
    kind += ' aria-sort="descending"' if sorted_by else ""
    return f'<th scope="col"{kind}><button type="button">{escape(name)}</button></th>'


def _tools(data: Mapping[str, Mapping[str, Any]]) -> str:
    options = "".join(
        f'<option value="{escape(key)}">{escape(one["name"])}</option>' for key, one in data.items()
    )
    return (
        '<div class="tools"><label>Find <input id="filter" type="search"></label>'
        f'<label>Data set <select id="data"><option value="">all</option>{options}</select>'
        "</label></div>"
    )


def _row(
    row: Mapping[str, Any],
    metrics: Sequence[str],
    data: Mapping[str, Mapping[str, Any]],
    best: Mapping[tuple[str, str], float | None],
) -> str:
    names = (row["system"], row["run"], data[row["data"]]["name"])
    cells = [f'<td data-value="{escape(name)}">{escape(name)}</td>' for name in names]
    for metric in metrics:
        one = row["scores"].get(metric)
        if one is None:
            cells.append('<td class="n" data-value="">–</td>')
            continue
        top = " best" if one["mean"] == best[metric, row["data"]] else ""
        events = data[row["data"]]["events"]
        part = f", {one['items']} of {events}" if one["items"] < events else ""
        cells.append(
            f'<td class="n{top}" data-value="{one["mean"]}">{shown(one["mean"])}'
            f"<small>{shown(one['low'])}–{shown(one['high'])}{part}</small></td>"
        )
    return f'<tr data-data="{escape(row["data"])}">{"".join(cells)}</tr>'
