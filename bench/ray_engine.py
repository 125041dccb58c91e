"""`--engine ray` on one machine beside `--engine local`, with as many workers.

The rows of `_scale_runs.py`: summaries with four references, SEM-F1 (`static`) and ROUGE. The rate
is that from the first shard to the last, by the times of the files; what it takes to start and end
(processes, models, a cluster) is told apart. The engines take turns, and the median of the rounds
counts, since machines have moods. Results must be the same to the last byte. To be run where the
extra `[scale]` is installed.

    python bench/ray_engine.py DATA_FOLDER [--rows 10000] [--workers 2] [--rounds 3] [--json OUT]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from _scale_runs import sources, write

OUT = Path(__file__).parent / "out"
SHARD = 500
ENGINES = ("local", "ray")


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--rows", type=int, default=10_000, help="how many")
    parser.add_argument("--workers", type=int, default=2, help="of each engine")
    parser.add_argument("--json", type=Path, default=OUT / "ray_engine.json", help="the figures")
    parser.add_argument("--rounds", type=int, default=3, help="of both engines")
    arguments = parser.parse_args()
    figures: dict[str, list[tuple[float, float]]] = {engine: [] for engine in ENGINES}
    with tempfile.TemporaryDirectory() as name:
        rows = Path(name) / "rows.jsonl"
        write(rows, sources(arguments.data), arguments.rows)
        for turn in range(arguments.rounds):
            shards = []
            for engine in ENGINES:
                out = Path(name) / f"{engine}-{turn}"
                figures[engine].append(_measured(rows, out, engine, arguments.workers))
                shards.append([path.read_bytes() for path in sorted(out.glob("part-*"))])
            if shards[0] != shards[1]:
                sys.exit("the engines' results differ")
    rates = {engine: median(rate for rate, _ in found) for engine, found in figures.items()}
    print(f"{'engine':<8} {'rows/s':>7} {'start and end, s':>17}")
    for engine, found in figures.items():
        print(f"{engine:<8} {rates[engine]:>7.0f} {median(rest for _, rest in found):>17.1f}")
    print(f"ray/local: {rates['ray'] / rates['local']:.2f}")
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=2))


def _measured(rows: Path, out: Path, engine: str, workers: int) -> tuple[float, float]:
    """Rows a second between the first shard and the last, and the seconds before and after."""
    command = ["score", "--predictions", rows, "--output", f"{out}/", "--engine", engine]
    options = ["--workers", workers, "--encoder", "static", "--shard-rows", SHARD, "--json"]
    words = map(str, [sys.executable, "-m", "commonground", *command, *options])
    start = time.perf_counter()
    subprocess.run(list(words), check=True, capture_output=True)
    seconds = time.perf_counter() - start
    times = sorted(path.stat().st_mtime for path in out.glob("part-*"))
    # The workers' first shards come together; they were worked on before.
    between = times[-1] - times[workers - 1]
    return SHARD * (len(times) - workers) / between, seconds - between


if __name__ == "__main__":
    main()
