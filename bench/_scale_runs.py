"""Rows for the benches of `commonground score --output`, and a run of it that is looked at.

Rows are made of given summaries and their references, four each: in every row one word in ten is
another one, so that hardly a sentence comes twice. Memory is that of all processes together,
shared pages counted once (Linux only).
"""

import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OTHER_WORDS = 0.1
SHARD_ROWS = 1000


def sources(folder: Path) -> list[tuple[str, list[str]]]:
    """Every system's summary of every event, with the event's references."""
    lines = (folder / "sos/allsides_references.jsonl").read_text(encoding="utf-8").splitlines()
    references = {row["id"]: row["references"] for row in map(json.loads, lines)}
    with gzip.open(folder / "sos/allsides_system_outputs.jsonl.gz", "rt", encoding="utf-8") as file:
        return [(row["summary"], references[row["id"]]) for row in map(json.loads, file)]


def rows(given: list[tuple[str, list[str]]], count: int) -> Iterator[dict[str, Any]]:
    """So many rows, the same at each call."""
    chance = random.Random(0)
    words = sorted({word for _, texts in given for text in texts for word in text.split()})

    def other(text: str) -> str:
        return " ".join(
            chance.choice(words) if chance.random() < OTHER_WORDS else word
            for word in text.split(" ")
        )

    for number in range(count):
        summary, references = chance.choice(given)
        texts = [other(text) for text in references]
        yield {"id": f"r{number}", "summary": other(summary), "references": texts}


def write(path: Path, given: list[tuple[str, list[str]]], count: int) -> None:
    """A file of so many rows."""
    with path.open("w", encoding="utf-8") as out:
        for row in rows(given, count):
            out.write(json.dumps(row) + "\n")


@dataclass(frozen=True, slots=True)
class Run:
    """One run, from the command to its last byte.

    Attributes:
        cpu_seconds: Of all processes together: what a run costs, whoever else uses the machine.
        memory: The most bytes of all processes together.
        reader_seconds: CPU time of the process that reads, hands out and writes.
        written: Bytes of the results.
    """

    rows: int
    seconds: float
    cpu_seconds: float
    memory: int
    reader_seconds: float
    written: int


def scored(
    source: Path, workers: int, *, shard_rows: int = SHARD_ROWS, options: tuple[str, ...] = ()
) -> Run:
    """Score a file of rows in a process of its own; more options of the command may be given."""
    command = [sys.executable, "-m", "commonground", "score", "--predictions", str(source)]
    command += ["--workers", str(workers), "--shard-rows", str(shard_rows), "--json", *options]
    with source.open("rb") as file:
        count = sum(1 for _ in file)
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        start, used = time.perf_counter(), _used()
        process = subprocess.Popen(
            [*command, "--output", f"{folder}/out/"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        watch = Watch(process.pid)
        watch.start()
        _, told = process.communicate()
        seconds, used = time.perf_counter() - start, _used() - used
        watch.join()
        written = sum(path.stat().st_size for path in Path(folder).glob("out/part-*"))
    if process.returncode:
        raise SystemExit(told)
    return Run(count, seconds, used, watch.memory, watch.seconds, written)


def _used() -> float:
    """CPU time of the processes that this one has started and that have ended, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Watch(threading.Thread):
    """Looks at a process and its children ten times a second until it is gone."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.memory = 0
        self.seconds = 0.0

    def run(self) -> None:
        """Keep the most memory of all, and the last CPU time of the first."""
        while (now := sum(map(shared_once, family(self._pid)))) or Path(
            f"/proc/{self._pid}/task"
        ).exists():
            self.memory = max(self.memory, now)
            self.seconds = max(self.seconds, cpu_seconds(self._pid))
            time.sleep(0.1)


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in family(int(child)))]


def shared_once(pid: int) -> int:
    """Bytes of a process, of those shared with others its part."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def cpu_seconds(pid: int) -> float:
    """What a process itself has used of the cores; 0 where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
