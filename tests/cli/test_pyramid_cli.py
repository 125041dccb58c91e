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
    assert [row["name"] for row in rows] == [Path(name).name for name in STUDENTS]
    assert float(rows[0]["raw"]) > 0
    assert all(len(row[key].partition(".")[2]) <= 4 for row in rows for key in ("raw", "quality"))


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


def test_a_class_is_read_from_one_table(pyramid, tmp_path, capsys):
    texts = {Path(name).stem: Path(name).read_text("utf-8") for name in STUDENTS[:2]}
    table = tmp_path / "class.csv"
    with table.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("name", "summary"), *texts.items(), ("Zoe", "")])
    assert run(["pyramid", "score", pyramid, *STUDENTS[:2], "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)["scores"]
    out, pages = tmp_path / "scores.csv", tmp_path / "pages"
    command = ["pyramid", "score", pyramid, str(table), "--json", "--csv", str(out)]
    assert run([*command, "--feedback", str(pages)]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert [row["student"] for row in found] == [*texts, "Zoe"]
    assert {row["file"] for row in found} == {str(table)}
    assert [row["raw"] for row in found] == [*(row["raw"] for row in alone), 0]
    with out.open(newline="") as stream:
        assert [row["name"] for row in csv.DictReader(stream)] == [*texts, "Zoe"]
    assert {page.stem for page in pages.iterdir()} == {*texts, "Zoe", "index"}


def test_a_table_beside_files_keeps_all_students_apart(pyramid, tmp_path, capsys):
    name = Path(STUDENTS[0]).stem
    (tmp_path / "class.csv").write_text(f"student,text\n{name},Rain.\n{name},Snow.\n")
    files = [str(tmp_path / "class.csv"), STUDENTS[0]]
    assert run(["pyramid", "score", pyramid, *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert [row["student"] for row in found] == [f"{name} (2)", f"{name} (3)", name]


def test_a_student_of_a_table_is_corrected(pyramid, tmp_path, capsys):
    table, log = tmp_path / "class.csv", str(tmp_path / "c.json")
    table.write_text("name,summary\nAnna,It rained.\n")
    command = ["pyramid", "correct", log, "comment", "--summary", str(table), "--words", "Good."]
    assert run([*command, "--student", "Ben"]) == 2
    assert "class.csv: give the name of a student in it as --student" in capsys.readouterr().err
    assert run([*command, "--student", "Anna", "--by", "Weber"]) == 0
    capsys.readouterr()
    score = ["pyramid", "score", pyramid, str(table), "--json", "--corrections", log]
    assert run(score) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["not_applied"] == []
    assert found["scores"][0]["comment"]["text"] == "Good."


def test_a_table_with_other_columns_is_refused(pyramid, tmp_path, capsys):
    (tmp_path / "class.csv").write_text("who,what\nAnna,Rain.\n")
    assert run(["pyramid", "score", pyramid, str(tmp_path / "class.csv")]) == 2
    error = capsys.readouterr().err
    assert 'needs the columns "name" (or "student", "id")' in error
    assert error.count("\n") == 1
