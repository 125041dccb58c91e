"""`commonground pyramid` on the example class."""

import csv
import json
from pathlib import Path

import pytest

from commonground.cli import run

CLASS = Path(__file__).parent.parent.parent / "examples" / "class"
REFERENCES = sorted(map(str, (CLASS / "references").glob("*.txt")))
STUDENTS = sorted(map(str, (CLASS / "students").glob("*.txt")))


@pytest.fixture(scope="module")
def pyramid(tmp_path_factory):
    path = tmp_path_factory.mktemp("pyramid") / "p.json"
    assert run(["pyramid", "build", *REFERENCES, "-o", str(path)]) == 0
    return str(path)


def test_build_show_and_draw(pyramid, tmp_path, capsys):
    assert run(["pyramid", "show", pyramid]) == 0
    assert "[4]" in capsys.readouterr().out
    page = tmp_path / "p.html"
    assert run(["pyramid", "show", pyramid, "--html", str(page)]) == 0
    assert page.read_text().startswith("<!")
    assert run(["pyramid", "show", pyramid, "--json"]) == 0


def test_score_prints_json_in_the_order_given(pyramid, capsys):
    files = STUDENTS[::-1]
    assert run(["pyramid", "score", pyramid, *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["file"] for row in found["scores"]] == files
    assert set(found) == {"signature", "scores"}
    first = found["scores"][0]
    assert {"raw", "quality", "coverage", "comprehensive", "matches"} <= set(first)
    assert first["raw"] == pytest.approx(sum(match["points"] for match in first["matches"]))


def test_score_table_csv_and_explanation(pyramid, tmp_path, capsys):
    out = tmp_path / "class.csv"
    assert run(["pyramid", "score", pyramid, *STUDENTS, "--csv", str(out), "--explain"]) == 0
    printed = capsys.readouterr().out
    assert "anna.txt" in printed
    assert "Missed:" in printed
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["file"] for row in rows] == [Path(name).name for name in STUDENTS]
    assert float(rows[0]["raw"]) > 0


def test_the_preset_builds_and_scores_as_the_paper_does(tmp_path, capsys):
    path = str(tmp_path / "p.json")
    assert run(["pyramid", "build", *REFERENCES, "-o", path, "--preset", "pyreval"]) == 0
    capsys.readouterr()
    raw = {}
    for presence, judge, *options in (
        ("pyreval", "sif"),
        ("wmin", "sif", "--method", "wmin"),
        ("exact", "sif", "--method", "exact"),
        ("pyreval", "static", "--encoder", "static", "--threshold", "0.9"),
    ):
        assert run(["pyramid", "score", path, *STUDENTS, "--json", *options]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["signature"].startswith("PYRAMID|preset:pyreval|builder:edua-g|enc:sif@")
        assert f"|presence:{presence}-0." in found["signature"]
        assert f"|judge:{judge}@" in found["signature"]
        raw[presence, judge] = found["scores"][0]["raw"]
        for row in found["scores"]:
            stated = [match for match in row["matches"] if match["stated"]]
            assert row["raw"] == sum(match["weight"] for match in stated)
            assert all(match["text"] for match in stated)
    assert raw["pyreval", "static"] < raw["pyreval", "sif"]
    assert raw["wmin", "sif"] <= raw["exact", "sif"]


def test_soft_and_hard_on_one_pyramid(pyramid, capsys):
    assert run(["pyramid", "score", pyramid, STUDENTS[0], "--method", "wmin", "--explain"]) == 0
    printed = "".join(capsys.readouterr().out.split())
    assert "presence:wmin-0." in printed
    assert "judge:minilm@" in printed
    assert "Missed:" in printed


def test_a_pyramid_compared_with_itself_agrees(pyramid, capsys):
    assert run(["pyramid", "compare", pyramid, pyramid]) == 0
    assert "0 only automatic, 0 only manual" in capsys.readouterr().out


def test_wrong_files_are_one_line(pyramid, tmp_path, capsys):
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"half": ')
    for arguments in (
        ["score", str(wrong), STUDENTS[0]],
        ["score", pyramid, str(tmp_path / "none.txt")],
        ["build", REFERENCES[0], str(tmp_path / "none.txt"), "-o", str(tmp_path / "x.json")],
        ["build", *REFERENCES, "-o", str(tmp_path / "x.json"), "--builder", "edua-q"],
        ["build", *REFERENCES, "-o", str(tmp_path / "x.json"), "--preset", "pyrevl"],
        ["score", pyramid, STUDENTS[0], "--method", "hard"],
        ["score", pyramid, STUDENTS[0], "--threshold", "0.5"],
        ["score", pyramid, STUDENTS[0], "--method", "wmin", "--threshold", "7"],
        ["score", pyramid, STUDENTS[0], "--encoder", "static"],
    ):
        assert run(["pyramid", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
    assert not (tmp_path / "x.json").exists()
