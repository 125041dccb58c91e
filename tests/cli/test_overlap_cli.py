"""`commonground overlap`: files, data sets, and what is wrong with them."""

import json

import pytest

from commonground.cli import _overlap, run
from commonground.io import Narrative
from commonground.overlap import Overlaps
from overlap_stories import FACTS, ORCHARD, VIOLIN, told

LEFT = f"{told(('bridge', 'mayor'), 0)} {ORCHARD[0]}"
RIGHT = f"{told(('bridge', 'mayor'), 1)} {VIOLIN[0]}"


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture
def pair(file):
    return [file("left.txt", LEFT), file("right.txt", RIGHT)]


def answer(capsys, *arguments):
    assert run(["overlap", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def one_line(capsys, *arguments):
    assert run(["overlap", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("commonground: ")
    return err


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


@pytest.mark.parametrize("method", _overlap.METHODS)
def test_every_method_prints_and_gives_json(method, pair, capsys):
    assert answer(capsys, *pair, "--method", method).strip()
    values = json.loads(answer(capsys, *pair, "--method", method, "--json"))
    assert "detour" in json.dumps(values)


def test_the_graph_has_a_page_too(pair, tmp_path, capsys):
    answer(capsys, *pair, "--method", "graph", "--html", tmp_path / "graph.html")
    assert "<svg" in (tmp_path / "graph.html").read_text("utf-8")


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
    assert err == f"commonground: {known}: bridges no wordings and is left aside: Rain fell.\n"


# Data sets


EVENTS = [
    {"id": name, "narratives": [{"source": "L", "text": left}, {"source": "R", "text": right}]}
    for name, left, right in [
        ("bridge", LEFT, RIGHT),
        ("none", " ".join(ORCHARD), " ".join(VIOLIN)),
        ("cost", told(["cost"], 0), told(["cost"], 1)),
    ]
]


@pytest.fixture
def data(file):
    return file("data.jsonl", "".join(json.dumps(event) + "\n" for event in EVENTS))


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_data_set_gives_a_row_for_each_event(data, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert answer(capsys, "--input", data, "--output", out) == ""
    found = rows(out)
    assert [row["id"] for row in found] == ["bridge", "none", "cost"]
    assert [bool(row["summary"]) for row in found] == [True, False, True]
    expected = Overlaps().find([Narrative("L", LEFT), Narrative("R", RIGHT)]).to_dict()
    assert found[0] == {"id": "bridge", **expected}


def test_other_methods_take_data_sets_too(data, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    answer(capsys, "--input", data, "--output", out, "--method", "words")
    assert [row["id"] for row in rows(out)] == ["bridge", "none", "cost"]


def test_a_killed_run_goes_on_and_ends_as_if_nothing_had_happened(data, tmp_path, capsys):
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    answer(capsys, "--input", data, "--output", whole)
    first, second, _ = whole.read_text().splitlines(keepends=True)
    (tmp_path / "out.jsonl.part").write_text(first + second[:30])
    message = one_line(capsys, "--input", data, "--output", out)
    assert "go on with it by --resume, or delete it" in message
    assert run(["overlap", "--input", data, "--output", str(out), "--resume"]) == 0
    assert capsys.readouterr().err == f"commonground: {out}: 3 events, 2 of them new\n"
    assert out.read_bytes() == whole.read_bytes()


def test_results_of_other_events_are_not_mixed_in(data, file, tmp_path, capsys):
    out = file("out.jsonl", '{"id": "elsewhere", "summary": ""}\n')
    message = one_line(capsys, "--input", data, "--output", out, "--resume")
    assert message == f"commonground: {out}: has results of other events, such as 'elsewhere'\n"
    assert {one.name for one in tmp_path.iterdir()} == {"data.jsonl", "out.jsonl"}


def test_every_row_is_checked_before_the_work_begins(data, file, tmp_path, capsys):
    bad = file("bad.jsonl", json.dumps(EVENTS[0]) + '\n{"id": "x"}\n')
    message = one_line(capsys, "--input", bad, "--output", tmp_path / "out.jsonl")
    assert f"{bad}, line 2" in message
    assert not list(tmp_path.glob("out*"))


def test_an_event_with_one_narrative_is_named(file, tmp_path, capsys):
    event = {"id": "alone", "narratives": [{"source": "L", "text": LEFT}]}
    data = file("data.jsonl", json.dumps(event))
    message = one_line(capsys, "--input", data, "--output", tmp_path / "out.jsonl")
    assert f"{data}, id 'alone': an overlap needs at least two narratives, got 1" in message


# What is wrong is one line


def test_one_narrative_or_none(pair, capsys):
    assert "at least two narratives, got 1" in one_line(capsys, pair[0])
    assert "at least two narratives, got 0" in one_line(capsys)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "line 1: is not UTF-8 text"),
        (b"text\n\x00\x01\x02", "line 2: is a binary file, not text"),
        ("Die Brücke".encode("latin-1"), "save the file as UTF-8"),
        ("Die Brücke".encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
    ],
    ids=["picture", "zeros", "Latin-1", "UTF-16"],
)
def test_binary_files_and_other_encodings(pair, file, content, reason, capsys):
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
    assert "did you mean 'facets'?" in one_line(capsys, *pair, "--method", "facet")
    assert "'nothing'" in one_line(capsys, *pair, "--encoder", "nothing")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--at-least", "3"], "at_least must be from 2 to 2 (narratives), not 3"),
        (["--at-least", "0"], "at_least must be from 2 to 2 (narratives), not 0"),
        (["--max-sentences", "0"], "max_sentences must be a whole number from 1 on, not 0"),
        (["--method", "words", "--at-least", "2"], "--at-least goes with the methods"),
        (["--method", "graph", "--max-sentences", "2"], "go with the method statements"),
        (["--method", "words", "--html", "p.html"], "--html goes with the methods"),
        (["--output", "out.jsonl"], "--output and --resume go with --input"),
        (["--resume"], "--output and --resume go with --input"),
        (["--html", "none/p.html"], "cannot be written"),
    ],
)
def test_options_that_do_not_go_together(pair, options, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert reason in one_line(capsys, *pair, *options)
    assert {one.name for one in tmp_path.iterdir()} == {"left.txt", "right.txt"}


def test_options_that_do_not_go_with_data_sets(data, pair, tmp_path, capsys):
    given = ["--input", data, "--output", tmp_path / "out.jsonl"]
    assert "--input needs --output" in one_line(capsys, "--input", data)
    assert "not both" in one_line(capsys, *pair, *given)
    assert "show one event" in one_line(capsys, *given, "--json")
    assert "is an input file" in one_line(capsys, "--input", data, "--output", data)


def test_a_page_never_overwrites_a_narrative(pair, capsys):
    assert "is an input file" in one_line(capsys, *pair, "--html", pair[0])


# Unusual narratives


@pytest.mark.parametrize("content", ["", "\n", "\ufeff", "..."])
def test_empty_files_have_nothing_in_common(pair, file, content, capsys):
    out = answer(capsys, pair[0], file("empty.txt", content))
    assert out.splitlines()[1] == "The narratives have nothing in common."


def test_the_same_file_twice_gives_its_main_points(pair, capsys):
    values = json.loads(answer(capsys, pair[0], pair[0], "--json"))
    assert values["statements"]
    assert values["unique"] == []


@pytest.mark.parametrize("method", _overlap.METHODS)
@pytest.mark.parametrize("texts", [("", ""), ("?!", "周一旧桥关闭。"), (LEFT.upper(), RIGHT)])
def test_every_method_has_an_answer_for_unusual_texts(method, texts, file, capsys):
    files = [file(f"{place}.txt", text) for place, text in enumerate(texts)]
    assert isinstance(json.loads(answer(capsys, *files, "--method", method, "--json")), dict)
