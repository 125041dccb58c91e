"""`commonground benchmark`: the commands of docs/studies.md, and one line for what is wrong."""

import json
import re
import shlex
from pathlib import Path

import pytest

from commonground.cli import run

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "examples" / "study"
DOCS = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line)[1:]
    for block in re.findall(r"```\n(.*?)```", DOCS, flags=re.DOTALL)
    for line in block.splitlines()
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder to work in, where the examples are found as in the repository."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "events.csv").write_text(
        "theme,theme-description,left-head,Left text,right-head,right-context,A1,A2\n"
        "Rain,It rained.,Wet,Rain fell.,Dry,No rain.,Some rain.,\n"
    )
    return folder


def test_the_commands_of_the_docs_run_in_their_order(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    assert [words[1] for words in COMMANDS] == [
        "validate",
        "stats",
        "filter",
        "import",
        "run",
        "tables",
        "compare",
        "leaderboard",
    ]
    said = {}
    for words in COMMANDS:
        assert run(words) == 0
        said[words[1]] = capsys.readouterr().out.splitlines()
    assert said["validate"] == ["10 events, 0 errors, 0 warnings"]
    assert said["filter"][-1] == "6 events remain"
    assert json.loads((place / "events.jsonl").read_text())["references"] == [
        "Some rain.",
        "",
        "It rained.",
    ]
    assert said["run"][-1] == "commonground benchmark tables run"
    absent = [line for line in said["tables"] if line.startswith("not made")]
    assert absent == [
        "not made: anova (table 5 of 002): the run has no hyper-parameter study (--grid)"
    ]
    assert said["compare"][2].startswith("| a   | careful |")
    assert said["leaderboard"] == ["board.html: 3 systems of 1 run"]
    assert (place / "run" / "tables" / "index.html").exists()


def test_json(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    assert run(["benchmark", "stats", str(STUDY / "events.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["events"] == 10
    assert run(["benchmark", "filter", str(STUDY / "events.jsonl"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 2
    assert run(["benchmark", "tables", "run", "--table", "rouge", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["tables"]) == ["rouge"]
    assert run(["benchmark", "compare", "run", "--metric", "rouge1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"]["careful"]["rouge1"]["rank"] == 1


def test_validation_fails_with_exit_code_2(tmp_path, capsys):
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "a", "references": ["x"]}\n{"id": "a", "references": ["x"]}\n')
    assert run(["benchmark", "validate", str(path)]) == 2
    assert "line 2: duplicate id 'a' (first in line 1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tables", "nowhere"], "nowhere is not a run folder (no config.json)"),
        (["compare", "nowhere"], "nowhere is not a run folder"),
        (["stats", "nowhere"], "nowhere: no such file or folder"),
        (["filter", str(STUDY / "events.jsonl"), "--theme", "x"], "first, last, none or a number"),
        (["import", "x.csv", "-o", "y.jsonl", "--column", "a"], "--column must be WHAT=NAME"),
        (["leaderboard", "nowhere", "-o", "b.html"], "nowhere is not a run folder"),
        (
            ["run", "nowhere", "--predictions", "p", "-o", "r", "--metric", "rogue"],
            "unknown metric 'rogue'; did you mean 'rouge'?",
        ),
    ],
)
def test_what_is_wrong_is_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["benchmark", *words]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_correction_that_is_none(place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    assert run(["benchmark", "compare", "run", "--correction", "bonferoni"]) == 2
    assert "unknown correction" in capsys.readouterr().err
