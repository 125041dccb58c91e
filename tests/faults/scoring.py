"""A scoring run for every n: its n-th write fails, and `--resume` finishes it.

Prints how many runs there were and how many failed.
"""

import contextlib
import ctypes
import io
import json
import shutil
import sys
from pathlib import Path

from commonground.cli import run
from commonground.scale import local

faults = ctypes.CDLL(None)
TEXT = "The dam broke on Monday. Nobody was hurt."
ROWS = [
    {"id": f"r{number}", "summary": f"The dam broke {number}.", "references": [TEXT]}
    for number in range(5)
]


def score(folder, *more):
    """Run the command; its exit code, and what it said."""
    said = io.StringIO()
    call = ["score", "--predictions", str(folder.parent / "rows.jsonl"), "--metric", "rouge"]
    call += ["--output", str(folder / "out.jsonl"), "--shard-rows", "2", "--workers", "1", *more]
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        return run(call), said.getvalue()


def files(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def disturbed(base, n, forever, wanted):
    """Let the n-th write fail, resume, and compare; whether the run failed."""
    folder = base / f"{n}-{forever}"
    folder.mkdir()
    faults.arm(n, forever)
    exit_code, said = score(folder)
    faults.arm(0, 0)
    assert exit_code in (0, 1), (n, exit_code, said)
    assert "Traceback" not in said and "unexpected" not in said, (n, said)
    if exit_code:
        assert said.startswith("commonground: ") and said.count("\n") == 1, (n, said)
        again, said = score(folder, "--resume")
        assert again == 0, (n, said)
    assert files(folder) == wanted, (n, forever, list(files(folder)))
    shutil.rmtree(folder)
    return bool(exit_code)


def in_this_process(work, workers, chunks):
    """Do the work here: the writes are those of the process that started the workers."""
    work.warm()
    for chunk in chunks:
        yield chunk.number, work(chunk.items)


def main():
    local._in_processes = in_this_process
    base = Path(sys.argv[1])
    (base / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    calm = base / "calm"
    calm.mkdir()
    faults.arm(0, 0)
    assert score(calm)[0] == 0
    writes, wanted = faults.seen(), files(calm)
    failed = [
        disturbed(base, n, forever, wanted) for n in range(1, writes + 1) for forever in (0, 1)
    ]
    sys.stdout.write(f"{len(failed)} {sum(failed)}\n")


if __name__ == "__main__":  # doctest imports this file
    main()
