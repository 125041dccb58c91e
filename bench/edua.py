"""Time of each builder, and its proven distance from the optimum.

    python bench/edua.py [--quick] [--seconds 60] [--json OUT]

Graphs are synthetic: clauses are vectors near shared themes, in 32 dimensions, and sentences of one
to three clauses have all their segmentations. Each size has a graph at the default percentile, and
one at the lowest percentile with at most 10,000 candidates. The largest is 20 references of about
5,000 words; `--quick` skips it. Seconds are those of `build` alone; memory is the peak so far.
"""

import argparse
import json
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np

from commonground.pyramid import BUILDERS, SegmentGraph, build
from commonground.pyramid.builders.candidates import all_cliques
from commonground.pyramid.builders.pieces import pieces_of

DIMENSIONS = 32
# The segmentations of a sentence by its number of clauses.
CUTS = {
    1: [[(0,)]],
    2: [[(0, 1)], [(0,), (1,)]],
    3: [[(0, 1, 2)], [(0,), (1, 2)], [(0, 1), (2,)], [(0,), (1,), (2,)]],
}
SIZES = ((5, 45), (7, 60))
LARGE = (20, 600)
MANY = 10_000


def texts(count: int, segments: int, seed: int = 0) -> tuple[Any, ...]:
    """Return labels, words and vectors of texts with about `segments` segments each."""
    random = np.random.default_rng(seed)
    themes = random.normal(size=(segments // 2, DIMENSIONS))
    themes /= np.linalg.norm(themes, axis=1, keepdims=True)
    # Some themes are in most texts, many in few.
    likely = np.arange(1, len(themes) + 1) ** -0.7
    labels, words, vectors = [], [], []
    sentence = 0
    for text in range(count):
        written = 0
        while written < segments:
            clauses = int(random.integers(1, 4))
            chosen = random.choice(len(themes), clauses, replace=False, p=likely / likely.sum())
            noise = random.normal(size=(clauses, DIMENSIONS)) / np.sqrt(DIMENSIONS)
            clause_vectors = themes[chosen] + 0.9 * noise
            for segmentation, cut in enumerate(CUTS[clauses]):
                for segment, part in enumerate(cut):
                    labels.append((text, sentence, segmentation, segment))
                    words.append(f"{text}.{sentence}: clauses {part}")
                    vectors.append(clause_vectors[list(part)].sum(axis=0))
                    written += 1
            sentence += 1
    return *np.array(labels).T, words, np.array(vectors, dtype=np.float32)


def narrowed(inputs: tuple[Any, ...]) -> float:
    """Return the lowest percentile from the default on with at most `MANY` candidates."""
    for percentile in np.arange(83, 100, 0.25):
        pieces = pieces_of(SegmentGraph.from_vectors(*inputs, percentile=percentile))
        if all_cliques(pieces, MANY) is not None:
            return float(percentile)
    return 100.0


def measured(inputs: tuple[Any, ...], percentile: float, seconds: float) -> list[dict[str, Any]]:
    """Return a row for each builder."""
    start = time.perf_counter()
    graph = SegmentGraph.from_vectors(*inputs, percentile=percentile)
    graph_seconds = time.perf_counter() - start
    rows = []
    for builder in BUILDERS:
        start = time.perf_counter()
        solution = build(graph, builder, seconds=seconds)
        rows.append(
            {
                "texts": int(graph.text.max()) + 1,
                "segments": len(graph),
                "percentile": percentile,
                "edges": len(graph.first),
                "candidates": solution.candidates,
                "all": solution.complete,
                "builder": builder,
                "graph_seconds": graph_seconds,
                "seconds": time.perf_counter() - start,
                "objective": solution.objective,
                "gap": solution.gap,
                "optimal": solution.optimal,
                "units": sum(len(unit) > 1 for unit in solution.units),
                "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
        print(
            "{texts:>5} {segments:>8} {percentile:>5.4g} {edges:>9} {candidates:>10}{mark:<1} "
            "{builder:<15} {seconds:>7.2f} {objective:>9.4f} {gap:>7.2%} {units:>6} "
            "{megabytes:>6.0f}".format(mark="" if rows[-1]["all"] else "*", **rows[-1]),
            flush=True,
        )
    return rows


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="skip the largest graph")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit for each builder")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    print(
        f"{'texts':>5} {'segments':>8} {'pct':>5} {'edges':>9} {'candidates':>10}  {'builder':<15} "
        f"{'seconds':>7} {'objective':>9} {'gap':>7} {'units':>6} {'MB':>6}"
    )
    rows = []
    for size in SIZES:
        inputs = texts(*size)
        for percentile in (narrowed(inputs), 83.0):
            rows += measured(inputs, percentile, arguments.seconds)
    if not arguments.quick:
        rows += measured(texts(*LARGE), 83.0, arguments.seconds)
    print("* not all candidates")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
