"""The crypto-currency summaries of the PyrEval paper, and the agreement of scores with people."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr, spearmanr

from commonground.pyramid import Pyramid

KINDS = {
    "raw": "totalWeight",
    "quality": "qualityScore",
    "coverage": "coverageScore",
    "comprehensive": "comprehensiveScore",
}
Scores = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Students:
    """References, students' summaries by name, and their human scores in the same order."""

    folder: Path
    references: list[str]
    summaries: dict[str, str]
    people: Scores

    @classmethod
    def read(cls, data: Path) -> "Students":
        """Read DATA_FOLDER/pyramid/cc."""
        folder = data / "pyramid" / "cc"
        human = {_student(row["filename"]): row for row in rows(folder, "man_annotation_crypto")}
        texts = {_student(path.name): _text(path) for path in sorted((folder / "peers").glob("*"))}
        people = {kind: [float(human[name][key]) for name in texts] for kind, key in KINDS.items()}
        references = [_text(path) for path in sorted((folder / "model").glob("*.txt"))]
        return cls(folder, references, texts, people)

    def original(self) -> Scores:
        """Return the scores of the original PyrEval with a pyramid curated by hand."""
        results = {_student(row["Summary"]): row for row in rows(self.folder, "expected_results")}
        kinds = ("raw", "quality", "coverage")
        return {kind: [float(results[name][kind]) for name in self.summaries] for kind in kinds}

    def scored(
        self, pyramid: Pyramid, method: str | None = None, **choices: object
    ) -> dict[str, list[float]]:
        """Score every student with a pyramid."""
        scorer = pyramid.scorer(method, **choices)  # type: ignore[arg-type]
        results = [scorer.score(text) for text in self.summaries.values()]
        return {kind: [float(getattr(result, kind)) for result in results] for kind in KINDS}

    def agreement(self, scores: Scores) -> dict[str, dict[str, float]]:
        """Return Pearson with its bootstrap interval, and Spearman, for each kind of score."""
        return {kind: _agreement(values, self.people[kind]) for kind, values in scores.items()}


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a file of scores, which may have a title above the header."""
    lines = _text(folder / "pyreval" / f"{name}.csv").splitlines()
    start = next(index for index, line in enumerate(lines) if "," in line)
    return list(csv.DictReader(lines[start:]))


def _agreement(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    first, second = np.array(ours), np.array(theirs)
    draws = np.random.default_rng(0).integers(0, len(first), size=(1000, len(first)))
    low, high = np.quantile(
        [np.corrcoef(first[draw], second[draw])[0, 1] for draw in draws], [0.025, 0.975]
    )
    return {
        "pearson": float(pearsonr(first, second).statistic),
        "low": float(low),
        "high": float(high),
        "spearman": float(spearmanr(first, second).statistic),
    }


def _student(name: str) -> str:
    return name.split("_")[0].removesuffix(".pan")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig", errors="replace")
