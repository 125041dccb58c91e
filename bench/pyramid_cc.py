"""Pyramid scores beside human ones: the crypto-currency summaries of the PyrEval paper.

    python bench/pyramid_cc.py DATA_FOLDER

Pearson and Spearman over 37 students for each builder, with bootstrap intervals, beside original
PyrEval and ROUGE recall; units by weight (table 2 of the paper); and the neighbours of the default
setting, since with 37 students a single best setting proves little.
"""

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr, spearmanr

from commonground.metrics import Rouge
from commonground.units import BUILDERS, DEFAULT_BUILDER, Evidence, Pyramid
from commonground.units._counts import scores
from commonground.units._pyramid_soft import clause_count

KINDS = {
    "raw": "totalWeight",
    "quality": "qualityScore",
    "coverage": "coverageScore",
    "comprehensive": "comprehensiveScore",
}
SLOW = ("edua-c-maximal",)  # minutes on these references
PERCENTILES = (75.0, 79.0, 83.0, 87.0, 91.0)


def main() -> None:
    """Print the tables and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with pyramid/cc")
    parser.add_argument("--all", action="store_true", help="also the slow builders")
    arguments = parser.parse_args()
    folder = arguments.data / "pyramid" / "cc"
    references = [_read(path) for path in sorted((folder / "model").glob("*.txt"))]
    human = {row["filename"].split("_")[0]: row for row in _rows(folder, "man_annotation_crypto")}
    students = {
        path.name.split("_")[0]: _read(path) for path in sorted((folder / "peers").glob("*"))
    }
    people = {kind: [float(human[s][key]) for s in students] for kind, key in KINDS.items()}
    judge = Judge(references, students)
    table = {"PyrEval, curated pyramid": _pyreval(folder, students)}
    for kind in ("rouge1", "rouge2"):
        table[f"{kind} recall"] = {"raw": _rouge(kind, students, references)}
    for builder in BUILDERS:
        if builder not in SLOW or arguments.all:
            table[f"{builder}, label"] = judge.scores(builder, 83.0, "label")
    for percentile in PERCENTILES:
        table[f"{DEFAULT_BUILDER}, label, p{percentile:g}"] = judge.scores(
            DEFAULT_BUILDER, percentile, "label"
        )
    for wording in ("mean", "max"):
        name = f"{DEFAULT_BUILDER}, {wording} of contributors"
        table[name] = judge.scores(DEFAULT_BUILDER, 83.0, wording)
    figures = {name: _agreement(found, people) for name, found in table.items()}
    _print(figures, judge.tiers)
    out = Path(__file__).parent / "out" / "pyramid_cc.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"agreement": figures, "tiers": judge.tiers}, indent=2))


class Judge:
    """Scores all students against pyramids of several settings; reads each student once."""

    def __init__(self, references: Sequence[str], students: dict[str, str]) -> None:
        self._references = references
        self._evidence = Evidence()
        self._texts = [self._evidence.read_text(text) for text in students.values()]
        self._counts = [clause_count(text) for text in students.values()]
        self.tiers: dict[str, dict[int, int]] = {}

    def scores(self, builder: str, percentile: float, wording: str) -> dict[str, list[float]]:
        """The four scores of every student; `wording` says what stands for a unit."""
        pyramid = Pyramid.build(self._references, builder=builder, percentile=percentile)
        self.tiers[f"{builder}, p{percentile:g}"] = {w: len(u) for w, u in pyramid.tiers().items()}
        wordings = [
            [unit.label] if wording == "label" else [c.text for c in unit.contributors]
            for unit in pyramid.units
        ]
        read = self._evidence.read_units([text for some in wordings for text in some])
        starts = np.cumsum([0, *map(len, wordings)])[:-1]
        weights = [unit.weight for unit in pyramid.units]
        found: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for text, count in zip(self._texts, self._counts, strict=True):
            each = self._evidence.probabilities(read, text)
            if wording == "max":
                present = np.maximum.reduceat(each, starts)
            else:
                present = np.add.reduceat(each, starts) / np.array(list(map(len, wordings)))
            four = scores(float(present @ weights), count, weights, len(self._references))
            for kind in KINDS:
                found[kind].append(getattr(four, kind))
        return found


def _agreement(
    found: dict[str, list[float]], people: dict[str, list[float]]
) -> dict[str, dict[str, float]]:
    agreement = {}
    for kind, values in found.items():
        low, high = _interval(np.array(values), np.array(people[kind]))
        agreement[kind] = {
            "pearson": float(pearsonr(values, people[kind]).statistic),
            "low": low,
            "high": high,
            "spearman": float(spearmanr(values, people[kind]).statistic),
        }
    return agreement


def _interval(ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float]:
    draws = np.random.default_rng(0).integers(0, len(ours), size=(1000, len(ours)))
    found = [np.corrcoef(ours[draw], theirs[draw])[0, 1] for draw in draws]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _pyreval(folder: Path, students: dict[str, str]) -> dict[str, list[float]]:
    rows = {row["Summary"].split("_")[0]: row for row in _rows(folder, "expected_results")}
    keys = {"raw": "raw", "quality": "quality", "coverage": "coverage"}
    return {kind: [float(rows[s][key]) for s in students] for kind, key in keys.items()}


def _rouge(kind: str, students: dict[str, str], references: list[str]) -> list[float]:
    measure = Rouge(types=(kind,), stemmer=True, multi="mean")
    return [measure.score(text, references)[kind].recall for text in students.values()]


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    lines = _read(folder / "pyreval" / f"{name}.csv").splitlines()
    start = next(place for place, line in enumerate(lines) if "," in line)
    return list(csv.DictReader(lines[start:]))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _print(
    figures: dict[str, dict[str, dict[str, float]]], tiers: dict[str, dict[int, int]]
) -> None:
    print(f"{'Pearson [95% interval] / Spearman':<36}" + "".join(f"{kind:>28}" for kind in KINDS))
    for name, found in figures.items():
        cells = [
            f"{f['pearson']:.2f} [{f['low']:.2f}, {f['high']:.2f}] / {f['spearman']:.2f}"
            if (f := found.get(kind))
            else ""
            for kind in KINDS
        ]
        print(f"{name:<36}" + "".join(f"{cell:>28}" for cell in cells))
    print("\nunits by weight (manual: 34 in all; 0, 3, 5, 26 of weight 5, 4, 3, 2 or less)")
    for name, found in tiers.items():
        print(f"  {name:<22} {sum(found.values())} in all; {found}")


if __name__ == "__main__":
    main()
