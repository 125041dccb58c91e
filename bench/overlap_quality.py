"""How good the overlap is: default settings, out of fold, the same output for all columns.

    python bench/overlap_quality.py DATA_FOLDER [--json OUT]

SEM-F1 (minilm) and ROUGE (stemming, best F) against the human overlaps of the development events;
how well empty overlaps are told from real ones; and support: the share of the summaries' clauses
that every narrative states, by the judge that selects and by vectors that selection never sees
(`static`, from the extra [encoders]).
"""

import argparse
import json
from pathlib import Path

import numpy as np

from _overlap_events import FILES, FOLDS, ROUGE_TYPES, Event, events, fit, folds
from commonground.encoders import load
from commonground.metrics import Rouge, SemF1, Support
from commonground.overlap import Overlap, Overlaps
from commonground.text import segment, split

TARGETS = {"allsides": (0.75, 0.58, 0.47, 0.52), "policies": (0.62, 0.36, 0.17, 0.28)}
Figures = dict[str, float | tuple[float, float]]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/*_dev.jsonl")
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    found = events(arguments.data)
    results = out_of_fold(found)
    figures = {file: _figures(file, found, results) for file in FILES}
    figures["policies"] |= _emptiness(found, results)
    for file, values in figures.items():
        print(f"{file} (targets: SEM-F1, R-1, R-2, R-L {TARGETS[file]})")
        for name, value in values.items():
            shown = (
                f"[{value[0]:.3f}, {value[1]:.3f}]" if isinstance(value, tuple) else f"{value:.3f}"
            )
            print(f"  {name:<34}{shown}")
    _print_cuts(found)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))


def out_of_fold(found: list[Event]) -> list[Overlap]:
    """The overlap of each event, ranked by a model that has not seen it."""
    numbers = folds(found)
    results: dict[int, Overlap] = {}
    for fold in range(FOLDS):
        model = fit([event for event, number in zip(found, numbers, strict=True) if number != fold])
        finder = Overlaps(relevance=model)
        for place in np.flatnonzero(numbers == fold):
            results[int(place)] = finder.find(found[place].narratives)
    return [results[place] for place in range(len(found))]


def _figures(file: str, found: list[Event], results: list[Overlap]) -> Figures:
    told = [
        (event, result)
        for event, result in zip(found, results, strict=True)
        if event.file == file and event.references
    ]
    summaries = [result.summary for _, result in told]
    references = [event.references for event, _ in told]
    semantic = SemF1().corpus(summaries, references).items
    lexical = Rouge(types=ROUGE_TYPES, stemmer=True).corpus(summaries, references).items
    columns = {"SEM-F1": [one.f1 for one in semantic]}
    columns |= {kind: [one[kind].f1 for one in lexical] for kind in ROUGE_TYPES}
    figures: Figures = {}
    for name, values in columns.items():
        figures[name] = float(np.mean(values))
        figures[f"{name} interval"] = _interval(np.array(values))
    figures["events"] = len(told)
    figures["empty summaries"] = sum(not text for text in summaries)
    figures["words"] = float(np.mean([len(text.split()) for text in summaries]))
    figures |= _support(told)
    return figures


def _support(told: list[tuple[Event, Overlap]]) -> Figures:
    """The share of clauses that all narratives support, by two judges.

    The second one is the nearest sentence by static word vectors, which have no part in the
    selection; as the first, it holds what nineteen of twenty clauses reach that people wrote.
    """
    measure = Support()
    same = [
        clause
        for event, result in told
        if result.summary
        for clause in measure.score(result.summary, event.narratives).clauses
    ]
    return {
        "support, same judge": float(np.mean([clause.supported for clause in same])),
        "support, other vectors": _other_support(told),
    }


def _other_support(told: list[tuple[Event, Overlap]]) -> float:
    encoder = load("static")
    people, ours = [], []
    for event, result in told:
        narratives = [encoder.encode([s.text for s in split(text)]) for text in event.narratives]
        for values, texts in ((people, event.references[:3]), (ours, [result.summary])):
            clauses = [part.text for text in texts for one in segment(text) for part in one.finest]
            if clauses:
                vectors = encoder.encode(clauses)
                nearest = [(vectors @ one.T).max(axis=1) for one in narratives]
                values.extend(np.min(nearest, axis=0).tolist())
    return float(np.mean(np.array(ours) >= np.quantile(people, 0.05)))


def _emptiness(found: list[Event], results: list[Overlap]) -> Figures:
    policies = [
        (bool(event.references), result, _nearest(event))
        for event, result in zip(found, results, strict=True)
        if event.file == "policies"
    ]
    real = np.array([near for shared, _, near in policies if shared])
    empty = np.array([near for shared, _, near in policies if not shared])
    kept = np.array([bool(result.summary) for shared, result, _ in policies if shared])
    emptied = np.array([not result.summary for shared, result, _ in policies if not shared])
    random = np.random.default_rng(0)
    areas, balanced = [], []
    for _ in range(1000):
        some, others = (
            random.integers(0, len(real), len(real)),
            random.integers(0, len(empty), len(empty)),
        )
        areas.append(_area(real[some], empty[others]))
        balanced.append((kept[some].mean() + emptied[others].mean()) / 2)
    return {
        "AUC real against empty": _area(real, empty),
        "AUC interval": (float(np.quantile(areas, 0.025)), float(np.quantile(areas, 0.975))),
        "balanced accuracy": float((kept.mean() + emptied.mean()) / 2),
        "balanced accuracy interval": (
            float(np.quantile(balanced, 0.025)),
            float(np.quantile(balanced, 0.975)),
        ),
    }


def _print_cuts(found: list[Event]) -> None:
    """What other cuts and other scores than the cosine would do for emptiness."""
    near = np.array([_nearest(event) for event in found])
    shared = np.array([bool(event.references) for event in found])
    policy = np.array([event.file == "policies" for event in found])
    print("cosine cut   empty found   real lost: policies, AllSides   balanced accuracy (policies)")
    for cut in np.arange(0.40, 0.76, 0.05):
        right = (near < cut)[policy & ~shared]
        lost = (near < cut)[policy & shared]
        accuracy = (right.mean() + 1 - lost.mean()) / 2
        elsewhere = int((near < cut)[~policy].sum())
        print(f"{cut:>10.2f} {right.sum():>13} {lost.sum():>20} {elsewhere:>9} {accuracy:>22.2f}")
    for name, score in (("surest evidence", _surest), ("surest mutual evidence", _mutual)):
        values = np.array([score(event) for event in found])
        area = _area(values[policy & shared], values[policy & ~shared])
        print(f"AUC of the {name} in the cosine's place: {area:.2f}")


def _surest(event: Event) -> float:
    return float(max(event.readings.probabilities(place).max() for place in (0, 1)))


def _mutual(event: Event) -> float:
    """The surest sentence whose evidence is stated by the first narrative as well."""
    there, back = event.readings.compared(0, 1), event.readings.compared(1, 0)
    return float(np.minimum(there.probabilities, back.probabilities[there.shown]).max())


def _nearest(event: Event) -> float:
    """The cosine of the nearest two sentences, on which emptiness is decided."""
    one, other = event.readings.narratives
    return float((one.vectors @ other.vectors.T).max())


def _area(real: np.ndarray, empty: np.ndarray) -> float:
    return float(((real[:, None] > empty) + 0.5 * (real[:, None] == empty)).mean())


def _interval(values: np.ndarray) -> tuple[float, float]:
    draws = np.random.default_rng(0).integers(0, len(values), size=(2000, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
