"""A leaderboard page: the systems of several runs in one sortable table."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from commonground.report.page import asset, counted, html_page
from commonground.report.tables import STYLE, shown


def leaderboard_page(board: Mapping[str, Any]) -> str:
    """Return a standalone page that is readable without scripts.

    Args:
        board: `title`; `metrics` (names; rows are sorted by the first); `data` (`name` and
            `events` of each data set by key); `rows` (`system`, `run`, `data` and `scores`: by
            metric `mean`, `low`, `high`, `items`); `signatures` (lines); `warnings` (lines).
    """
    metrics, data = board["metrics"], board["data"]
    best: dict[tuple[str, str], float] = {}
    for row in board["rows"]:
        for metric, score in row["scores"].items():
            key = metric, row["data"]
            best[key] = max(score["mean"], best.get(key, score["mean"]))
    heads = "".join(_head(name, "") for name in ("System", "Run", "Data"))
    for index, name in enumerate(metrics):
        heads += _head(name, ' class="n"' + ("" if index else ' aria-sort="descending"'))
    rows = "\n".join(_row(row, metrics, data[row["data"]], best) for row in board["rows"])
    options = "".join(
        f'<option value="{escape(key)}">{escape(entry["name"])}</option>'
        for key, entry in data.items()
    )
    body = [
        f"<h1>{escape(board['title'])}</h1>",
        f'<p class="about">{counted(len(board["rows"]), "system")} on '
        f"{counted(len(data), 'data set')}. A click on a heading sorts. Small: the 95% interval. "
        "Bold: the best on its data set.</p>",
        *(f'<p class="warning">{escape(line)}</p>' for line in board["warnings"]),
        '<div class="tools"><label>Find <input id="filter" type="search"></label>'
        f'<label>Data set <select id="data"><option value="">all</option>{options}</select>'
        "</label></div>",
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>'
        "</table></div>",
        *(f'<p class="signature">{escape(line)}</p>' for line in board["signatures"]),
        f"<script>{asset('leaderboard.js')}</script>",
    ]
    return html_page(board["title"], STYLE + asset("leaderboard.css"), body)


def _head(name: str, attributes: str) -> str:
    return f'<th scope="col"{attributes}><button type="button">{escape(name)}</button></th>'


def _row(
    row: Mapping[str, Any],
    metrics: Sequence[str],
    data: Mapping[str, Any],
    best: Mapping[tuple[str, str], float],
) -> str:
    names = (row["system"], row["run"], data["name"])
    cells = [f'<td data-value="{escape(name)}">{escape(name)}</td>' for name in names]
    for metric in metrics:
        score = row["scores"].get(metric)
        if score is None:
            cells.append('<td class="n" data-value="">–</td>')
            continue
        top = " best" if score["mean"] == best[metric, row["data"]] else ""
        part = f", {score['items']} of {data['events']}" if score["items"] < data["events"] else ""
        cells.append(
            f'<td class="n{top}" data-value="{score["mean"]}">{shown(score["mean"])}'
            f"<small>{shown(score['low'])}–{shown(score['high'])}{part}</small></td>"
        )
    return f'<tr data-data="{escape(row["data"])}">{"".join(cells)}</tr>'
