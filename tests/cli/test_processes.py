"""What surrounds every command, as real processes meet it: interrupts, closed and full outputs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TEXTS = {"a.txt": "The bridge was closed.", "b.txt": "The bridge was shut."}
WORDS = ["define", "words", "a.txt", "b.txt"]

linux = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture
def start(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)

    def started(*arguments, **options):
        command = [sys.executable, "-m", "commonground", *arguments]
        kept = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(command, cwd=tmp_path, text=True, **kept)

    return started


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("command", ["overlap", "verify"])
def test_ctrl_c_is_one_line(command, start, tmp_path):
    os.mkfifo(tmp_path / "slow.txt")
    with (
        start(command, "slow.txt", "a.txt", "b.txt") as process,
        (tmp_path / "slow.txt").open("w"),  # which waits until the command begins to read
    ):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "commonground: interrupted\n")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_whoever_reads_may_stop(form, start):
    reader, writer = os.pipe()
    os.close(reader)
    with start(*WORDS, *form, stdout=writer) as process:
        os.close(writer)
        _, err = process.communicate()
    assert (process.returncode, err) == (0, "")


@linux
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_full_disk_is_one_line(form, start):
    with Path("/dev/full").open("w") as full, start(*WORDS, *form, stdout=full) as process:
        _, err = process.communicate()
    assert process.returncode == 1
    assert err == "commonground: the output: no space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_an_output_that_is_closed_is_nobodys_trouble(start, tmp_path):
    command = f"{sys.executable} -m commonground {' '.join(WORDS)} >&-"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# Ctrl-C comes while the command line itself is still being imported.
EARLY = """
import os, signal, sys
from commonground.cli import main

class Press:
    def find_spec(self, name, *_):
        if name == "commonground.cli.app":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Press())
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_during_the_imports_is_one_line():
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "commonground: interrupted\n")


def test_what_is_imported_before_ctrl_c_is_seen_to_is_little():
    code = "import sys, commonground.cli; print('numpy' in sys.modules, 'typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False\n"
