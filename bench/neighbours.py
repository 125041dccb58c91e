"""Which library finds the nearest neighbours for `commonground group`?

Random clusters of three vectors of 384 numbers; recall of the 21 nearest against an exact search.
The index is built on one thread and searched on two. A library that is not installed is left out.

    python bench/neighbours.py [--vectors 4000] [--json OUT]
"""

import argparse
import importlib.util
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

OUT = Path(__file__).parent / "out"
NEAREST, LINKS, EXPANSION, THREADS = 21, 16, 200, 2


def voyager(vectors: Any) -> Callable[[], Any]:
    """Build voyager's index; its default of 12 links."""
    from voyager import Index, Space

    index = Index(Space.Cosine, vectors.shape[1], ef_construction=EXPANSION, random_seed=0)
    index.add_items(vectors, num_threads=1)
    return lambda: index.query(vectors, k=NEAREST, num_threads=THREADS, query_ef=EXPANSION)[0]


def usearch(vectors: Any) -> Callable[[], Any]:
    """Build usearch's index."""
    from usearch.index import Index

    index = Index(
        ndim=vectors.shape[1],
        metric="ip",
        dtype="f32",
        connectivity=LINKS,
        expansion_add=EXPANSION,
        expansion_search=EXPANSION,
    )
    index.add(np.arange(len(vectors)), vectors, threads=1)
    return lambda: index.search(vectors, NEAREST, threads=THREADS).keys


def hnswlib(vectors: Any) -> Callable[[], Any]:
    """Build hnswlib's index."""
    from hnswlib import Index

    index = Index("cosine", vectors.shape[1])
    index.init_index(len(vectors), M=LINKS, ef_construction=EXPANSION, random_seed=0)
    index.add_items(vectors, num_threads=1)
    index.set_ef(EXPANSION)
    return lambda: index.knn_query(vectors, NEAREST, num_threads=THREADS)[0]


def faiss(vectors: Any) -> Callable[[], Any]:
    """Build faiss's index, as `commonground group` does."""
    import faiss

    index = faiss.IndexHNSWFlat(vectors.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = index.hnsw.efSearch = EXPANSION
    faiss.omp_set_num_threads(1)
    index.add(vectors)
    faiss.omp_set_num_threads(THREADS)
    return lambda: index.search(vectors, NEAREST)[1]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=4000)
    parser.add_argument("--json", type=Path, default=OUT / "neighbours.json", help="the figures")
    arguments = parser.parse_args()
    vectors = _clusters(arguments.vectors)
    exact = np.argpartition(-(vectors @ vectors.T), NEAREST - 1, axis=1)[:, :NEAREST].tolist()
    rows = []
    print("library  recall  build s  search s")
    for build in (voyager, usearch, hnswlib, faiss):
        if importlib.util.find_spec(build.__name__) is None:
            continue
        start = time.perf_counter()
        search = build(vectors)
        built = time.perf_counter()
        found = search().tolist()
        end = time.perf_counter()
        shared = [len(set(a) & set(b)) for a, b in zip(found, exact, strict=True)]
        row = {"library": build.__name__, "recall": float(np.mean(shared)) / NEAREST}
        rows.append(row | {"build": built - start, "search": end - built})
        print("{library:<8} {recall:.4f} {build:>8.2f} {search:>9.2f}".format(**rows[-1]))
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(rows, indent=2))


def _clusters(count: int) -> Any:
    random = np.random.default_rng(0)
    centres = random.normal(size=(count // 3, 384))
    vectors = centres[random.integers(0, len(centres), count)]
    vectors = vectors + 0.6 * random.normal(size=vectors.shape)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


if __name__ == "__main__":
    main()
