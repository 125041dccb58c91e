"""Leaderboards over several runs."""

import pytest

from commonground.benchmark import Config, leaderboard, make_run, write_leaderboard
from commonground.errors import InputError
from html_reader import Reader


def two_runs(tiny):
    first = tiny.run("first")
    other = tiny.rows("o.jsonl", [{"id": "cat", "system": "three", "summary": "the cat was <b>"}])
    second = make_run(
        tiny.folder / "second",
        tiny.events,
        [other],
        Config(metrics=("rouge",), stemmer=False, title="Second"),
    )
    return first, second


def test_systems_of_all_runs_best_first(tiny):
    board = leaderboard(two_runs(tiny), ["rouge1"])
    assert [(row["run"], row["system"]) for row in board["rows"]] == [
        ("first", "one"),
        ("Second", "three"),
        ("first", "two"),
    ]
    assert board["rows"][1]["scores"]["rouge1"] == {
        "mean": pytest.approx(6 / 8),
        "low": pytest.approx(6 / 8),
        "high": pytest.approx(6 / 8),
        "items": 1,
    }
    assert len(board["data"]) == 1
    assert board["warnings"] == [
        "rouge: the runs measured it in different ways (signatures below)."
    ]


def test_different_data_sets_are_said(tiny):
    first = tiny.run("first")
    tiny.events = tiny.rows("more.jsonl", [*tiny.EVENTS, {"id": "sun", "references": ["sun"]}])
    board = leaderboard([first, tiny.run("second")])
    assert board["warnings"][0].startswith("The runs are on different data sets")
    assert [one["events"] for one in board["data"].values()] == [2, 3]


def test_the_page(tiny):
    write_leaderboard(tiny.folder / "page.html", two_runs(tiny), ["rouge1", "rouge2"], "Best <1>")
    text = (tiny.folder / "page.html").read_text()
    page = Reader(text.replace('<input id="filter" type="search">', ""))
    assert page.inside("h1") == ["Best <1>"]
    assert page.inside("th") == ["System", "Run", "Data", "rouge1", "rouge2"]
    heads = page.named("th")
    assert [one.get("aria-sort") for one in heads] == [None, None, None, "descending", None]
    cells = page.named("td")
    assert cells[0]["data-value"] == "one"
    assert "best" in cells[3]["class"]
    assert "0.571–1.000" in page.inside("small")
    assert "0.750–0.750, 1 of 2" in page.inside("small")
    assert "http" not in text  # needs no network


def test_wrong_input(tiny):
    with pytest.raises(InputError, match="unknown metric 'f1'"):
        leaderboard([tiny.run()], ["f1"])
    with pytest.raises(InputError, match="is not a run folder"):
        leaderboard([tiny.folder])
    with pytest.raises(InputError, match="needs a run"):
        leaderboard([])
