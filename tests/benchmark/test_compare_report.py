"""Report: ranks and marks of significant differences, and its forms."""

import re

import pytest

from commonground.agreement import Scores
from commonground.benchmark import Report
from commonground.errors import InputError
from html_reader import Reader


def scores(events, **systems):
    """Each system's value on every event, plus what tells events apart."""
    return Scores.of(
        (f"e{n}", system, metric, value + n * slope)
        for system, metrics in systems.items()
        for metric, (value, slope) in metrics.items()
        for n in range(events)
    )


def two(events):
    return scores(
        events,
        good={"f1": (0.5, 0.02), "r1": (0.3, 0)},
        poor={"f1": (0.4, 0.01), "r1": (0.3, 0)},
    )


def test_marks_by_hand():
    # Eight differences of one sign: p = 2 / 2**8 = .008. Equal values: no difference, one rank.
    report = Report.compare(two(8))
    found = report.to_dict()["systems"]
    assert list(found) == ["good", "poor"]
    assert found["good"]["f1"] == {
        "mean": pytest.approx(0.57),
        "rank": 1,
        "beats": ["poor"],
        "items": 8,
    }
    assert found["poor"]["f1"]["beats"] == [] and found["poor"]["f1"]["rank"] == 2
    assert [found[name]["r1"]["rank"] for name in found] == [1, 1]
    assert report.table()["rows"] == [
        ["a", "good", "0.570 (1) b", "0.300 (1)"],
        ["b", "poor", "0.435 (2)", "0.300 (1)"],
    ]


def test_five_events_are_too_few():
    # p = 2 / 2**5 = .0625
    assert Report.compare(two(5)).standings["good"]["f1"].beats == ()
    assert Report.compare(two(5), significance=0.07).standings["good"]["f1"].beats == ("poor",)


def test_correction_for_many_comparisons():
    # Six differences of one sign: p = 2 / 2**6 = .03125 for each of three pairs, .094 by Holm.
    many = scores(6, a={"f1": (0.5, 0.03)}, b={"f1": (0.4, 0.02)}, c={"f1": (0.3, 0.01)})
    assert Report.compare(many).standings["a"]["f1"].beats == ()
    assert Report.compare(many, correction="none").standings["a"]["f1"].beats == ("b", "c")
    # With one pair there is nothing to correct.
    assert Report.compare(many, ["a", "c"]).standings["a"]["f1"].beats == ("c",)


def test_the_first_metric_gives_the_order():
    some = scores(3, a={"x": (1, 0), "y": (2, 0)}, b={"x": (2, 0), "y": (1, 0)})
    assert list(Report.compare(some).standings) == ["b", "a"]
    assert list(Report.compare(some, metrics=["y"]).standings) == ["a", "b"]


def test_a_metric_that_one_system_lacks():
    some = Scores.of([("1", "a", "x", 1.0), ("1", "b", "x", 2.0), ("1", "a", "y", 3.0)])
    assert Report.compare(some).table()["rows"] == [
        ["a", "b", "2.000 (1)", "–"],
        ["b", "a", "1.000 (2)", "3.000 (1)"],
    ]


def test_more_systems_than_letters():
    systems = {f"s{n:02}": {"f1": (n / 100, n / 1000)} for n in range(30)}
    rows = Report.compare(scores(12, **systems), correction="none").table()["rows"]
    assert rows[0] == ["1", "s29", "0.449 (1) > 29".replace("0.449", rows[0][2][:5])]
    assert rows[-1][2].endswith("(30)")


def test_forms(tmp_path):
    report = Report.compare(two(8))
    assert str(report).splitlines()[2] == "| a   | good   | 0.570 (1) b | 0.300 (1) |"
    assert r"a & good & 0.570 (1) b & 0.300 (1) \\" in report.to_latex(label="tab:x")
    report.to_html(tmp_path / "page.html")
    page = Reader((tmp_path / "page.html").read_text())
    assert page.inside("td")[:3] == ["a", "good", "0.570 (1) b"]
    assert Reader(report._repr_html_()).inside("th")[0] == "system"
    frame = report.to_dataframe()
    assert list(frame.columns) == ["system", "metric", "mean", "rank", "beats", "items"]
    assert frame.set_index(["system", "metric"]).loc[("good", "f1"), "rank"] == 1


def test_pandas_is_an_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"extra \[pandas\]"):
        Report.compare(two(8)).to_dataframe()


def test_wrong_names():
    with pytest.raises(InputError, match="unknown metric 'f2'; did you mean 'f1'"):
        Report.compare(two(8), metrics=["f2"])
    with pytest.raises(InputError, match="unknown system 'god'; did you mean 'good'"):
        Report.compare(two(8), ["god", "poor"])
    with pytest.raises(InputError, match="needs two systems, not 1"):
        Report.compare(two(8), ["good"])


def test_a_comparison_cites_the_papers_of_its_metrics(example):
    text = Report.compare(example, metrics=["rouge2", "sem-f1", "human-f1"]).cite()
    assert re.findall(r"^@\w+\{([^,]+),", text, flags=re.MULTILINE) == [
        "lin-2004-rouge",
        "bansal-etal-2022-sem",
        "commonground",
    ]
