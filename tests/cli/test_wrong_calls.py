"""Wrong calls: exit code 2 and one line, before any work and without a file left behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commonground import Pyramid
from commonground.cli import app, run
from commonground.errors import ModelError
from overlap_commands import LEFT, RIGHT

LONG = "n" * 300
STUDY = Path(__file__).parents[2] / "examples/study"


def fails(arguments, capsys, exit_code=2):
    """Run a command that must fail with one line; return that line."""
    assert run([str(word) for word in arguments]) == exit_code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "unexpected" not in shown.err
    return shown.err


@pytest.fixture
def pyramid(tmp_path):
    path = tmp_path / "pyramid.json"
    Pyramid.build([LEFT, RIGHT]).save(path)
    return path


@pytest.mark.parametrize(
    "call",
    [
        "overlap {left} {long}.txt",
        "overlap {left} {right} --html {long}.html",
        "overlap {left} {right} --encoder {long}",
        "overlap --input {long} --output out.jsonl",
        "overlap --input {events} --output {long}.jsonl",
        "verify {left} {right} --html {long}.html",
        "score --predictions {long} --references {events}",
        "pyramid build {left} {right} -o {long}.json",
        "pyramid show {long}.json",
        "agreement labels {long}.csv",
        "benchmark run {long}.toml -o out",
        "models verify {long}",
    ],
)
def test_an_overlong_name_is_a_wrong_call(call, pair, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {"left": pair[0], "right": pair[1], "long": LONG, "events": STUDY / "events.jsonl"}
    line = fails(call.format(**names).split(), capsys)
    assert len(line) < 500


def test_a_link_to_itself_is_a_wrong_name(pair, tmp_path, capsys):
    link = tmp_path / "loop"
    link.symlink_to(link)
    for call in (["overlap", *pair, "--html", link], ["pyramid", "build", *pair, "-o", link]):
        assert str(link) in fails(call, capsys)


@pytest.mark.parametrize("option", ["--alpha=inf", "--alpha=nan", "--beta=-inf", "--beta=1e300"])
def test_numbers_that_no_builder_can_take(option, pair, tmp_path, capsys):
    call = ["pyramid", "build", *pair, "-o", tmp_path / "out.json", option]
    assert "must be from" in fails(call, capsys)


@pytest.mark.parametrize("option", ["--words=-1", "--annotators=-1", "--theme=99"])
def test_filters_that_no_data_set_can_pass(option, capsys):
    line = fails(["benchmark", "filter", STUDY / "events.jsonl", option], capsys)
    assert option.partition("=")[0] in line


@pytest.mark.parametrize("number", ["0", "-1", "9" * 5000, "two", "1.5"])
def test_a_wrong_number_of_threads(number, pair, monkeypatch, capsys):
    monkeypatch.setenv("COMMONGROUND_THREADS", number)
    assert "threads" in fails(["overlap", *pair], capsys)


@pytest.mark.parametrize("empty", ["", " \n\t", "\ufeff", "... --- ..."])
@pytest.mark.parametrize(
    "call",
    [
        "overlap {left} {empty}",
        "define words {empty} {left}",
        "verify {left} {empty}",
        "verify {empty} {left}",
        "pyramid build {left} {empty} -o {out}",
    ],
)
def test_a_file_without_text_is_not_compared(call, empty, file, tmp_path, capsys):
    out = tmp_path / "out.json"
    names = {"left": file("left.txt", LEFT), "empty": file("empty.txt", empty), "out": out}
    assert "empty.txt: has no text" in fails(call.format(**names).split(), capsys)
    assert not out.exists()


def grid(*more):
    study = [f"--predictions={STUDY}/outputs.jsonl", f"--references={STUDY}/events.jsonl"]
    return ["agreement", "grid", *study, f"--scores={STUDY}/scores.csv", "--gold=human", *more]


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (["--plot=x.exe"], ".png or .svg"),
        (["--plot=x"], ".png or .svg"),
        (["--plot=x.png", "--betas=1"], "two --betas"),
        (["--plot=x.png", "--percentiles=70,70"], "two --percentiles"),
        (["--alphas=nan"], "numbers"),
    ],
)
def test_a_plot_is_checked_before_the_work(option, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("commonground.cli.agreement_scores.grid_study", pytest.fail)
    assert reason in fails(grid(*option), capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["build", "show", "score"])
def test_standard_output_through_a_pipe(command, pair, pyramid):
    call = {
        "build": ["build", *pair, "-o", "/dev/stdout"],
        "show": ["show", str(pyramid), "--html", "/dev/stdout"],
        "score": ["score", str(pyramid), pair[0], "--csv", "/dev/stdout"],
    }[command]
    words = [sys.executable, "-m", "commonground", "pyramid", *call]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    starts = {"build": "{\n", "show": "<!doctype html>", "score": "name,raw,"}
    assert done.stdout.startswith(starts[command])
    if command != "score":  # nothing but the file is there
        assert done.stdout.rstrip().endswith(("}", "</html>"))
        assert "/dev/stdout: 6 units" in done.stderr


def test_a_long_error_keeps_its_end(monkeypatch, capsys):
    path = "/models/" + "m" * 4000 + "/config.json"

    def fail(*_):
        raise ModelError(f"{path} is refused: {'very ' * 2000}long; save the model again")

    monkeypatch.setattr(app, "app", lambda **_: fail())
    line = fails(["models"], capsys, exit_code=1)
    assert line.endswith("long; save the model again\n")
    assert line.startswith("commonground: /models/mmm")
    assert "mmm/config.json is refused: very" in line
    assert len(line) < 2100


def test_no_name_moves_the_cursor(pair, tmp_path, capsys):
    """Names of files and systems come from elsewhere, and a terminal obeys escape sequences."""
    line = fails(["overlap", pair[0], "\x1b]0;title\x07\x1b[31m.txt"], capsys)
    assert "�]0;title��[31m.txt: no such file" in line
    rows = [{"id": "1", "summary": "A.", "system": "\x1b[2Ja", "references": ["A."]}]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(rows[0]))
    assert run(["score", "--predictions", str(path), "--metric", "rouge"]) == 0
    shown = capsys.readouterr()
    assert "�[2Ja" in shown.out
    assert "\x1b" not in shown.out + shown.err


def test_a_full_stderr_keeps_the_exit_code(pair):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("w") as full:
        call = [sys.executable, "-m", "commonground", "overlap", pair[0], "nowhere.txt"]
        assert subprocess.run(call, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("session: std::bad_alloc")])
def test_out_of_memory_is_one_line(error, monkeypatch, capsys):
    def fail(**_):
        raise error

    monkeypatch.setattr(app, "app", fail)
    assert "out of memory" in fails(["models"], capsys, exit_code=1)
