"""`commonground group` from files of all kinds."""

import importlib.util
import json

import pytest

from commonground import encoders
from commonground.cli import group as command
from commonground.cli import run
from commonground.errors import MissingExtraError
from commonground.io import read_events
from commonground.scale.grouping import Article, group
from web_files import docx

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


def ids(path):
    written = [json.loads(line) for line in path.read_text().splitlines()]
    return [[one["id"] for one in row["narratives"]] for row in written]


def read_groups(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [[Article(**one) for one in row["narratives"]] for row in rows]


def failures(out):
    errors = out.with_name(f"{out.name}.errors.jsonl")
    return [tuple(json.loads(line).values()) for line in errors.read_text().splitlines()]


def test_a_folder_of_articles_becomes_a_data_set(folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    assert run(["group", str(folder), "-o", str(out)]) == 0
    (event,) = read_events(out).values()
    assert [(one.source, one.text) for one in event.narratives] == [
        (f"{folder}/north/courier.txt", COURIER),
        (f"{folder}/post.txt", POST),
    ]
    said = capsys.readouterr()
    assert said.out == (f"{out}: 1 group of 2 articles; 1 article matches no other\n")
    assert said.err == "commonground: 1 file skipped (.png)\n"


@pytest.mark.parametrize(
    ("least", "words"),
    [
        ("1", "1 group of 2 articles, and 1 article alone"),
        (
            "3",
            "no groups; left out: 1 smaller group of 2; 1 article matches no other",
        ),
    ],
)
def test_the_end_says_what_is_in_the_file(least, words, folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    assert run(["group", str(folder), "-o", str(out), "--least", least]) == 0
    assert capsys.readouterr().out == f"{out}: {words}\n"


def test_an_article_is_named_by_the_path_that_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for day, text in (("mon", POST), ("tue", COURIER)):
        (tmp_path / day).mkdir()
        (tmp_path / day / "1.txt").write_text(text)
    expected = [["mon/1.txt", "tue/1.txt"]]
    for names in (["mon", "tue"], ["mon/1.txt", "tue/1.txt"], ["*/1.txt"], ["."]):
        assert run(["group", *names, "-o", "out.jsonl", "--overwrite"]) == 0
        assert ids(tmp_path / "out.jsonl") == expected


def test_a_file_that_is_given_twice_is_taken_once(folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    names = [str(folder), str(folder / "post.txt"), str(folder / "north" / ".." / "post.txt")]
    assert run(["group", *names, "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["articles"], said["copies"], said["failed"]) == (3, 0, 0)


def test_a_page_is_read_as_its_visible_text(tmp_path):
    pile = tmp_path / "pile"
    pile.mkdir()
    page = f"<html><head><title>Home</title></head><body><p>{POST}</p><script>x()</script></body>"
    (pile / "post.html").write_text(page)
    (pile / "COURIER.HTM").write_text(f"<p>{COURIER}")
    out = tmp_path / "groups.jsonl"
    assert run(["group", str(pile), "-o", str(out)]) == 0
    (event,) = read_events(out).values()
    assert [one.text for one in event.narratives] == [COURIER, POST]


def test_what_cannot_be_read_costs_only_itself(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (folder / "image.txt").write_bytes(b"\x89PNG")
    (folder / "torn.txt").write_bytes(b"%PDF-1.7 and no more")
    (folder / "nothing.txt").write_text(" \n")
    (folder / "x.jsonl").write_text(
        f'{{"id": "a", "source": null, "text": "{POST} It was old."}}\n{{"id": \n'
        '{"id": "b", "text": "x", "source": 5}\n{"id": "a", "text": "y"}\n'
        '{"id": "e", "narratives": [{"text": ""}, {"text": "Snow.", "source": null}]}\n'
    )
    (folder / "y.jsonl.gz").write_bytes(b"no gzip")
    assert run(["group", "pile", "-o", "out.jsonl", "--least", "1"]) == 0
    out = tmp_path / "out.jsonl"
    assert failures(out) == [
        ("pile/image.txt", 1, "pile/image.txt", "is an image"),
        ("pile/nothing.txt", 1, "pile/nothing.txt", "has no text"),
        ("pile/torn.txt", 1, "pile/torn.txt", "is a damaged PDF file (PdfStreamError)"),
        (
            "pile/x.jsonl",
            2,
            None,
            "is not JSON (Expecting value at column 8); expected one object a line",
        ),
        ("pile/x.jsonl", 3, "b", '"source" must be a string'),
        ("pile/x.jsonl", 4, "a", "duplicate id 'a' (first in pile/x.jsonl, line 1)"),
        ("pile/x.jsonl", 5, "e/1", "has no text"),
        ("pile/y.jsonl.gz", 1, None, "is a damaged gzip file"),
    ]
    sources = {one.id: one.source for event in read_groups(out) for one in event}
    assert sources["a"] == "a" and sources["e/2"] == "narrative 2" and len(sources) == 5
    assert (
        "8 of 13 articles failed, the first at pile/image.txt, line 1: is an image; all are in "
        "out.jsonl.errors.jsonl\n"
    ) in capsys.readouterr().err


def test_strict_stops_at_the_first_that_cannot_be_read(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (folder / "nothing.txt").write_text("")
    assert run(["group", "pile", "-o", "out.jsonl", "--strict"]) == 2
    assert capsys.readouterr().err == "commonground: pile/nothing.txt, line 1: has no text\n"
    assert not (tmp_path / "out.jsonl").exists()


def test_errors_of_an_earlier_run_go_when_there_are_none(folder, tmp_path):
    out = tmp_path / "out.jsonl"
    (folder / "nothing.txt").write_text("")
    assert run(["group", str(folder), "-o", str(out)]) == 0
    assert len(failures(out)) == 1
    (folder / "nothing.txt").unlink()
    assert run(["group", str(folder), "-o", str(out), "--overwrite"]) == 0
    assert not (tmp_path / "out.jsonl.errors.jsonl").exists()


def test_copies_are_no_witnesses(folder, tmp_path, capsys):
    (folder / "wire.txt").write_text(POST.replace(" ", "\n"))
    (folder / "chess copy.txt").write_text(CHESS)
    out = tmp_path / "out.jsonl"
    assert run(["group", str(folder), "-o", str(out)]) == 0
    assert ids(out) == [[f"{folder}/north/courier.txt", f"{folder}/post.txt"]]
    assert "2 exact copies of other articles left out; --copies keeps them" in (
        capsys.readouterr().err
    )
    assert run(["group", str(folder), "-o", str(out), "--overwrite", "--copies"]) == 0
    assert sorted(map(len, ids(out))) == [2, 3]
    assert "left out" not in capsys.readouterr().err


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
        "copies": 0,
        "failed": 0,
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
    assert run(["group", name, "-o", str(tmp_path / "out.jsonl")]) == 1
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere", "-o", "out.jsonl"], "nowhere: no such file or folder"),
        (["empty", "-o", "out.jsonl"], "empty: is a folder without articles"),
        (["none.jsonl", "-o", "out.jsonl"], "none.jsonl: has no articles"),
        (["pile", "-o", "out.csv"], "must end in .jsonl"),
        (["pile", "-o", "out.jsonl", "--least", "0"], "Invalid value for '--least'"),
        (["pile", "-o", "out.jsonl", "--pair", "2"], "Invalid value for '--pair'"),
        (["pile/post.txt", "-o", "pile/none/out.jsonl"], "its folder is missing"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments, complaint, folder, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "none.jsonl").write_text("")
    assert run(["group", *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


def test_a_missing_library_is_named_by_its_extra_before_any_work(
    folder, tmp_path, capsys, monkeypatch
):
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "faiss" else there(name)
    )
    monkeypatch.setattr(command, "read_articles", None)  # which nobody comes to
    monkeypatch.setattr(encoders, "load", None)
    with pytest.raises(MissingExtraError):
        group([Article("a", "post", POST)])
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


def test_groups_under_another_name_are_read_only_if_they_are_named(folder, tmp_path, capsys):
    before, out = folder / "before.jsonl", tmp_path / "out.jsonl"
    assert run(["group", str(folder), "-o", str(before)]) == 0
    capsys.readouterr()
    assert run(["group", str(folder), "-o", str(out), "--copies"]) == 0
    assert out.read_bytes() == before.read_bytes()
    assert (
        f"1 file with groups of an earlier run skipped ({before}); name a file to read it\n"
    ) in capsys.readouterr().err
    named = ["group", str(folder), str(before), "-o", str(out), "--copies", "--overwrite"]
    assert run(named) == 0
    assert [len(one) for one in ids(out)] == [4]
    assert "earlier run" not in capsys.readouterr().err


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(folder, tmp_path, capsys):
    out = tmp_path / "groups.jsonl"
    out.write_text("precious\n")
    assert run(["group", str(folder), "-o", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"commonground: {out}: already exists; --overwrite replaces it, or write to another file\n"
    )
    assert out.read_text() == "precious\n"
    assert run(["group", str(folder), "-o", str(out), "--overwrite"]) == 0
    assert len(read_events(out)) == 1


def test_files_as_people_have_them(tmp_path):
    pile = tmp_path / "pile"
    pile.mkdir()
    (pile / "a.txt").write_bytes(POST.replace("'", "’").encode("cp1252"))
    (pile / "b.txt").write_text(COURIER, encoding="utf-16")
    (pile / "c.docx").write_bytes(docx(paragraphs=[POST]))
    (pile / "d.md").write_text(f"---\ntitle: The dam\n---\n\n# The dam\n\n*{COURIER}*")
    out = tmp_path / "groups.jsonl"
    assert run(["group", str(pile), "-o", str(out), "--copies"]) == 0
    (event,) = read_events(out).values()
    assert sorted({one.text.replace("’", "'") for one in event.narratives}) == sorted(
        [POST, COURIER]
    )
    assert len(event.narratives) == 4
