"""`--engine ray` on one machine beside `--engine local`, with as many workers.

The rows of `scale_score.py`: summaries with four references, SEM-F1 (`static`) and ROUGE. Each
engine does a few rows and all of them; the rate is over the difference, so that what it takes to
start (processes, models, a cluster) is told apart. Results must be the same to the last byte. To be
run where the extra `[scale]` is installed.

    python bench/ray_engine.py DATA_FOLDER [--rows 20000] [--workers 2] [--json OUT]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scale_score import sources, write

OUT = Path(__file__).parent / "out"
FEW = 2000
ENGINES = ("local", "ray")


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--rows", type=int, default=20_000, help="how many")
    parser.add_argument("--workers", type=int, default=2, help="of each engine")
    parser.add_argument("--json", type=Path, default=OUT / "ray_engine.json", help="the figures")
    arguments = parser.parse_args()
    seconds: dict[str, dict[int, float]] = {engine: {} for engine in ENGINES}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (FEW, arguments.rows):
            rows = folder / f"{count}.jsonl"
            write(rows, sources(arguments.data), count)
            results = [folder / f"{engine}-{count}.jsonl" for engine in ENGINES]
            for engine, out in zip(ENGINES, results, strict=True):
                seconds[engine][count] = _timed(rows, out, engine, arguments.workers)
            local, ray = (path.read_bytes() for path in results)
            if local != ray:
                sys.exit("the engines' results differ")
    more = arguments.rows - FEW
    figures = {
        engine: {
            "rate": more / (found[arguments.rows] - found[FEW]),
            "seconds": found[arguments.rows],
            "start": found[FEW] - FEW * (found[arguments.rows] - found[FEW]) / more,
        }
        for engine, found in seconds.items()
    }
    print(f"{'engine':<8} {'rows/s':>7} {'seconds':>8} {'of them to start':>17}")
    for engine, row in figures.items():
        print(f"{engine:<8} {row['rate']:>7.0f} {row['seconds']:>8.1f} {row['start']:>17.1f}")
    print(f"ray/local: {figures['ray']['rate'] / figures['local']['rate']:.2f}")
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=2))


def _timed(rows: Path, out: Path, engine: str, workers: int) -> float:
    command = ["score", "--predictions", rows, "--output", out, "--engine", engine]
    options = ["--workers", workers, "--encoder", "static", "--shard-rows", 500, "--json"]
    start = time.perf_counter()
    words = map(str, [sys.executable, "-m", "commonground", *command, *options])
    subprocess.run(list(words), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
