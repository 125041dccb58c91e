"""Runs that are killed for real, or find the disk full, and are gone on with."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commonground.cli import run
from commonground.encoders import load
from scale_stories import EVENTS, PREDICTIONS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

KILLS = 20
ROWS = 900
LOADED = load("static")  # by this process, so that each of its forks begins at once


@pytest.fixture
def files(tmp_path):
    texts = {event["id"]: event["references"] for event in EVENTS}
    rows = [
        {**PREDICTIONS[number % 7], "id": f"r{number}", "references": texts["storm"]}
        for number in range(ROWS)
    ]
    rows[7] = {"id": "r7"}
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["score", "--predictions", str(path), "--encoder", "static", "--workers", "1"]


def forked(arguments, before=lambda: None):
    """A process of its own that runs the command."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            before()
            code = run(arguments)
        finally:
            os._exit(code)
    return pid


def exit_code(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def content(folder):
    parts = sorted(folder.glob("part-*"))
    return {part.name: (part.stat().st_ino, part.stat().st_mtime_ns) for part in parts}


def test_killed_at_twenty_points_it_ends_as_if_it_had_not_been(files, tmp_path, capsys):
    whole = tmp_path / "whole.jsonl"
    assert run([*files, "--output", str(whole), "--json"]) == 0
    expected = capsys.readouterr().out
    chance = random.Random(0)
    out, folder = tmp_path / "out.jsonl", tmp_path / "out.jsonl.run"
    work = [*files, "--output", str(out), "--shard-rows", "3"]
    before = {}
    for _ in range(KILLS):
        pid = forked([*work, "--resume"])
        aim, deadline = len(before) + chance.randint(0, 6), time.monotonic() + 30
        while len(content(folder)) < aim and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.01)  # into the middle of a shard
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        after = content(folder)
        assert before.items() <= after.items()  # nothing is done twice
        before = after
    assert not out.exists()
    assert 0 < len(before) < ROWS // 3
    assert run([*work, "--resume", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out == expected
    assert f"{ROWS} predictions, {ROWS - 3 * len(before)} of them new" in printed.err
    assert out.read_bytes() == whole.read_bytes()
    assert len(out.read_text().splitlines()) == ROWS - 1
    (failed,) = (tmp_path / "out.jsonl.errors.jsonl").read_text().splitlines()
    assert json.loads(failed)["id"] == "r7"
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "out.jsonl",
        "out.jsonl.errors.jsonl",
        "p.jsonl",
        "whole.jsonl",
        "whole.jsonl.errors.jsonl",
    ]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_workers_end_with_the_run_that_is_killed(files, tmp_path):
    folder = tmp_path / "out"
    command = [sys.executable, "-m", "commonground", *files[:-1], "2"]
    command += ["--output", f"{folder}/", "--shard-rows", "2"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        while len(content(folder)) < 2:
            assert process.poll() is None
        threads = Path(f"/proc/{process.pid}/task").glob("*/children")
        children = [child for thread in threads for child in thread.read_text().split()]
        process.kill()
    assert len(children) >= 2
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{child}/cmdline").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_no_room_for_the_whole_is_one_line_and_costs_nothing(files, tmp_path, capfd):
    resource = pytest.importorskip("resource")

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    out = tmp_path / "out.jsonl"
    work = [*files, "--output", str(out), "--shard-rows", "20"]
    assert exit_code(forked(work, little_room)) == 1
    told = capfd.readouterr().err
    assert told == (
        f"commonground: {out}: not written (file too large); {ROWS} of {ROWS} rows are done, "
        "in out.jsonl.run; continue with --resume\n"
    )
    assert not out.exists()
    assert run([*work, "--resume"]) == 0
    assert f"{ROWS} predictions, 0 of them new" in capfd.readouterr().err
    assert len(out.read_text().splitlines()) == ROWS - 1


@pytest.mark.parametrize("room", [60, 150, 400])
def test_a_full_disk_for_real(files, tmp_path, capfd, room):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={room}k", "tmpfs", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("may not mount")
    try:
        work = [*files, "--output", f"{disk}/out.jsonl", "--shard-rows", "10"]
        assert exit_code(forked(work)) == 1
        told = capfd.readouterr().err
        assert told.count("\n") == 1, told
        assert "full" in told or "no space left" in told
        kept = content(disk / "out.jsonl.run")
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        assert run([*work, "--resume"]) == 0
        assert f"{ROWS - 10 * len(kept)} of them new" in capfd.readouterr().err
        assert len((disk / "out.jsonl").read_text().splitlines()) == ROWS - 1
    finally:
        subprocess.run(["umount", str(disk)], check=True)
