"""Random command lines: no traceback, no unexpected error, and the right exit code.

Most run in this process, a sample as a user would start it.
"""

import os
import re
import subprocess
import sys
from random import Random

import pytest

from commonground.cli import run
from fuzz_commands import commands, lay_out, random_case

CASES_EACH = 40
SAMPLE = 24
COMMANDS = {" ".join(words): (words, command) for words, command in commands()}

# What may fail with 1: the work, not the call.
_FAILED = re.compile(
    "needs the extra|not written|needs a model|model|refused|no such encoder|is not trained"
    "|has no .* yet|not there|full|permission|could not"
)


def _check(exit_code, out, err, words):
    shown = (words, out[-500:], err[-3000:])
    assert exit_code in (0, 1, 2), shown
    assert "Traceback" not in out + err, shown
    assert "run with --debug" not in err, shown
    if exit_code:
        lines = err.splitlines()
        assert lines or "validate" in words, shown  # which lists the problems on stdout
        assert lines == [] or lines[-1].startswith("commonground: "), shown
        assert max(map(len, lines), default=0) < 2100, shown
    if exit_code == 1:
        assert _FAILED.search(err), shown


@pytest.mark.parametrize("name", COMMANDS)
def test_in_this_process(name, tmp_path, monkeypatch, capsys):
    random = Random(name)
    words, command = COMMANDS[name]
    for number in range(CASES_EACH):
        folder = tmp_path / str(number)
        folder.mkdir()
        lay_out(folder)
        monkeypatch.chdir(folder)
        # This stderr cannot write half a surrogate pair, as that of a process can.
        line = [word.replace("\udcff", "") for word in random_case(words, command, random)]
        exit_code = run(line)
        shown = capsys.readouterr()
        _check(exit_code, shown.out, shown.err, line)


def _as_argument(word):
    return word.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_as_a_process(seed, tmp_path):
    random = Random(seed)
    lay_out(tmp_path)
    words, command = random.choice(list(COMMANDS.values()))
    line = [word for word in random_case(words, command, random) if "\0" not in word]
    done = subprocess.run(
        [sys.executable, "-m", "commonground", *map(_as_argument, line)],
        cwd=tmp_path,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C"},
        check=False,
    )
    out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    _check(done.returncode, out, err, line)


def test_there_are_enough():
    assert len(COMMANDS) * CASES_EACH + SAMPLE >= 500


WRONG = {
    "overlap missing.txt a.txt": "no such file",
    "overlap a.txt": "at least two",
    "overlap a.txt b.txt --at-least 3": "only 2",
    "overlap a.txt b.txt --at-least x": "valid int",
    "overlap a.txt b.txt --max-sentences 0": "",
    "overlap a.txt b.txt --strictness nan": "",
    "overlap a.txt binary.txt": "binary",
    "overlap a.txt folder": "folder",
    "overlap a.txt loop.link": "",
    "score --predictions outputs.jsonl --references deep.json": "",
    "score --predictions nan.jsonl --references events.jsonl": "NaN",
    "score --predictions outputs.jsonl --references events.jsonl --metric x": "unknown metric",
    "pyramid show scalar.json": "is not a pyramid",
    "pyramid show huge.json": "",
    "pyramid show bomb.xml": "",
    "agreement labels cr.csv": "",
    "nonsense": "unknown command",
    "--nonsense": "no such option",
    "serve --port 99999999": "",
    "serve --port x": "",
    "serve --host nowhere.invalid --workers 1": "password",
    "serve --workers -3": "",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_calls_exit_with_2(line, tmp_path, monkeypatch, capsys):
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(line.split()) == 2
    shown = capsys.readouterr()
    _check(2, shown.out, shown.err, line)
    assert WRONG[line].lower() in shown.err.lower()
