"""Count the source files that a command passes through.

    python bench/files_passed.py [--json] [--list]

A reader who follows a command through the code opens every file of which the command calls a
function. What runs while a file is imported does not count. Each command runs in a process of its
own on the examples of the repository, with an empty cache.
`--list` also prints the files in the order in which they are first called.
"""

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "commonground"
EXAMPLES = ROOT / "examples"
PYRAMID = "pyramid.json"
COMMANDS = {
    "overlap": ["overlap", *map(str, sorted((EXAMPLES / "overlap" / "news").glob("*.txt")))],
    "score": [
        "score",
        f"--predictions={EXAMPLES / 'predictions.jsonl'}",
        f"--references={EXAMPLES / 'events.jsonl'}",
    ],
    "pyramid score": ["pyramid", "score", PYRAMID, str(EXAMPLES / "class" / "students")],
}
TARGETS = {"overlap": 35, "score": 30, "pyramid score": 30}
BUILD = ["pyramid", "build", str(EXAMPLES / "class" / "references"), "-o", PYRAMID]


def main() -> None:
    """Print the number of files that each command passes through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the files as JSON")
    parser.add_argument("--list", action="store_true", help="print the files as well")
    parser.add_argument("--trace", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trace:
        print(json.dumps(trace(arguments.trace)))
        return
    with tempfile.TemporaryDirectory() as folder:
        passed_files(BUILD, folder)
        files = {name: passed_files(command, folder) for name, command in COMMANDS.items()}
    if arguments.json:
        results = {
            name: {"count": len(paths), "target": TARGETS[name], "files": paths}
            for name, paths in files.items()
        }
        print(json.dumps(results, indent=2))
        return
    print(f"{'command':<15}{'files':>6}{'target':>8}")
    for name, paths in files.items():
        print(f"{name:<15}{len(paths):>6}{TARGETS[name]:>8}")
        if arguments.list:
            print("".join(f"    {path}\n" for path in paths), end="")


def passed_files(command: list[str], folder: str) -> list[str]:
    """Run a command in a process of its own, in a folder, and return the files it calls."""
    environment = os.environ | {
        "COMMONGROUND_CACHE": str(Path(folder) / "cache"),
        "PYTHONPATH": str(SOURCE.parent),
    }
    done = subprocess.run(
        [sys.executable, str(Path(__file__).resolve()), "--trace", *command],
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    files: list[str] = json.loads(done.stdout)
    return files


def trace(command: list[str]) -> list[str]:
    """Run a command here and return the files it calls, in the order of their first call."""
    source = str(SOURCE) + os.sep
    passed: dict[str, None] = {}
    importing = 0

    def on_event(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(source):
            return
        if code.co_name == "<module>":
            importing += 1 if event == "call" else -1
        elif not importing:
            passed.setdefault(code.co_filename.removeprefix(source))

    from commonground.cli import run

    threading.setprofile(on_event)
    sys.setprofile(on_event)
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(command)
    sys.setprofile(None)
    if code:
        raise SystemExit(f"commonground {' '.join(command)}: exit code {code}")
    return list(passed)


if __name__ == "__main__":
    main()
