"""`commonground group` from files of all kinds."""

import importlib.util
import json

import pytest

from commonground.cli import run
from commonground.io import read_events

POST = "The dam above Marwell broke on Friday night after a week of rain."
COURIER = "Marwell's old dam gave way late on Friday, after rain that lasted a week."
CHESS = "Chess clubs have not had so many young members since the seventies."


@pytest.fixture
def folder(tmp_path):
    pile = tmp_path / "pile"
    (pile / "north").mkdir(parents=True)
    (pile / "post.txt").write_text(POST)
    (pile / "north" / "courier.txt").write_text(COURIER)
    (pile / "chess.md").write_text(CHESS)
    (pile / "picture.png").write_bytes(b"\x89PNG")
    return pile


def rows(path, *articles):
    path.write_text("".join(json.dumps(article) + "\n" for article in articles))
    return str(path)


def test_a_folder_of_articles_becomes_a_data_set(folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    assert run(["group", str(folder), "-o", str(out)]) == 0
    (event,) = read_events(out).values()
    assert [(one.source, one.text) for one in event.narratives] == [
        ("north/courier.txt", COURIER),
        ("post.txt", POST),
    ]
    assert capsys.readouterr().out == (
        f"2 of 3 articles have company, in groups: 1; rows in {out}: 1\n"
    )


def test_rows_give_what_their_texts_give(folder, tmp_path, capsys):
    articles = rows(
        tmp_path / "articles.jsonl",
        {"id": "a", "source": "Post", "text": POST},
        {"id": 7, "text": CHESS},
    )
    events = rows(
        tmp_path / "events.jsonl",
        {"id": "e", "narratives": [{"source": "Courier", "text": COURIER}], "references": []},
    )
    out = tmp_path / "groups.jsonl"
    assert run(["group", articles, events, "-o", str(out), "--least", "1", "--json"]) == 0
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert [[one["id"] for one in row["narratives"]] for row in written] == [["7"], ["e/1", "a"]]
    assert [one["source"] for one in written[1]["narratives"]] == ["Courier", "Post"]
    assert json.loads(capsys.readouterr().out) == {
        "articles": 3,
        "groups": 1,
        "alone": 1,
        "written": 2,
        "output": str(out),
    }


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"id": "a", "headline": "x"}, 'line 1: "text" and "narratives" are both missing'),
        ({"id": "a", "text": 3}, 'line 1: "text" must be a string'),
        ({"id": "a", "narratives": ["x"]}, 'number 1 must be an object with a "text"'),
        ({"text": "x"}, '"id" is missing'),
    ],
)
def test_a_row_that_is_no_article_is_one_line(row, complaint, tmp_path, capsys):
    name = rows(tmp_path / "articles.jsonl", row)
    assert run(["group", name, "-o", str(tmp_path / "out.jsonl")]) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


def test_an_id_that_comes_twice_is_one_line(tmp_path, capsys):
    article = {"id": "a", "text": POST}
    name = rows(tmp_path / "articles.jsonl", article, article)
    assert run(["group", name, "-o", str(tmp_path / "out.jsonl")]) == 2
    assert f"line 2: id 'a' is also that of {name}, line 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere", "-o", "out.jsonl"], "nowhere: no such file or folder"),
        (["empty", "-o", "out.jsonl"], "empty: is a folder without articles"),
        (["pile", "-o", "out.csv"], "ends in .jsonl"),
        (["pile", "-o", "out.jsonl", "--least", "0"], "--least must be 1 or more"),
        (["pile", "-o", "out.jsonl", "--pair", "2"], "pair must be from 0 to 1"),
        (["pile/post.txt", "-o", "pile/none/out.jsonl"], "its folder is not there"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments, complaint, folder, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert run(["group", *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


def test_a_missing_library_is_named_by_its_extra(folder, tmp_path, capsys, monkeypatch):
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "voyager" else there(name)
    )
    assert run(["group", str(folder), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "pip install 'commonground[group]'" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("name", ["pile", "pile/*.jsonl", "pile/a.jsonl"])
def test_no_article_is_replaced(name, folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows(folder / "a.jsonl", {"id": "a", "text": POST})
    before = (folder / "a.jsonl").read_bytes()
    assert run(["group", name, "-o", "pile/a.jsonl"]) == 2
    assert capsys.readouterr().err == (
        "commonground: pile/a.jsonl: is an input file; write to another one\n"
    )
    assert (folder / "a.jsonl").read_bytes() == before


def test_groups_within_the_pile_are_not_read_again(folder, tmp_path):
    out = folder / "groups.jsonl"
    assert run(["group", str(folder), "-o", str(out)]) == 0
    first = out.read_bytes()
    assert run(["group", str(folder), "-o", str(out), "--overwrite"]) == 0
    assert out.read_bytes() == first
    assert run(["group", str(folder), str(out), "-o", str(out)]) == 2


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    out.write_text("precious\n")
    assert run(["group", str(folder), "-o", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"commonground: {out}: is there already; --overwrite replaces it, or write to another "
        "file\n"
    )
    assert out.read_text() == "precious\n"
    assert run(["group", str(folder), "-o", str(out), "--overwrite"]) == 0
    assert len(read_events(out)) == 1
