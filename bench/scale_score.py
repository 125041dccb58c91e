"""`commonground score --output` on many summaries: rate, memory, and how both grow.

Rows are made of given summaries and their references, four each: in every row one word in ten is
another one, so that hardly a sentence comes twice. SEM-F1 (`static`) and ROUGE (four types) by
worker processes; rouge-score's own rate is taken on a sample. Memory is that of all processes
together, shared pages counted once (Linux only).

    python bench/scale_score.py DATA_FOLDER [--rows 100000] [--workers 2] [--json OUT]
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
OTHER_WORDS = 0.1
SAMPLE = 200
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


class Memory(threading.Thread):
    """The most that a process and its children take together, looked at ten times a second."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.most = 0

    def run(self) -> None:
        """Look until the process is gone."""
        while (now := sum(map(shared_once, family(self._pid)))) or Path(
            f"/proc/{self._pid}/task"
        ).exists():
            self.most = max(self.most, now)
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


def scored(source: Path, workers: int, shard_rows: int) -> dict[str, float]:
    """Seconds and memory of one run, from the command to its last byte."""
    command = [sys.executable, "-m", "commonground", "score", "--predictions", str(source)]
    command += ["--encoder", "static", "--workers", str(workers), "--json"]
    command += ["--shard-rows", str(shard_rows)]
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        start = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--output", f"{folder}/out/"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        memory = Memory(process.pid)
        memory.start()
        _, told = process.communicate()
        seconds = time.perf_counter() - start
        memory.join()
    if process.returncode:
        raise SystemExit(told)
    return {"seconds": seconds, "memory": memory.most}


def theirs(given: list[tuple[str, list[str]]]) -> float:
    """rouge-score's summaries a second, on one core."""
    from rouge_score.rouge_scorer import RougeScorer  # here: others use the rows alone

    scorer = RougeScorer(list(TYPES))
    some = list(rows(given, SAMPLE))
    start = time.perf_counter()
    for row in some:
        scorer.score_multi(row["references"], row["summary"])
    return SAMPLE / (time.perf_counter() - start)


def main() -> None:
    """Print a table, and write it as JSON where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    given = sources(options.data)
    tenth = max(1, options.rows // 10)
    several = f"{options.workers} workers"
    found: dict[str, Any] = {"cores": os.cpu_count(), "rouge-score, summaries/s": theirs(given)}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "rows.jsonl"
        for name, count, workers, shard_rows in (
            (f"the start, {several}", options.workers, options.workers, 1),
            (f"a tenth, {several}", tenth, options.workers, SHARD_ROWS),
            ("all, one worker", options.rows, 1, SHARD_ROWS),
            (f"all, {several}", options.rows, options.workers, SHARD_ROWS),
        ):
            write(source, given, count)
            run = scored(source, workers, shard_rows)
            found[name] = {"rows": count, "summaries/s": count / run["seconds"], **run}
            print(
                f"{name:24} {count:>9,} rows {run['seconds']:9.1f} s "
                f"{count / run['seconds']:8.0f}/s {run['memory'] / 1e6:6.0f} MB"
            )
    start, part, one, whole = (run["seconds"] for run in list(found.values())[2:])
    found[f"{several} against one"] = one / whole
    found["ten times the rows"] = whole / part
    found["ten times the rows, without the start"] = (whole - start) / (part - start)
    for name in ("rouge-score, summaries/s", *list(found)[-3:]):
        print(f"{name:40} {found[name]:8.2f}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
