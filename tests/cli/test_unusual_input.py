"""`commonground pyramid` with input that is not as it should be: an answer, or one clear line."""

import json

import pytest

from commonground import Pyramid
from commonground.cli import run

FIRST = "The dam burst on Friday. A village was flooded."
SECOND = "On Friday the dam broke. The flood reached a village."
DUCVIEW = """<?xml version="1.0"?>
<pyramid>
<text><line>The dam burst.</line><line>-----</line><line>The dam broke.</line></text>
<scu uid="1" label="The dam burst">
<contributor label="The dam burst."><part label="The dam burst." start="0" end="14"/></contributor>
<contributor label="The dam broke."><part label="The dam broke." start="21" end="35"/></contributor>
</scu>
</pyramid>
"""


@pytest.fixture(scope="module")
def pyramid(tmp_path_factory):
    path = tmp_path_factory.mktemp("pyramid") / "p.json"
    Pyramid.build([FIRST, SECOND]).save(path)
    return path


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def weights(path):
    return [unit.weight for unit in Pyramid.load(path).units]


@pytest.mark.parametrize(
    ("texts", "heaviest"),
    [
        ([FIRST], 1),
        ([FIRST, FIRST, FIRST], 3),
        (["Dam", "Flood"], 2),
        ([FIRST, "Der Damm brach am Freitag.", "周五大坝决堤。"], 3),
    ],
    ids=["one", "identical", "one word each", "languages"],
)
def test_references_with_an_answer(texts, heaviest, file, tmp_path, capsys):
    out = tmp_path / "p.json"
    files = [file(f"{place}.txt", text) for place, text in enumerate(texts)]
    assert run(["pyramid", "build", *files, "-o", str(out)]) == 0
    assert 1 <= max(weights(out)) <= heaviest
    capsys.readouterr()
    assert run(["pyramid", "score", str(out), *files, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["scores"]) == len(texts)


@pytest.mark.parametrize("text", ["A burst dam on Friday.", "Dam", "", "?!", "Ein Dammbruch."])
def test_summaries_with_an_answer(pyramid, text, file, capsys):
    assert run(["pyramid", "score", str(pyramid), file("s.txt", text), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["scores"]
    assert len(row["matches"]) == len(weights(pyramid))
    assert row["raw"] == pytest.approx(sum(match["points"] for match in row["matches"]))
    if not any(map(str.isalnum, text)):
        assert row["raw"] == 0


def one_line(arguments, capsys):
    assert run(["pyramid", *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_empty_references_are_one_line(file, tmp_path, capsys):
    out = tmp_path / "p.json"
    files = [file("a.txt", ""), file("b.txt", " \n"), file("c.txt", "...")]
    assert "a.txt: has no text" in one_line(["build", *files, "-o", out], capsys)
    assert not out.exists()


def test_a_pyramid_cut_off_is_one_line_wherever_it_is_read(pyramid, file, capsys):
    whole = pyramid.read_text("utf-8")
    cut = [
        file("cut.json", whole[: len(whole) // 2]),
        file("none.json", ""),
        file("cut.pyr", DUCVIEW[: len(DUCVIEW) // 2]),
        file("cut.PAN", DUCVIEW[:-30]),
        file("none.pyr", ""),
    ]
    summary = file("s.txt", FIRST)
    for path in cut:
        for arguments in (["show", path], ["score", path, summary], ["compare", pyramid, path]):
            message = one_line(arguments, capsys)
            assert f"{path}, line " in message
            assert ("is cut off" if "json" not in path else "is not JSON") in message


def test_a_whole_ducview_file_scores(file, capsys):
    path, summary = file("whole.pyr", DUCVIEW), file("s.txt", "The dam burst.")
    assert run(["pyramid", "score", path, summary, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["scores"]
    assert [(match["weight"], match["stated"]) for match in row["matches"]] == [(2, True)]
