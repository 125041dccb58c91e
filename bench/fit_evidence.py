"""Fit the probability that a text states a unit on the REALSumm labels, and evaluate it.

    python bench/fit_evidence.py DATA_FOLDER [--write] [--plot PNG]

Figures are out of fold, ten folds of documents. `--write` puts the coefficients, fitted on all
documents, into the package. It takes about ten minutes. REALSumm: Bhandari et al. 2020, units and
labels as prepared for Lite3Pyramid (Zhang and Bansal 2021), CC BY 4.0.
"""

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
from scipy.stats import pearsonr, rankdata

from _calibration import calibration_error
from _evidence_network import fit as fit_network
from commonground.errors import MissingExtraError
from commonground.pyramid.evidence import FEATURES, Evidence
from commonground.pyramid.evidence.features import Features, features
from commonground.pyramid.evidence.network import Coefficients, probabilities

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/commonground/pyramid/data/evidence.json"
STARTS = 5  # networks that are averaged
FOLDS = 10
PENALTY = 3.0  # the ridge of the plain regression


@dataclass(frozen=True)
class Examples:
    """Units in summaries: the features for each summary, and the human labels."""

    found: list[Features]
    labels: np.ndarray
    documents: np.ndarray
    systems: np.ndarray
    seconds: float

    @property
    def rows(self) -> np.ndarray:
        """Return the features of the units, without those of their words."""
        return np.concatenate([found.rows for found in self.found])

    def of(self, wanted: np.ndarray) -> tuple[Features, np.ndarray]:
        """Return the examples of some documents as if of one text, and their labels."""
        kept = [found for found, own in zip(self.found, self._starts(), strict=True) if wanted[own]]
        joined = (
            np.concatenate([getattr(found, part) for found in kept])
            for part in ("rows", "size", "words", "counts", "shown")
        )
        return Features(*joined), self.labels[wanted]

    def _starts(self) -> np.ndarray:
        sizes = np.array([len(found.rows) for found in self.found])
        return np.cumsum(sizes) - sizes


def main() -> None:
    """Fit the model and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with scu/REALSumm")
    parser.add_argument("--write", action="store_true", help="write the package's coefficients")
    parser.add_argument("--plot", type=Path, help="draw the reliability here (needs [plots])")
    arguments = parser.parse_args()
    if arguments.plot:
        _pyplot()  # fail before the work
    examples = _examples(arguments.data / "scu" / "REALSumm")
    labels, documents = examples.labels, examples.documents
    chances = np.zeros(len(labels))
    for fold in range(FOLDS):
        inside = documents % FOLDS != fold
        chances[~inside] = probabilities(examples.of(~inside)[0], fitted(examples, inside))
    final = fitted(examples, np.ones(len(labels), dtype=bool))
    figures = {
        "pairs": len(labels),
        "auc": auc(chances, labels),
        "expected_calibration_error": calibration_error(chances, labels),
        **correlations(chances, labels, documents, examples.systems),
        "pairs_per_second": rate(examples, final),
    }
    for name, value in figures.items():
        print(f"{name:<28} {value:,.3f}")
    for column, name in enumerate(FEATURES):
        alone = auc(examples.rows[:, column], labels)
        print(f"  {name:<32} alone {max(alone, 1 - alone):.3f}")
    out = HERE / "out" / "fit_evidence.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if arguments.plot:
        plot(chances, labels, arguments.plot)
    if arguments.write:
        _write(final, figures)


def fitted(examples: Examples, wanted: np.ndarray) -> Coefficients:
    """Fit the regression and networks from different starts on some of the examples."""
    found, labels = examples.of(wanted)
    networks = tuple(fit_network(found, labels, start) for start in range(STARTS))
    return Coefficients(*fit(found.rows, labels), networks)


def rate(examples: Examples, final: Coefficients) -> float:
    """Return pairs per second, without preparing units and texts."""
    start = time.perf_counter()
    for found in examples.found:
        probabilities(found, final)
    return len(examples.labels) / (examples.seconds + time.perf_counter() - start)


def fit(rows: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """Logistic regression with a ridge on standardised features, by Newton's method."""
    centre, scale = rows.mean(axis=0), rows.std(axis=0)
    design = np.hstack([np.ones((len(rows), 1)), (rows - centre) / scale])
    ridge = PENALTY * np.eye(design.shape[1])
    ridge[0, 0] = 0
    weights = np.zeros(design.shape[1])
    for _ in range(25):
        expected = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (expected - labels) + ridge @ weights
        curvature = (design * (expected * (1 - expected))[:, None]).T @ design + ridge
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-10:
            break
    slopes = weights[1:] / scale
    return float(weights[0] - slopes @ centre), slopes


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """The chance that a present unit scores above an absent one."""
    positive = int(labels.sum())
    ranks = rankdata(scores)[labels == 1].sum()
    return float((ranks - positive * (positive + 1) / 2) / (positive * (len(labels) - positive)))


