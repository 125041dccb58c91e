"""Fit the ranking of the overlap on the development events.

    python bench/fit_overlap.py DATA_FOLDER [--write]

Ridge regression of what a sentence is worth as a summary by itself (half SEM-F1, half ROUGE,
against human overlaps) on its signals. Prints how well the ranking does out of fold, where the
clauses that people wrote lie, in their own event and in another; `--write` puts the coefficients
into the package.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from _overlap_events import FILES, FOLDS, RIDGE, Event, events, fit, folds
from commonground.overlap._signals import SIGNALS
from commonground.text import segment

PLACE = Path(__file__).parents[1] / "src/commonground/overlap/data/relevance.json"


def main() -> None:
    """Print what was found and write the coefficients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/*_dev.jsonl")
    parser.add_argument("--write", action="store_true", help="put them into the package")
    arguments = parser.parse_args()
    found = events(arguments.data)
    _ranking(found)
    _clauses(found)
    if arguments.write:
        model = fit(found)
        content = {
            "provenance": "bench/fit_overlap.py on the development events of AllSides and of the "
            f"privacy policies ({len(found)} pairs); ridge {RIDGE:g}",
            "base": model.base,
            "weights": dict(zip(SIGNALS, model.weights.tolist(), strict=True)),
        }
        PLACE.parent.mkdir(exist_ok=True)
        PLACE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        print(f"written: {PLACE.name}")


def _ranking(found: list[Event]) -> None:
    numbers = folds(found)
    gained: dict[str, list[tuple[float, float, float]]] = {file: [] for file in FILES}
    for fold in range(FOLDS):
        model = fit([event for event, n in zip(found, numbers, strict=True) if n != fold])
        for event, number in zip(found, numbers, strict=True):
            if number == fold and len(event.worth):
                best = event.worth[model.of(event.signals).argmax()]
                gained[event.file].append((best, event.worth.max(), event.worth.mean()))
    print("worth of the sentence ranked first, of the best one, of the mean one (out of fold)")
    for file, values in gained.items():
        print(f"  {file:<10}" + "".join(f"{value:8.3f}" for value in np.mean(values, axis=0)))


def _clauses(found: list[Event]) -> None:
    print("probability that both narratives state a clause that people wrote of their event, and")
    print("of the event before it in the file: 5%, 10%, 50%, 90%, 95%")
    for file in FILES:
        some = [event for event in found if event.file == file]
        for name, shift in (("own", 0), ("other", 1)):
            values = [
                value
                for event, other in zip(some, some[shift:] + some[:shift], strict=True)
                for value in _stated(event.references[:3], other)
            ]
            quantiles = np.quantile(values, [0.05, 0.1, 0.5, 0.9, 0.95])
            print(f"  {file:<10}{name:<8}" + "".join(f"{value:8.3f}" for value in quantiles))


def _stated(texts: list[str], event: Event) -> list[float]:
    """How likely both narratives of an event state each clause of some texts."""
    judge = event.readings.judge
    clauses = [part.text for text in texts for found in segment(text) for part in found.finest]
    judged = judge.judge(
        judge.evidence.read_units(clauses), [one.text for one in event.readings.narratives]
    )
    return np.min([one.compared.probabilities for one in judged], axis=0).tolist()


if __name__ == "__main__":
    main()
