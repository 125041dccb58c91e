"""A guard: SEM-F1 and ROUGE of the overlap against human overlaps, out of fold.

    python bench/overlap_quality.py DATA_FOLDER [--readers FOLDER] [--json OUT]

Default settings; SEM-F1 (minilm) and ROUGE (stemming, best F) on the development events, and how
well empty overlaps are told from real ones. Neither measure sees whether a statement is supported,
so they guard and do not steer; `bench/overlap_facts.py` does. FOLDER holds 0.onnx to 3.onnx, the
fold models that docs/reader.md makes; without it the shipped reader is used, which has seen the
events.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground.io import Event, read_events
from commonground.metrics import Rouge, SemF1
from commonground.narratives import Overlap, Overlaps
from commonground.reader import Reader
from training.folds import KNOWN

FILES = ("allsides", "policies")
TYPES = ("rouge1", "rouge2", "rougeL")
_RESAMPLES = 1000


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/*_dev.jsonl")
    parser.add_argument("--readers", type=Path, help="folder with the fold models")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    figures = {}
    for file in FILES:
        events = read_events(arguments.data / "sos" / f"{file}_dev.jsonl")
        results = [_found(name, event, arguments.readers) for name, event in events.items()]
        figures[file] = _figures(list(events.values()), results)
        print(file, *(f"{name} {value:.3f}" for name, value in figures[file].items()), sep="\n  ")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


_finders: dict[int, Overlaps] = {}


def _found(name: str, event: Event, readers: Path | None) -> Overlap:
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    fold = folds.get(name, 0) if readers else -1
    if fold not in _finders:
        weights = readers / f"{fold}.onnx" if readers else None
        _finders[fold] = Overlaps(reader=Reader(weights=weights))
    return _finders[fold].find(event.narratives)


def _figures(events: list[Event], results: list[Overlap]) -> dict[str, float]:
    real = [any(text.strip() for text in event.references) for event in events]
    told = [(e, r) for e, r, there in zip(events, results, real, strict=True) if there]
    summaries = [result.summary for _, result in told]
    references = [[text for text in event.references if text.strip()] for event, _ in told]
    semantic = SemF1().corpus(summaries, references).items
    lexical = Rouge(types=TYPES, stemmer=True).corpus(summaries, references).items
    columns = {"SEM-F1": [one.f1 for one in semantic]}
    columns |= {kind: [one[kind].f1 for one in lexical] for kind in TYPES}
    figures: dict[str, float] = {}
    for name, values in columns.items():
        figures[name] = float(np.mean(values))
        figures[f"{name} low"], figures[f"{name} high"] = _interval(np.array(values))
    figures["events"] = len(told)
    figures["words"] = float(np.mean([len(text.split()) for text in summaries]))
    figures["statements"] = float(np.mean([len(result.statements) for _, result in told]))
    figures["real ones found"] = float(np.mean([bool(text) for text in summaries]))
    empty = [not r.statements for r, there in zip(results, real, strict=True) if not there]
    if empty:
        figures["empty ones found"] = float(np.mean(empty))
        both = figures["real ones found"] + figures["empty ones found"]
        figures["balanced accuracy"] = both / 2
    return figures


def _interval(values: np.ndarray) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    means = values[rng.integers(len(values), size=(_RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
