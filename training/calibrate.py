"""Step 4: fit the calibration on answers that fold models gave to events they had not seen.

    python -m training.calibrate ANSWERS.npz LABELS... (see bench/reader.py, which makes them)

Classes: multinomial logistic regression over the four logits. Words: logistic regression over the
word's logit and the sentence's log odds. Evidence: logistic regression over its logit.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from commonground.reader.calibration import Calibration, log_odds

_RIDGE = 1e-3


def fit_classes(logits: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scale and shift by maximum likelihood, near the identity."""
    count = logits.shape[1]
    target = np.eye(count)[labels]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        scale, shift = flat[: count * count].reshape(count, count), flat[count * count :]
        moved = logits @ scale.T + shift
        moved -= moved.max(axis=1, keepdims=True)
        logs = moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))
        off = (np.exp(logs) - target) / len(labels)
        grown = scale - np.eye(count)
        value = -(logs * target).sum() / len(labels) + _RIDGE * (grown**2).sum()
        return value, np.concatenate([(off.T @ logits + 2 * _RIDGE * grown).ravel(), off.sum(0)])

    start = np.concatenate([np.eye(count).ravel(), np.zeros(count)])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return found.x[: count * count].reshape(count, count), found.x[count * count :]


def fit_logistic(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights and intercept of a logistic regression."""
    rows = np.column_stack([rows, np.ones(len(rows))])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        values = rows @ weights
        chance = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
        value = np.mean(np.logaddexp(0, values) - labels * values)
        return value + _RIDGE * (weights[:-1] ** 2).sum(), rows.T @ (chance - labels) / len(
            labels
        ) + 2 * _RIDGE * np.append(weights[:-1], 0)

    start = np.zeros(rows.shape[1])
    start[0] = 1
    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def fit(
    logits: np.ndarray,
    labels: np.ndarray,
    words: Sequence[np.ndarray],
    marks: Sequence[np.ndarray | None],
    pairs: Sequence[np.ndarray],
    shown: Sequence[np.ndarray | None],
) -> Calibration:
    """Fit everything; a None has no label.

    Args:
        logits: Sentences x classes.
        labels: The class of each sentence.
        words: Word logits of each sentence.
        marks: Whether each word is stated.
        pairs: Evidence logits of each sentence.
        shown: Whether each of these is evidence.
    """
    scale, shift = fit_classes(logits, labels)
    first = Calibration(scale, shift, np.array([1.0, 0, 0, 0]), np.array([1.0, 0]))
    classes = first.classes(logits)
    rows, targets = [], []
    for row, own, mark in zip(classes, words, marks, strict=True):
        if mark is not None:
            context = [log_odds(row[0] + row[1]), log_odds(row[0])]
            rows.append(np.column_stack([own, np.tile(context, (len(own), 1))]))
            targets.append(mark)
    word = fit_logistic(np.concatenate(rows), np.concatenate(targets))
    known = [(a, b) for a, b in zip(pairs, shown, strict=True) if b is not None]
    evidence = fit_logistic(
        np.concatenate([a for a, _ in known])[:, None], np.concatenate([b for _, b in known])
    )
    return Calibration(scale, shift, word, evidence)
