"""Step 6: fit the calibration on answers that fold models gave to events they had not seen.

    python -m training.calibrate DATA [--write]

Reads the labels of DATA and data/reading and the answers of data/reader/answers.npz. With `--write`
the numbers go into the package; `bench/reader.py` fits them across folds to report figures.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from commonground.reader.calibration import Calibration, features, log_odds
from training.items import PARTLY
from training.labelled import NATURAL, Row, labelled_rows

TARGET = Path(__file__).parent.parent / "src/commonground/reader/data/calibration.json"
_RIDGE = 1e-3


def main() -> None:
    """Fit on everything that fold models answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = [row for row in labelled_rows(arguments.data) if row.raw.fold >= 0]
    text = json.dumps(fit(rows).to_dict(), indent=1)
    if arguments.write:
        TARGET.write_text(text + "\n", encoding="utf-8")
    print(text)


def fit(rows: Sequence[Row]) -> Calibration:
    """Fit labels, words and evidence on rows of natural texts.

    The project's own events have far more conflicts than texts that people bring.
    """
    natural = [row for row in rows if row.source in NATURAL]
    inputs = np.array([row_features(row) for row in natural])
    classes = fit_softmax(inputs, np.array([row.label for row in natural]))
    first = Calibration(classes, *(np.zeros(n) for n in (4, 3, 3)))
    words, marks, pairs, shown, parts, kept = [], [], [], [], [], []
    for row, label in zip(natural, first.label(inputs), strict=True):
        if row.marks is not None:
            context = [log_odds(label[0] + label[1]), log_odds(label[0])]
            count = len(row.raw.words)
            words.append(np.column_stack([row.raw.words, np.tile(context, (count, 1))]))
            marks.append(row.marks)
            if row.label == PARTLY:
                mean = np.full(count, row.raw.words.mean())
                parts.append(np.column_stack([row.raw.words, mean]))
                kept.append(row.marks)
        if row.evidence:
            cosines = row.raw.cosines
            pairs.append(np.column_stack([cosines, cosines - cosines.max()]))
            shown.append(np.isin(np.arange(len(cosines)), row.evidence))
    return Calibration(
        classes,
        fit_logistic(np.concatenate(words), np.concatenate(marks)),
        fit_logistic(np.concatenate(parts), np.concatenate(kept)),
        fit_logistic(np.concatenate(pairs), np.concatenate(shown)),
    )


def row_features(row: Row) -> np.ndarray:
    """The features of one labelled sentence."""
    return features(row.raw.classes, row.raw.words, float(row.raw.cosines.max()))


def fit_softmax(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """A multinomial logistic regression with a small ridge: classes x (features and 1)."""
    centre, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    inputs = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    target = np.eye(4)[labels]
    free = np.append(np.ones(rows.shape[1]), 0)  # the intercept is not held back

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(4, -1)
        moved = inputs @ weights.T
        logs = moved - np.logaddexp.reduce(moved, axis=1, keepdims=True)
        off = (np.exp(logs) - target) / len(labels)
        value = -(logs * target).sum() / len(labels) + _RIDGE * (free * weights**2).sum()
        return value, (off.T @ inputs + 2 * _RIDGE * free * weights).ravel()

    start = np.zeros(4 * inputs.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    weights = found.x.reshape(4, -1)
    scaled = weights[:, :-1] / spread
    return np.column_stack([scaled, weights[:, -1] - scaled @ centre])


def fit_logistic(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights and intercept of a logistic regression with a small ridge."""
    inputs = np.column_stack([rows, np.ones(len(rows))])
    free = np.append(np.ones(rows.shape[1]), 0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        values = inputs @ weights
        off = (1 / (1 + np.exp(-np.clip(values, -30, 30))) - labels) / len(labels)
        value = np.mean(np.logaddexp(0, values) - labels * values)
        value += _RIDGE * (free * weights**2).sum()
        return value, inputs.T @ off + 2 * _RIDGE * free * weights

    return minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x


if __name__ == "__main__":
    main()
