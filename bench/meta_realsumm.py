"""Meta-evaluation of REALSumm: every column of the built-in metrics with people, and the time.

Pyramids are built from the single reference and matched by `wmin`, which needs no token vectors.
The time counts reading, scoring, correlations, 1,000 bootstrap resamples and 1,000 permutations.

    python bench/meta_realsumm.py DATA_FOLDER/scu/REALSumm [--encoder static] [--json OUT]
"""

import argparse
import json
import time
from pathlib import Path

from commonground.benchmark.meta import (
    MetaEvaluation,
    meta_evaluate,
    read_judged,
    score_judged,
)
from commonground.metrics import registry

OPTIONS = {
    "rouge": {"types": ("rouge1", "rouge2", "rougeL", "rougeSU4", "rougeW"), "stemmer": True},
    "sem-f1": {},
    "pyramid": {"method": "wmin"},
}


def main() -> None:
    """Print the tables, the seconds of each step and the two figures of ROUGE-1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", default="static")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    start = time.perf_counter()
    judged = read_judged(arguments.data)
    seconds, rows, signatures = {}, [], []
    for name, options in OPTIONS.items():
        began = time.perf_counter()
        own = registry.accepted(name, {"encoder": arguments.encoder, **options})
        scores, lines = score_judged(judged, [registry.create(name, **own)])
        rows.append(scores)
        signatures += lines
        seconds[name] = time.perf_counter() - began
    began = time.perf_counter()
    result = meta_evaluate(judged, sum(rows[1:], rows[0]), signatures=signatures)
    seconds["correlations"] = time.perf_counter() - began
    seconds["all"] = time.perf_counter() - start
    print(result.to_markdown(intervals=True))
    print(f"\n{judged.summaries} summaries, {len(result.metrics)} columns")
    print(", ".join(f"{name} {value:.1f} s" for name, value in seconds.items()))
    for metric in ("rouge1", "rouge1.recall"):
        cell = result.cell(metric, "human-units")
        print(f"{metric}: Pearson at system level {cell.value:.3f} {cell.interval}")
    if arguments.json:
        report = {"seconds": seconds, "columns": figures(result)}
        arguments.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


def figures(result: MetaEvaluation) -> dict[str, dict[str, list[float]]]:
    """Each column's correlations with people, and their intervals."""
    found: dict[str, dict[str, list[float]]] = {}
    for metric in result.metrics:
        for level, method in (("system", "pearson"), ("system", "kendall"), ("summary", "pearson")):
            cell = result.cell(metric, "human-units", level, method)
            bounds = [cell.interval.low, cell.interval.high] if cell.interval else []
            found.setdefault(metric, {})[f"{level}, {method}"] = [cell.value, *bounds]
    return found


if __name__ == "__main__":
    main()