def correlations(
    probabilities: np.ndarray, labels: np.ndarray, documents: np.ndarray, systems: np.ndarray
) -> dict[str, float]:
    """Pearson of the units' mean probability with the share of present units."""
    shape = (systems.max() + 1, documents.max() + 1)
    ours, human = np.zeros(shape), np.zeros(shape)
    for system, document in np.ndindex(*shape):
        here = (systems == system) & (documents == document)
        ours[system, document] = probabilities[here].mean()
        human[system, document] = labels[here].mean()
    by_document = [
        pearsonr(ours[:, d], human[:, d]).statistic for d in range(shape[1]) if np.ptp(human[:, d])
    ]
    return {
        "system_pearson": float(pearsonr(ours.mean(axis=1), human.mean(axis=1)).statistic),
        "summary_pearson": float(np.mean(by_document)),
    }


def plot(probabilities: np.ndarray, labels: np.ndarray, path: Path) -> None:
    """The reliability diagram: said beside true, and below it how many pairs each bin has."""
    pyplot = _pyplot()
    bins = np.minimum((probabilities * 10).astype(int), 9)
    filled = [b for b in range(10) if (bins == b).any()]
    said = [probabilities[bins == b].mean() for b in filled]
    true = [labels[bins == b].mean() for b in filled]
    counts = np.bincount(bins, minlength=10)
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(5.5, 7), sharex=True, height_ratios=[3, 1], layout="constrained"
    )
    above.plot([0, 1], [0, 1], color="0.6", linestyle="--", label="perfect calibration")
    above.plot(said, true, marker="o", color="tab:blue", label="out of fold, ten bins")
    error = calibration_error(probabilities, labels)
    above.text(0.97, 0.05, f"expected calibration error {error:.3f}", ha="right")
    above.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    above.set_ylabel("share that people labelled present")
    above.legend(frameon=False, loc="upper left")
    bars = below.bar(np.arange(10) / 10 + 0.05, counts, width=0.09, color="tab:blue", alpha=0.5)
    below.bar_label(bars, [f"{count:,}" for count in counts], fontsize=7, padding=2)
    below.set_ylim(0, counts.max() * 1.15)
    below.set_xlabel("predicted probability that the summary states the unit")
    below.set_ylabel("unit-summary pairs")
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _pyplot() -> ModuleType:
    try:
        import matplotlib
    except ImportError:
        raise SystemExit(str(MissingExtraError("a plot", "plots"))) from None
    matplotlib.use("Agg")  # a file is all that is wanted, and there may be no display
    from matplotlib import pyplot

    return pyplot


def _examples(folder: Path) -> Examples:
    judge = Evidence()
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt")]
    read = [judge.read_units(some) for some in units]
    found, labels, documents, systems = [], [], [], []
    seconds = 0.0
    for number, path in enumerate(sorted((folder / "summaries").glob("*.summary"))):
        present = _lines(folder / "labels" / f"{path.stem}.label")
        for document, summary in enumerate(_lines(path)):
            text = judge.read_text(" ".join(summary.split()))
            start = time.perf_counter()
            found.append(features(read[document], text))
            seconds += time.perf_counter() - start
            labels += [int(label) for label in present[document].split("\t")]
            documents += [document] * len(units[document])
            systems += [number] * len(units[document])
    return Examples(found, np.array(labels), np.array(documents), np.array(systems), seconds)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def _write(final: Coefficients, figures: dict[str, float]) -> None:
    content = {
        "what": "the probability that a text states a unit: a regression and small networks",
        "fitted_by": "bench/fit_evidence.py",
        "fitted_on": "REALSumm (Bhandari et al. 2020), CC BY 4.0: 26,400 labels of 1,056 content "
        "units in 2,500 summaries",
        "encoder": Evidence().encoder.name,
        "out_of_fold": {
            key: round(figures[key], 4) for key in ("auc", "expected_calibration_error")
        },
        **final.to_dict(),
    }
    text = json.dumps(content, separators=(",", ":"))
    for key in (
        *content,
        "word",
        "score",
        "deep",
        "out",
    ):  # a line for each part, so that changes show
        text = text.replace(f'"{key}":', f'\n"{key}":')
    TARGET.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
