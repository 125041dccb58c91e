"""`commonground pyramid score --feedback`: folders of summaries in, a folder of pages out."""

import json
from pathlib import Path

import pytest

from commonground import Pyramid
from commonground.cli import run
from commonground.report import page_names
from html_reader import Reader

REFERENCES = [
    "The dam burst on Friday. A village was flooded. Nobody died.",
    "On Friday the dam broke. The flood reached a village.",
]


@pytest.fixture(scope="module")
def pyramid(tmp_path_factory):
    path = tmp_path_factory.mktemp("pyramid") / "dam.json"
    Pyramid.build(REFERENCES).save(path)
    return str(path)


@pytest.fixture
def students(tmp_path):
    folder = tmp_path / "students"
    folder.mkdir()
    (folder / "cleo.md").write_text("The dam burst on Friday.")
    (folder / "Ben A.txt").write_text("A village was flooded & nobody died.")
    (folder / "dora.TXT").write_text("")
    (folder / ".hidden.txt").write_text("Not meant.")
    (folder / "notes.csv").write_text("Not meant either.")
    (folder / "old.txt").mkdir()
    return folder


def refused(arguments, capsys):
    """The one line that a wrong command gives."""
    assert run(["pyramid", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_folder_is_its_texts_in_the_order_of_their_names(pyramid, students, tmp_path, capsys):
    other = tmp_path / "eve.txt"
    other.write_text("Rain.")
    assert run(["pyramid", "score", pyramid, str(other), str(students), "--json"]) == 0
    found = [Path(row["file"]).name for row in json.loads(capsys.readouterr().out)["scores"]]
    assert found == ["eve.txt", "Ben A.txt", "cleo.md", "dora.TXT"]


def test_references_may_be_a_folder_too(tmp_path, capsys):
    folder = tmp_path / "references"
    folder.mkdir()
    for number, text in enumerate(REFERENCES):
        (folder / f"{number}.txt").write_text(text)
    out = tmp_path / "p.json"
    assert run(["pyramid", "build", str(folder), "-o", str(out)]) == 0
    assert Pyramid.load(out).references == tuple(REFERENCES)


def test_a_folder_without_texts_is_one_line(pyramid, tmp_path, capsys):
    (tmp_path / "a.csv").write_text("")
    message = refused(["score", pyramid, tmp_path], capsys)
    assert "the folder has no file with text" in message


def test_a_page_for_each_student_and_one_for_the_class(pyramid, students, tmp_path, capsys):
    out = tmp_path / "feedback"
    command = ["pyramid", "score", pyramid, str(students), "--feedback", str(out), "--json"]
    assert run(command) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    pages = ["Ben-A.html", "cleo.html", "dora.html"]
    assert sorted(path.name for path in out.iterdir()) == [*pages, "index.html"]
    index = Reader((out / "index.html").read_text("utf-8"))
    assert [one["href"] for one in index.named("a")] == pages
    assert index.inside("h1") == ["Class: dam"]
    ben = Reader((out / "Ben-A.html").read_text("utf-8"))
    assert ben.inside("h1") == ["Ben A"]
    assert ben.inside("mark") == ["A village was flooded & nobody died."]
    stated = sum(match["stated"] for match in scores[0]["matches"])
    assert f"What it says ({stated}, {round(scores[0]['raw'], 1):g} points)" in ben.inside("h2")
    dora = Reader((out / "dora.html").read_text("utf-8"))
    assert dora.inside("em") == ["This summary is empty."]


def test_own_pages_are_rewritten_and_others_left_alone(pyramid, students, tmp_path, capsys):
    command = ["score", pyramid, students / "cleo.md", "--feedback", students]
    assert run(["pyramid", *map(str, command)]) == 0
    before = (students / "cleo.html").read_text("utf-8")
    assert run(["pyramid", *map(str, command)]) == 0
    assert (students / "cleo.html").read_text("utf-8") == before
    assert (students / "cleo.md").read_text() == "The dam burst on Friday."
    capsys.readouterr()
    (students / "index.html").write_text("<title>My own page</title>")
    assert "is not a feedback page" in refused(command, capsys)
    assert (students / "index.html").read_text() == "<title>My own page</title>"


def test_a_summary_is_never_overwritten(pyramid, tmp_path, capsys):
    summary = tmp_path / "anna.html"
    summary.write_text("The dam burst.")
    message = refused(["score", pyramid, summary, "--feedback", tmp_path], capsys)
    assert "is an input file" in message
    assert summary.read_text() == "The dam burst."


def test_no_folder_to_write_to_is_said_before_the_work(pyramid, students, tmp_path, capsys):
    taken = tmp_path / "taken"
    taken.write_text("")
    assert "is a file; give a folder" in refused(
        ["score", pyramid, students, "--feedback", taken], capsys
    )
    nowhere = tmp_path / "none" / "feedback"
    assert "cannot be written" in refused(
        ["score", pyramid, students, "--feedback", nowhere], capsys
    )


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["anna.txt", "Anna.md", "b/anna.txt"], ["anna", "Anna-2", "anna-3"]),
        (["anna-2.txt", "anna.txt", "anna.md"], ["anna-2", "anna", "anna-3"]),
        (["index.txt", "CON.txt", "...txt"], ["index-2", "CON-2", "student"]),
        (["José Ñ.txt", "李雷.txt"], ["José-Ñ", "李雷"]),
        (["Jose\u0301.txt", "José.txt"], ["José", "José-2"]),
        (['a<b>"c":d?.txt', "  .txt", "a\\b.txt"], ["a-b-c-d", "student", "a-b"]),
        (["x" * 300 + ".txt", "x" * 300 + ".md"], ["x" * 50, "x" * 50 + "-2"]),
    ],
)
def test_page_names_are_safe_and_no_two_alike(files, names):
    assert page_names([Path(file).stem for file in files]) == [f"{name}.html" for name in names]


def test_students_with_the_same_name_are_told_apart(pyramid, tmp_path):
    files = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        files.append(tmp_path / folder / "anna.txt")
        files[-1].write_text("The dam burst.")
    out = tmp_path / "out"
    assert run(["pyramid", "score", pyramid, *map(str, files), "--feedback", str(out)]) == 0
    index = Reader((out / "index.html").read_text("utf-8"))
    assert index.inside("a") == [str(file) for file in files]
