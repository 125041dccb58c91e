"""`commonground overlap --input`: data sets, going on with a run, rows that fail."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from commonground import encoders
from commonground.cli import run
from commonground.io import Narrative
from commonground.narratives import Overlaps
from overlap_commands import LEFT, RIGHT, answer, one_line
from overlap_stories import ORCHARD, VIOLIN, told

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
    answer(capsys, "--input", data, "--output", out, command=("define", "words"))
    assert [row["id"] for row in rows(out)] == ["bridge", "none", "cost"]


@pytest.fixture
def begun(data, tmp_path, capsys):
    """A run that was killed after its first shard: of three, with one event each."""
    folder = tmp_path / "out.jsonl.run"
    answer(capsys, "--input", data, "--output", f"{folder}/", "--shard-rows", 1, "--workers", 1)
    for number in (1, 2):
        (folder / f"part-0000{number}.jsonl").unlink()
    return folder / "part-00000.jsonl"


def test_a_killed_run_goes_on_and_ends_as_if_nothing_had_happened(begun, data, tmp_path, capsys):
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    answer(capsys, "--input", data, "--output", whole)
    message = one_line(capsys, "--input", data, "--output", out)
    assert "continue it with --resume, or delete it" in message
    given = ["--input", data, "--output", str(out), "--workers", "1"]
    assert run(["overlap", *given, "--resume"]) == 0
    assert capsys.readouterr().err == f"commonground: {out}: 3 events, 2 of them new\n"
    assert out.read_bytes() == whole.read_bytes()
    assert {one.name for one in tmp_path.iterdir()} == {"data.jsonl", "out.jsonl", "whole.jsonl"}


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--max-sentences", "5"], "max all, now 5"),
        (["--encoder", "static"], None),
        (["--knowledge", "known.txt"], "known none, now "),
    ],
)
def test_results_of_other_settings_are_not_mixed_in(
    begun, data, file, options, difference, tmp_path, capsys, monkeypatch
):
    file("known.txt", "AP = Associated Press\n")
    monkeypatch.chdir(tmp_path)
    before = begun.read_bytes()
    given = ["--input", data, "--output", tmp_path / "out.jsonl", "--resume", "--workers", 1]
    message = one_line(capsys, *given, *options)
    if difference:  # another encoder may be refused for what it is
        assert "out.jsonl: was started with other settings (" in message
        assert difference in message
        assert message.endswith("; use the same settings, or write to another file\n")
    assert begun.read_bytes() == before
    assert not (tmp_path / "out.jsonl").exists()
    assert run(["overlap", *map(str, given)]) == 0
    assert len(rows(tmp_path / "out.jsonl")) == 3


@pytest.mark.parametrize("method", ["words", "topics", "facets", "graph"])
def test_other_methods_are_gone_on_with_too(method, data, tmp_path, capsys):
    out = tmp_path / "out"
    given = ["--input", data, "--output", f"{out}/", "--shard-rows", 2, "--workers", 1]
    answer(capsys, *given, command=("define", method))
    parts = [out / "part-00000.jsonl", out / "part-00001.jsonl"]
    whole = [part.read_bytes() for part in parts]
    parts[0].unlink()
    answer(capsys, *given, "--resume", command=("define", method))
    assert [part.read_bytes() for part in parts] == whole
    found = [row for part in parts for row in rows(part)]
    assert {row["signature"].split("|")[1] for row in found} == {f"method:{method}"}


def test_a_data_set_that_has_changed_is_not_gone_on_with(begun, file, tmp_path, capsys):
    data = file("data.jsonl", "".join(json.dumps(event) + "\n" for event in EVENTS[:2]))
    given = ["--input", data, "--output", tmp_path / "out.jsonl", "--resume"]
    assert "data.jsonl has changed since the run started" in one_line(capsys, *given)
    assert begun.exists()


def test_other_shards_or_inputs_are_not_mixed_in(begun, data, file, tmp_path, capsys):
    given = ["--output", tmp_path / "out.jsonl", "--resume"]
    message = one_line(capsys, "--input", data, *given, "--shard-rows", 2)
    assert "other settings (--shard-rows 1, now 2)" in message
    other = file("other.jsonl", "")
    assert "(input data.jsonl, now other.jsonl)" in one_line(capsys, "--input", other, *given)
    assert "1 input files, now 2" in one_line(capsys, "--input", data, "--input", other, *given)


def test_a_folder_with_other_files_is_left_as_it_is(data, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    for more in ([], ["--resume"]):
        message = one_line(capsys, "--input", data, "--output", f"{tmp_path}/out/", *more)
        assert "out: has other files, such as notes.txt" in message
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_rows_that_fail_are_told_and_the_others_done(file, tmp_path, capsys):
    bad = file("bad.jsonl", json.dumps(EVENTS[0]) + '\n{"id": "x"}\n{\n' + json.dumps(EVENTS[0]))
    out = tmp_path / "out.jsonl"
    assert run(["define", "words", "--input", bad, "--output", str(out)]) == 0
    assert [row["id"] for row in rows(out)] == ["bridge"]
    missing, broken, twice = rows(tmp_path / "out.jsonl.errors.jsonl")
    reason = '"narratives" is missing (keys here: "id")'
    assert missing == {"file": bad, "line": 2, "id": "x", "reason": reason}
    assert (broken["line"], broken["id"]) == (3, None)
    assert broken["reason"].startswith("is not JSON (")
    assert twice["reason"] == "duplicate id 'bridge' (first in line 1)"
    assert capsys.readouterr().err == (
        f"commonground: {out}: 1 of 4 events\n"
        f"commonground: 3 of 4 events failed, the first at {bad}, line 2: {reason}; "
        f"all are in {tmp_path}/out.jsonl.errors.jsonl\n"
    )


def test_when_all_rows_fail_so_does_the_run(file, tmp_path, capsys):
    data = file("data.jsonl", '{"id": "x"}\n')
    assert run(["define", "words", "--input", data, "--output", str(tmp_path / "o.jsonl")]) == 1
    assert "1 of 1 events failed" in capsys.readouterr().err


def test_every_row_is_checked_before_the_work_begins(data, file, tmp_path, capsys):
    bad = file("bad.jsonl", json.dumps(EVENTS[0]) + '\n{"id": "x"}\n')
    message = one_line(capsys, "--input", bad, "--output", tmp_path / "out.jsonl", "--strict")
    assert f"{bad}, line 2" in message
    assert not list(tmp_path.glob("out*"))


def test_an_event_with_one_narrative_is_named(file, tmp_path, capsys):
    event = {"id": "alone", "narratives": [{"source": "L", "text": LEFT}]}
    data = file("data.jsonl", json.dumps(event))
    message = one_line(capsys, "--input", data, "--output", tmp_path / "out.jsonl", "--strict")
    assert message.endswith(f'{data}, line 1: "narratives" has 1, but at least 2 are needed\n')


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"id": "x"}, '"narratives" is missing (keys here: "id")'),
        ({"id": "x", "references": ["R"]}, '"narratives" is missing (keys here: "id", "refer'),
        ({"id": "x", "narratives": "text"}, '"narratives" must be a list, not a string'),
        ({"id": "x", "narratives": []}, '"narratives" has 0, but at least 2 are needed'),
        ({"id": "x", "narratives": [{"text": "One."}]}, '"narratives" has 1, but at least 2 are'),
    ],
)
@pytest.mark.parametrize("command", [["overlap", "--strict"], ["generate", "--method", "llm"]])
def test_what_a_row_lacks_is_said_before_models_are_loaded(
    row, reason, command, file, tmp_path, capsys, monkeypatch
):
    monkeypatch.delattr(encoders, "load")
    data = file("data.jsonl", f"{json.dumps(EVENTS[0])}\n\n{json.dumps(row)}\n")
    given = ["--input", data, "--output", tmp_path / "out.jsonl"]
    assert f"{data}, line 3: {reason}" in one_line(capsys, *given, command=command)


def test_more_than_an_event_has_cannot_agree(data, tmp_path, capsys):
    given = ["--input", data, "--output", tmp_path / "out.jsonl", "--at-least", 3, "--strict"]
    assert 'line 1: "narratives" has 2, but at least 3 are needed' in one_line(capsys, *given)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_says_what_is_kept_and_resume_goes_on(workers, file, tmp_path):
    events = [{**EVENTS[0], "id": f"e{number}"} for number in range(5_000)]
    data = file("data.jsonl", "".join(json.dumps(event) + "\n" for event in events))
    out, folder = tmp_path / "out.jsonl", tmp_path / "out.jsonl.run"
    command = [sys.executable, "-m", "commonground", "define", "words"]
    command += ["--input", data, "--output", str(out), "--shard-rows", "5", "--workers", workers]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while not len(list(folder.glob("part-*"))) >= 3:
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers hear of it too
        _, err = process.communicate()
    assert process.returncode == 130
    kept = 5 * len(list(folder.glob("part-*")))
    assert err == (
        f"commonground: interrupted; {kept} of 5000 rows are done, in out.jsonl.run; "
        "continue with --resume\n"
    )
    assert not out.exists()
    # All but the last shard are put there, so that the test is short.
    some = next(iter(folder.glob("part-*")))
    for number in range(999):
        if not (folder / f"part-{number:05}.jsonl").exists():
            shutil.copy(some, folder / f"part-{number:05}.jsonl")
    assert run([*command[3:], "--resume"]) == 0
    assert len(rows(out)) == 5_000
    assert rows(out)[-1]["id"] == "e4999"


def test_options_that_do_not_go_with_data_sets(data, pair, tmp_path, capsys):
    given = ["--input", data, "--output", tmp_path / "out.jsonl"]
    assert "--input requires --output" in one_line(capsys, "--input", data)
    assert "not both" in one_line(capsys, *pair, *given)
    assert "show one event" in one_line(capsys, *given, "--json")
    assert "is an input file" in one_line(capsys, "--input", data, "--output", data)
