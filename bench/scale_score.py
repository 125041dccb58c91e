"""`commonground score --output` on many summaries: rate, memory, and how both grow.

SEM-F1 (`static`) and ROUGE (four types) of the rows of `_scale_runs.py`, by worker processes.
Machines have moods, so that the runs take turns in several rounds and medians count: a tenth of the
rows and all of them with several workers, and a tenth with one. rouge-score's own rate is taken on
a sample in each round. Ratios between sizes and between numbers of workers are of what a run takes
beyond one of a row a worker, which is the start; with the start they are told too. Where others use
the machine, CPU time tells how cost grows better than the clock.

    python bench/scale_score.py DATA_FOLDER [--rows 100000] [--workers 2] [--rounds 3] [--json OUT]
"""

import argparse
import collections
import json
import os
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from _scale_runs import Run, rows, scored, sources, write

OUT = Path(__file__).parent / "out"
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
SAMPLE = 200
STATIC = ("--encoder", "static")


def main() -> None:
    """Print a table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, default=OUT / "scale_score.json")
    options = parser.parse_args()
    given = sources(options.data)
    runs: dict[str, list[Run]] = collections.defaultdict(list)
    theirs = []
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.jsonl" for name in ("start", "tenth", "all")}
        write(files["start"], given, options.workers)
        write(files["tenth"], given, max(1, options.rows // 10))
        write(files["all"], given, options.rows)
        for _ in range(options.rounds):
            theirs.append(rouge_score_rate(given))
            for name, source in files.items():
                shard_rows = {"shard_rows": 1} if name == "start" else {}
                run = scored(source, options.workers, options=STATIC, **shard_rows)
                runs[name].append(told(name, run))
            for name, source in (("one start", files["start"]), ("one worker", files["tenth"])):
                shard_rows = {"shard_rows": 1} if name == "one start" else {}
                runs[name].append(told(name, scored(source, 1, options=STATIC, **shard_rows)))
    found = figures(runs) | {"rouge-score, summaries/s": median(theirs)}
    for name, value in found.items():
        print(f"{name:44} {value:8.2f}")
    found["cores"] = os.cpu_count() or 0
    kept: dict[str, Any] = {name: [asdict(run) for run in some] for name, some in runs.items()}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found | {"runs": kept}, indent=2) + "\n", encoding="utf-8")


def figures(runs: dict[str, list[Run]]) -> dict[str, float]:
    """Medians over the rounds."""
    start, tenth, whole, one_start, one = (
        [run.seconds for run in runs[name]]
        for name in ("start", "tenth", "all", "one start", "one worker")
    )
    costs = {name: [run.cpu_seconds for run in some] for name, some in runs.items()}
    rounds = range(len(whole))
    return {
        "summaries/s": median(run.rows / run.seconds for run in runs["all"]),
        "CPU ms a summary": median(1000 * run.cpu_seconds / run.rows for run in runs["all"]),
        "memory, MB": max(run.memory for run in runs["all"]) / 1e6,
        "ten times the rows": median((whole[i] - start[i]) / (tenth[i] - start[i]) for i in rounds),
        "ten times the rows, with the start": median(whole[i] / tenth[i] for i in rounds),
        "ten times the rows, by CPU time": median(
            (costs["all"][i] - costs["start"][i]) / (costs["tenth"][i] - costs["start"][i])
            for i in rounds
        ),
        "against one worker": median(
            (one[i] - one_start[i]) / (tenth[i] - start[i]) for i in rounds
        ),
        "against one worker, with the start": median(one[i] / tenth[i] for i in rounds),
    }


def told(name: str, run: Run) -> Run:
    """Say what a run took."""
    print(
        f"{name:12} {run.rows:>9,} rows {run.seconds:9.1f} s {run.rows / run.seconds:8.0f}/s "
        f"{run.memory / 1e6:6.0f} MB",
        flush=True,
    )
    return run


def rouge_score_rate(given: list[tuple[str, list[str]]]) -> float:
    """rouge-score's summaries a second, on one core."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(TYPES))
    some = list(rows(given, SAMPLE))
    start = time.perf_counter()
    for row in some:
        scorer.score_multi(row["references"], row["summary"])
    return SAMPLE / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
