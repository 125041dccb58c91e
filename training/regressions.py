"""Logistic regressions over labelled events, for `training.belief` and `training.conflicts`."""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.encoders import DEFAULT
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.reading import Readings
from commonground.reader import Reader
from commonground.reading import token_encoder
from training.calibrate import fit_logistic
from training.folds import FOLDS, KNOWN
from training.labels import read_lines
from training.prepare import OWN

ROOT = Path(__file__).parent.parent
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """The features of one example, its label, and the fold and group of its event.

    `related` also counts weaker labels, if there are any.
    """

    values: np.ndarray
    label: bool
    fold: int
    group: str
    related: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A labelled event, its narratives, and a reader that was not trained on it."""

    row: Row
    readings: Readings
    facts: list[Facts]
    reader: Reader
    fold: int


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser for the arguments of both scripts."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("data", type=Path)
    arguments.add_argument(
        "readers", type=Path, help="folder with the fold models, 0.onnx to 3.onnx"
    )
    arguments.add_argument("--write", action="store_true", help="write the weights")
    return arguments


def own_events() -> list[Row]:
    """Return the project's own labelled events."""
    texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
    return [{**texts[row["id"]], **row, "group": "own"} for row in read_lines(OWN / "labels.jsonl")]


def opened(labelled: Iterable[Row], readers: Path, written: Iterable[Row] = ()) -> Iterator[Event]:
    """Yield events with their narratives read.

    Labelled events are read by the model of their fold; those without a fold are skipped. Events
    that were written for the project are read by the shipped model, which never saw them.
    """
    encoder = token_encoder(DEFAULT)
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    by_fold = {fold: Reader(weights=readers / f"{fold}.onnx") for fold in range(FOLDS)}
    shipped = Reader()
    rows = [(row, folds.get(row["id"], -1), by_fold) for row in labelled]
    rows += [(row, n % FOLDS, dict.fromkeys(by_fold, shipped)) for n, row in enumerate(written)]
    for row, fold, network in rows:
        if fold >= 0:
            readings = Readings([" ".join(sentences) for sentences in row["narratives"]], encoder)
            yield Event(row, readings, facts_of(readings), network[fold], fold)


def fit(examples: Sequence[Example]) -> np.ndarray:
    """Return the weights of the features and the intercept."""
    values = np.array([example.values for example in examples])
    spread = values.std(axis=0) + 1e-9
    labels = np.array([float(example.label) for example in examples])
    weights = fit_logistic(values / spread, labels)
    return np.append(weights[:-1] / spread, weights[-1])


def out_of_fold(examples: Sequence[Example]) -> np.ndarray:
    """Return the probability of each example from weights fitted without its fold."""
    folds = np.array([example.fold for example in examples])
    values = np.array([[*example.values, 1.0] for example in examples])
    logits = np.zeros(len(examples))
    for fold in range(FOLDS):
        weights = fit([example for example in examples if example.fold != fold])
        logits[folds == fold] = values[folds == fold] @ weights
    return 1 / (1 + np.exp(-logits))


def write(name: str, features: Sequence[str], examples: Sequence[Example]) -> None:
    """Fit all examples and write the weights into the package."""
    pairs = zip((*features, ""), fit(examples), strict=True)
    weights = {feature: round(float(weight), 4) for feature, weight in pairs}
    path = ROOT / f"src/commonground/narratives/data/{name}.json"
    path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
