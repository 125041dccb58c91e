"""Fit the probability that a text states a unit, on the REALSumm labels, and say how good it is.

    python bench/fit_evidence.py DATA_FOLDER [--write] [--plot PNG]

Figures are out of fold, ten folds of documents. `--write` puts the coefficients, fitted on all
documents, into the package. REALSumm: Bhandari et al. 2020, units and labels as prepared for
Lite3Pyramid (Zhang and Bansal 2021), CC BY 4.0.
"""

import argparse
import json
import time
from pathlib import Path
from types import ModuleType

import numpy as np
from scipy.stats import pearsonr, rankdata

from commonground.errors import MissingExtraError
from commonground.units._features import FEATURES, features
from commonground.units.evidence import Evidence

HERE = Path(__file__).parent
TARGET = HERE.parent / "src/commonground/units/data/evidence.json"
PENALTY = 3.0
FOLDS = 10


def main() -> None:
    """Read, fit, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with scu/REALSumm")
    parser.add_argument("--write", action="store_true", help="write the package's coefficients")
    parser.add_argument("--plot", type=Path, help="draw the reliability here (needs [plots])")
    arguments = parser.parse_args()
    if arguments.plot:
        _pyplot()  # said now rather than after the work
    rows, labels, documents, systems, rate = _examples(arguments.data / "scu" / "REALSumm")
    folds = documents % FOLDS
    probabilities = np.zeros(len(labels))
    for fold in range(FOLDS):
        inside = folds != fold
        intercept, weights = fit(rows[inside], labels[inside])
        probabilities[~inside] = 1 / (1 + np.exp(-intercept - rows[~inside] @ weights))
    figures = {
        "pairs": len(labels),
        "auc": auc(probabilities, labels),
        "expected_calibration_error": calibration_error(probabilities, labels),
        **correlations(probabilities, labels, documents, systems),
        "pairs_per_second": rate,
    }
    for name, value in figures.items():
        print(f"{name:<28} {value:,.3f}")
    for place, name in enumerate(FEATURES):
        alone = auc(rows[:, place], labels)
        print(f"  {name:<32} alone {max(alone, 1 - alone):.3f}")
    out = HERE / "out" / "fit_evidence.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if arguments.plot:
        plot(probabilities, labels, arguments.plot)
    if arguments.write:
        intercept, weights = fit(rows, labels)
        _write(intercept, weights, figures)


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


def calibration_error(probabilities: np.ndarray, labels: np.ndarray) -> float:
    """Ten bins: the mean distance of the share of present units from the mean probability."""
    bins = np.minimum((probabilities * 10).astype(int), 9)
    return sum(
        abs(probabilities[bins == b].mean() - labels[bins == b].mean()) * float((bins == b).mean())
        for b in range(10)
        if (bins == b).any()
    )


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


def _examples(
    folder: Path,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    judge = Evidence()
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt")]
    read = [judge.read_units(some) for some in units]
    rows, labels, documents, systems = [], [], [], []
    seconds = 0.0
    for number, path in enumerate(sorted((folder / "summaries").glob("*.summary"))):
        present = _lines(folder / "labels" / f"{path.stem}.label")
        for document, summary in enumerate(_lines(path)):
            text = judge.read_text(" ".join(summary.split()))
            start = time.perf_counter()
            found, _ = features(read[document], text)
            seconds += time.perf_counter() - start
            rows.append(found)
            labels += [int(label) for label in present[document].split("\t")]
            documents += [document] * len(found)
            systems += [number] * len(found)
    return (
        np.concatenate(rows),
        np.array(labels),
        np.array(documents),
        np.array(systems),
        len(labels) / seconds,
    )


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def _write(intercept: float, weights: np.ndarray, figures: dict[str, float]) -> None:
    content = {
        "what": "logistic regression: the probability that a text states a unit",
        "fitted_by": "bench/fit_evidence.py",
        "fitted_on": "REALSumm (Bhandari et al. 2020), CC BY 4.0: 26,400 labels of 1,056 content "
        "units in 2,500 summaries",
        "encoder": Evidence().encoder.name,
        "out_of_fold": {
            key: round(figures[key], 4) for key in ("auc", "expected_calibration_error")
        },
        "intercept": round(intercept, 6),
        "weights": dict(zip(FEATURES, np.round(weights, 6).tolist(), strict=True)),
    }
    TARGET.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
