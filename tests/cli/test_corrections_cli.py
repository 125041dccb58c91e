"""`commonground pyramid score` with corrections, units, grades and wording."""

import csv
import json
import zipfile

import pytest

from commonground.cli import run
from commonground.pyramid import Pyramid

UNITS = ["The dam burst on Friday.", "A village was flooded.", "Nobody died."]
ANNA = "The dam burst on Friday. Nobody died."
BEN = "A cat sat on a mat."


@pytest.fixture
def room(tmp_path):
    """A pyramid of weights 3, 2, 1 and a class of two."""
    Pyramid.from_units(UNITS, [3, 2, 1]).save(tmp_path / "dam.json")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "anna.txt").write_text(ANNA)
    (tmp_path / "class" / "ben.txt").write_text(BEN)
    return tmp_path


def score(room, capsys, *options):
    command = ["pyramid", "score", str(room / "dam.json"), str(room / "class"), "--json"]
    capsys.readouterr()
    assert run([*command, *map(str, options)]) == 0
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err.splitlines()


def correct(room, *arguments):
    return run(["pyramid", "correct", str(room / "c.json"), *map(str, arguments), "--by", "Weber"])


def points(found):
    return [round(row["raw"], 3) for row in found["scores"]]


def test_corrections_change_the_points_and_are_undone(room, capsys):
    before, _ = score(room, capsys)
    anna, ben = room / "class" / "anna.txt", room / "class" / "ben.txt"
    assert correct(room, "reject", "--summary", anna, "--idea", UNITS[0]) == 0
    assert correct(room, "point", "--summary", ben, "--idea", UNITS[2], "--sentence", 1) == 0
    assert correct(room, "comment", "--summary", ben, "--words", "Read it again.") == 0
    assert "c.json: 3 corrections" in capsys.readouterr().out
    found, told = score(room, capsys, "--corrections", room / "c.json")
    assert not told
    first, second = found["scores"]
    lost = before["scores"][0]["matches"][0]["points"]
    assert first["raw"] == pytest.approx(before["scores"][0]["raw"] - lost)
    assert [match["by"] for match in first["matches"]] == ["Weber", None, None]
    assert (second["raw"], second["matches"][2]["text"]) == (1, BEN)
    assert second["comment"]["text"] == "Read it again."
    assert found["changed"] == {"decided": 2, "changed": 2, "marks": 6}
    for _ in range(3):
        assert run(["pyramid", "correct", str(room / "c.json"), "--undo"]) == 0
    capsys.readouterr()
    assert points(score(room, capsys, "--corrections", room / "c.json")[0]) == points(before)
    assert run(["pyramid", "correct", str(room / "c.json"), "--undo"]) == 2
    assert "there is no correction to undo" in capsys.readouterr().err


def test_what_does_not_fit_is_a_line_each_and_nothing_is_lost(room, capsys):
    anna = room / "class" / "anna.txt"
    assert correct(room, "accept", "--summary", anna, "--idea", UNITS[1]) == 0
    assert correct(room, "accept", "--summary", room / "dam.json", "--idea", UNITS[1]) == 0
    assert correct(room, "delete", "--idea", "It snowed.") == 0
    file = (room / "c.json").read_bytes()
    anna.write_text("Something else.")
    capsys.readouterr()
    found, told = score(room, capsys, "--corrections", room / "c.json")
    start = f"commonground: {room / 'c.json'}: changes"
    assert told == [
        f"{start}[0] is not applied: the text of 'anna' has changed since",
        f"{start}[1] is not applied: the class has no student 'dam'",
        f"{start}[2] is not applied: the pyramid has no idea “It snowed.”",
    ]
    assert found["not_applied"] == [line.removeprefix("commonground: ") for line in told]
    assert (room / "c.json").read_bytes() == file


