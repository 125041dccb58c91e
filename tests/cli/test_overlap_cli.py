"""`commonground overlap`: files, data sets, and what is wrong with them."""

import json

import pytest

from commonground.cli import run
from commonground.io import Narrative
from commonground.narratives import Overlaps
from overlap_commands import LEFT, RIGHT, answer, one_line
from overlap_stories import FACTS, ORCHARD, VIOLIN


def test_files_are_shown_with_their_names(pair, capsys):
    lines = answer(capsys, *pair).splitlines()
    assert lines[0] == "What both say"
    assert FACTS["bridge"][0] in lines[1] or FACTS["bridge"][1] in lines[1]
    assert "A left.txt" in lines
    assert f"A {ORCHARD[0]}" in lines
    assert lines[-1].startswith("OVERLAP|method:statements|")


def test_json_is_one_object_and_that_of_python(pair, capsys):
    values = json.loads(answer(capsys, *pair, "--json", "--max-sentences", 1))
    expected = Overlaps(max_sentences=1).find(
        [Narrative("left.txt", LEFT), Narrative("right.txt", RIGHT)]
    )
    assert values == expected.to_dict()


def test_html_writes_a_page(pair, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["overlap", *pair, "--html", str(page)]) == 0
    out, err = capsys.readouterr()
    assert err == f"commonground: {page}: written\n"
    assert len(out.splitlines()) == 1  # the summary; the rest is on the page
    assert "left.txt" in page.read_text("utf-8")


def test_html_and_json_together(pair, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert "summary" in json.loads(answer(capsys, *pair, "--html", page, "--json"))
    assert page.exists()


def test_at_least_so_many_of_several_files(file, capsys):
    files = [file(f"{number}.txt", (LEFT, RIGHT)[number % 2]) for number in range(4)]
    files.append(file("violin.txt", " ".join(VIOLIN)))
    values = json.loads(answer(capsys, *files, "--at-least", 4, "--json"))
    assert values["statements"]
    assert {one["weight"] for one in values["statements"]} == {4}
    assert json.loads(answer(capsys, *files, "--json"))["statements"] == []


def test_knowledge_bridges_and_what_it_cannot_use_is_said(file, capsys):
    left = file("left.txt", "The Gray Lady fired its editor on Monday.")
    right = file("right.txt", "The New York Times fired its editor on Monday.")
    known = file("known.txt", "The Gray Lady is the New York Times\nRain fell.\n")
    assert run(["overlap", left, right, "--knowledge", known, "--json"]) == 0
    out, err = capsys.readouterr()
    evidence = json.loads(out)["statements"][0]["evidence"]
    assert "The Gray Lady is the New York Times" in [one["through"] for one in evidence]
    assert (
        err == f"commonground: {known}: line ignored, it does not equate two wordings: Rain fell.\n"
    )


# What is wrong is one line


def test_one_narrative_or_none(pair, capsys):
    assert "at least two narratives, got 1" in one_line(capsys, pair[0])
    assert "at least two narratives, got 0" in one_line(capsys)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is an image"),
        (b"text\n\x00\x01\x02", "is not a text, HTML, PDF or DOCX file"),
    ],
    ids=["picture", "zeros"],
)
def test_binary_files(pair, file, content, reason, capsys):
    wrong = file("wrong.txt", content)
    message = one_line(capsys, pair[0], wrong)
    assert wrong in message
    assert reason in message


def test_files_that_are_not_there_and_folders(pair, tmp_path, capsys):
    assert "none.txt: no such file" in one_line(capsys, pair[0], tmp_path / "none.txt")
    assert "is a folder" in one_line(capsys, pair[0], tmp_path)
    missing = tmp_path / "known.txt"
    assert "known.txt: no such file" in one_line(capsys, *pair, "--knowledge", missing)


def test_names_that_are_not_known(pair, capsys):
    assert "'nothing'" in one_line(capsys, *pair, "--encoder", "nothing")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--at-least", "3"], "--at-least 3: there are only 2 narratives"),
        (["--at-least", "0"], "Invalid value for '--at-least'"),
        (["--max-sentences", "0"], "Invalid value for '--max-sentences'"),
        (["--output", "out.jsonl"], "--output and --resume require --input"),
        (["--resume"], "--output and --resume require --input"),
        (["--strictness", "1.5"], "Invalid value for '--strictness'"),
        (["--strictness", "nan"], "strictness"),
        (["--workers", "0"], "--workers requires --input"),
        (["--stem"], "(commonground overlap --help shows how)"),
        (["--html", "none/p.html"], "cannot be written"),
    ],
)
def test_options_that_do_not_go_together(pair, options, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert reason in one_line(capsys, *pair, *options)
    assert {one.name for one in tmp_path.iterdir()} == {"left.txt", "right.txt"}


def test_a_page_never_overwrites_a_narrative(pair, capsys):
    assert "is an input file" in one_line(capsys, *pair, "--html", pair[0])


# Unusual narratives


def test_the_same_file_twice_gives_its_main_points(pair, capsys):
    values = json.loads(answer(capsys, pair[0], pair[0], "--json"))
    assert values["statements"]
    assert values["unique"] == []


@pytest.mark.parametrize("texts", [("Oh?!", "周一旧桥关闭。"), (LEFT.upper(), RIGHT)])
def test_unusual_texts_have_an_answer(texts, file, capsys):
    files = [file(f"{number}.txt", text) for number, text in enumerate(texts)]
    assert isinstance(json.loads(answer(capsys, *files, "--json")), dict)
