"""Step 10: which sentence of a narrative shows a statement.

    python -m training.evidence DATA [--readers FOLDER] [--write] [--every 1]

DATA holds reading/ (labelled events); the project's own events come from data/reading. An example
is a wording that another narrative states, with the sentences there that readers named as evidence.
FOLDER holds 0.onnx to 3.onnx, the fold models: each event is read by a model that was not trained
on it. Without `--readers` the shipped reader is used, which has seen most events, but never a label
of evidence. With `--write` the weights go into the package; the figures are out of fold by event.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from commonground.encoders import DEFAULT
from commonground.narratives.reading import Readings
from commonground.narratives.statements.evidence import (
    CLUES,
    READ,
    Sought,
    clues,
    sentence_alone,
    within,
    worth_reading,
)
from commonground.reader import Reader
from commonground.reading import Document, token_encoder
from commonground.wording import is_content
from training.folds import FOLDS, KNOWN
from training.labels import read_lines
from training.regressions import ROOT, Row, own_events

Readers = Mapping[int, Reader]

MOST = 8  # sentences with the best clues that are read for an example
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A wording that a narrative states, and what is known of each sentence there.

    Attributes:
        sought: The wording and where its evidence is sought.
        values: The clues and the reading of each sentence; the reading is nan if it was not read.
        shows: Whether readers named the sentence as evidence.
        fold: The fold of the event.
        group: Where the event comes from.
    """

    sought: Sought
    values: np.ndarray
    shows: np.ndarray
    fold: int
    group: str


def main() -> None:
    """Collect, print figures out of fold, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path, help="folder with the fold models")
    parser.add_argument("--every", type=int, default=1, help="use every nth event")
    parser.add_argument("--write", action="store_true", help="write the weights")
    arguments = parser.parse_args()
    readers = readers_of(arguments.readers)
    rows = labelled_events(arguments.data)[:: arguments.every]
    found = [case for row in rows for case in wording_cases(row, readers)]
    right = np.mean([case.shows[row] for case, row in zip(found, out_of_fold(found), strict=True)])
    print(f"{len(found):,} wordings; out of fold a sentence that readers name in {right:.3f}")
    if arguments.write:
        names = zip((*CLUES, READ), fit(found), strict=True)
        weights = {name: round(float(weight), 3) for name, weight in names}
        path = ROOT / "src/commonground/narratives/data/evidence.json"
        path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


def readers_of(folder: Path | None) -> dict[int, Reader]:
    """Return a reader for each fold; the shipped one without a folder."""
    if folder is None:
        return dict.fromkeys(range(FOLDS), Reader())
    return {fold: Reader(weights=folder / f"{fold}.onnx") for fold in range(FOLDS)}


def labelled_events(data: Path) -> list[Row]:
    """Return labelled pairs, three-way news and own events, each with its fold and group.

    "unseen" are policies that no reader was trained on.
    """
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    rows = [{**row, "group": row["kind"]} for row in read_lines(data / "reading/pairs.jsonl")]
    rows += [{**row, "group": "three"} for row in read_lines(data / "reading/three_way.jsonl")]
    rows += own_events()
    for number, row in enumerate(rows):
        if row["id"] not in folds:
            row["group"] = "unseen"
        row["fold"] = folds.get(row["id"], number % FOLDS)
    return rows


def wording_cases(row: Row, readers: Readers) -> Iterator[Case]:
    """Yield the wordings of an event that readers cut: what another narrative states."""
    documents = Readings(row["narratives"], token_encoder(DEFAULT)).narratives
    found = [
        (label, sentence if label["label"] == "stated" else label["shared"])
        for label in row["labels"]
        for sentence in [row["narratives"][label["n"]][label["s"]]]
        if label["label"] in ("stated", "partly") and label["evidence"]
    ]
    texts = [text.replace("[", "").replace("]", "") for _, text in found]
    vectors = token_encoder(DEFAULT).encode(texts)
    sought = []
    for (label, _), text, vector in zip(found, texts, vectors, strict=True):
        words = row["narratives"][label["n"]][label["s"]].split()
        marks = zip(words, label["words"], strict=True)
        kept = [n for n, (word, stated) in enumerate(marks) if stated and is_content(word)]
        source = documents[label["n"]]
        sought.append(Sought(text, vector, source, label["s"], kept, documents[label["in"]]))
    named = [label["evidence"] for label, _ in found]
    yield from cases(row, readers[row["fold"]], sought, named)


def cases(
    row: Row, reader: Reader, sought: Sequence[Sought], named: Iterable[Sequence[int]]
) -> Iterator[Case]:
    """Yield the cases of an event, given the sentences that readers named.

    A narrative of one sentence gives no case.
    """
    alone: dict[tuple[Document, int], object] = {}
    for one, evidence in zip(sought, named, strict=True):
        own = clues(one)
        if len(own) < 2:
            continue
        rows = [int(n) for n in np.argsort(-own.sum(axis=1), kind="stable")[:MOST]]
        texts = [
            alone.setdefault((one.narrative, n), sentence_alone(reader, one.narrative, n))
            for n in rows
        ]
        readings = reader.read_each(
            [one.text] * len(rows), texts, np.tile(one.vector, (len(rows), 1))
        )
        read = np.full(len(own), np.nan)
        read[rows] = [within(reading) for reading in readings]
        shows = np.isin(one.narrative.close, evidence)
        yield Case(one, np.column_stack([own, read]), shows, row["fold"], row["group"])


def fit(found: Sequence[Case]) -> np.ndarray:
    """Return the weights with which the named sentences most probably have the highest score.

    The probability of a sentence is the exponential of its score, as a share of all that were read.
    """
    read = [~np.isnan(case.values[:, -1]) for case in found]
    usable = [
        (case.values[rows], case.shows[rows])
        for case, rows in zip(found, read, strict=True)
        if 0 < case.shows[rows].sum() < rows.sum()
    ]
    spread = np.concatenate([values for values, _ in usable]).std(axis=0)
    size = max(len(values) for values, _ in usable)
    inputs = np.zeros((len(usable), size, len(spread)))
    there, shows = np.zeros((2, len(usable), size), dtype=bool)
    for n, (values, own) in enumerate(usable):
        inputs[n, : len(values)], shows[n, : len(values)] = values / spread, own
        there[n, : len(values)] = True

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = np.where(there, inputs @ weights, -np.inf)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        all_of, named = odds.sum(axis=1), (odds * shows).sum(axis=1)
        value = -np.log(named / all_of).mean() + _RIDGE * (weights**2).sum()
        pull = odds / all_of[:, None] - odds * shows / named[:, None]
        slope = np.einsum("cs,csf->f", pull, inputs) / len(inputs)
        return value, slope + 2 * _RIDGE * weights

    return minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B").x / spread


def out_of_fold(found: Sequence[Case], fitted: Sequence[Case] | None = None) -> list[int]:
    """Return the row that the product would show, with weights fitted without the case's fold.

    `fitted` are the cases that the weights are fitted on (default: the same).
    """
    examples = found if fitted is None else fitted
    weights = {
        fold: fit([case for case in examples if case.fold != fold])
        for fold in {case.fold for case in found}
    }
    return [chosen(case, weights[case.fold]) for case in found]


def chosen(case: Case, weights: np.ndarray) -> int:
    """Return the row that the product would show, with these weights."""
    scores = case.values[:, :-1] @ weights[:-1]
    rows = worth_reading(scores)
    read = np.nan_to_num(case.values[rows, -1])
    return rows[int(np.argmax(np.round(scores[rows] + weights[-1] * read, 5)))]


if __name__ == "__main__":
    main()