def test_how_often_the_teacher_changed_us(room, capsys):
    anna = room / "class" / "anna.txt"
    assert correct(room, "reject", "--summary", anna, "--idea", UNITS[0]) == 0
    labels, marks = room / "labels.csv", room / "marks.csv"
    score(room, capsys, "--corrections", room / "c.json", "--labels", labels, "--marks", marks)
    with labels.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["annotator"], row["label"]) for row in rows] == [
        ("program", "P"),
        ("program", "A"),
        ("program", "P"),
        ("person", "A"),
        ("person", "A"),
        ("person", "P"),
    ]
    with marks.open(newline="") as stream:
        every = list(csv.DictReader(stream))
    assert [row["by"] for row in every] == ["Weber", *["program"] * 5]
    assert run(["agreement", "labels", str(labels), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # P A P against A A P. The reward is 2 of 3. Observed agreement 2/3, by chance
    # (2/3)(1/3) + (1/3)(2/3) = 4/9: kappa is (2/3 - 4/9) / (1 - 4/9) = 2/5.
    (recall,) = found["agreement"]
    assert recall["mean"]["reward"] == pytest.approx(2 / 3)
    assert recall["mean"]["kappa"] == pytest.approx(2 / 5)


def test_grades_have_a_histogram(room, capsys):
    (room / "g.csv").write_text("mark,points\n1,3\n2,1\n5,0\n")
    found, _ = score(room, capsys, "--grades", room / "g.csv")
    assert [row["grade"] for row in found["scores"]] == ["1", "5"]
    assert found["grades"] == {"1": 1, "2": 0, "5": 1}
    base = ["pyramid", "score", str(room / "dam.json"), str(room / "class")]
    out = room / "class.csv"
    assert run([*base, "--grades", str(room / "g.csv"), "--csv", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "1  █ 1\n2   0\n5  █ 1" in printed
    with out.open(newline="") as stream:
        assert [row["grade"] for row in csv.DictReader(stream)] == ["1", "5"]


def test_feedback_in_ones_own_words_as_a_zip_file(room, capsys):
    (room / "g.csv").write_text("mark,comprehensive\ngood,50%\npoor,0\n")
    (room / "w.json").write_text('{"missed": "Still to come"}')
    anna = room / "class" / "anna.txt"
    assert correct(room, "comment", "--summary", anna, "--words", "Well done & short") == 0
    out = room / "feedback.zip"
    options = ["--corrections", room / "c.json", "--grades", room / "g.csv"]
    score(room, capsys, *options, "--wording", room / "w.json", "--feedback", out)
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == ["index.html", "anna.html", "ben.html"]
        page = archive.read("anna.html").decode()
        index = archive.read("index.html").decode()
    assert "Still to come" in page
    assert "Well done &amp; short" in page
    assert "Grade: <strong>good</strong>" in page
    assert "Grades of the class" in index


def test_units_of_ones_own_take_the_place_of_the_pyramid(room, capsys):
    units = room / "units.csv"
    lines = [f"{unit},{weight}\n" for unit, weight in zip(UNITS, (3, 2, 1), strict=True)]
    units.write_text("unit,weight\n" + "".join(lines))
    with_pyramid, _ = score(room, capsys)
    assert run(["pyramid", "score", "--units", str(units), str(room / "class"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert points(found) == points(with_pyramid)
    assert found["signature"].startswith("PYRAMID|builder:given|units:3|")


@pytest.mark.parametrize(
    ("name", "content", "option", "words"),
    [
        ("g.csv", "", "--grades", "is empty"),
        ("g.csv", "pupil,points\n1,0\n", "--grades", 'write "A 20" (points) or "A 75%"'),
        ("g.csv", "mark,rouge\n1,0\n", "--grades", "unknown score 'rouge'"),
        ("g.csv", "mark,points\n1,3\n", "--grades", "the lowest mark must start at 0"),
        ("g.csv", "mark,points\n1,3\n1,0\n", "--grades", "line 3: 1, 0 appears twice"),
        ("g.csv", "mark,points\n1,few\n", "--grades", "line 2: 'few' is not a number from 0"),
        ("w.json", "{", "--wording", "line 1: is not JSON"),
        ("w.json", '{"sad": "x"}', "--wording", "unknown text 'sad'"),
        ("c.json", "{", "--corrections", "line 1: is not JSON"),
        ("labels.csv", "", "--labels", "--labels needs --corrections"),
    ],
)
def test_bad_input_is_told_in_a_line(room, capsys, name, content, option, words):
    (room / name).write_text(content)
    command = ["pyramid", "score", str(room / "dam.json"), str(room / "class")]
    assert run([*command, option, str(room / name)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.splitlines()) == 1


def test_a_class_that_is_empty_or_has_a_summary_twice(room, capsys):
    assert run(["pyramid", "score", str(room / "dam.json")]) == 2
    assert "give the summaries to score, after the pyramid" in capsys.readouterr().err
    (room / "nobody").mkdir()
    assert run(["pyramid", "score", str(room / "dam.json"), str(room / "nobody")]) == 2
    assert "the folder has no file with text" in capsys.readouterr().err
    anna = str(room / "class" / "anna.txt")
    assert run(["pyramid", "score", str(room / "dam.json"), anna, anna]) == 2
    assert "is given twice; name each summary once" in capsys.readouterr().err


def test_two_students_of_one_name(room, capsys):
    (room / "other").mkdir()
    (room / "other" / "anna.txt").write_text(BEN)
    first, second = str(room / "class" / "anna.txt"), str(room / "other" / "anna.txt")
    assert correct(room, "accept", "--summary", second, "--idea", UNITS[1]) == 0
    base = ["pyramid", "score", str(room / "dam.json"), first, second, "--json"]
    base += ["--corrections", str(room / "c.json")]
    capsys.readouterr()
    assert run(base) == 0
    assert "2 students are named 'anna': write" in capsys.readouterr().err
    words = ["--summary", second, "--student", second, "--idea", UNITS[1]]
    assert correct(room, "accept", *words) == 0
    capsys.readouterr()
    assert run(base) == 0
    found = json.loads(capsys.readouterr().out)
    assert points(found)[1] == 2
    assert [row["file"] for row in found["scores"]] == [first, second]


def test_the_names_of_references_are_kept(room, capsys):
    for name, text in (("north", ANNA), ("south", BEN)):
        (room / f"{name}.txt").write_text(text)
    files = [str(room / f"{name}.txt") for name in ("north", "south")]
    assert run(["pyramid", "build", *files, "-o", str(room / "p.json")]) == 0
    assert Pyramid.load(room / "p.json").names == ("north", "south")
