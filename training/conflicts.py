"""Step 9: how likely two near sentences contradict each other.

    python -m training.conflicts DATA READERS [--write]

READERS holds 0.onnx to 3.onnx, the fold models: each labelled event is read by a model that was not
trained on it. An example is a pair of near sentences; it is right if
readers listed the pair as a plain contradiction. The examples that the rules were made with are
added, read by the shipped model, which never saw them. With `--write` the weights go into the
package; the figures are out of fold.
"""

import argparse
import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from commonground.encoders import DEFAULT, TokenEncoder
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import Meeting, Place, meetings_of
from commonground.narratives.conflicts.likely import FEATURES, measured
from commonground.narratives.reading import Readings
from commonground.narratives.statements.find import Finder
from commonground.reader import Reader
from commonground.reading import token_encoder
from commonground.text import sentences
from training.calibrate import fit_logistic
from training.figures import auc
from training.folds import FOLDS, KNOWN
from training.labels import read_lines
from training.prepare import OWN

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/commonground/narratives/data/conflicts.json"
WRITTEN = ("conflicts.jsonl", "conflict_narratives.jsonl", "conflict_narratives_more.jsonl")
BARS = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """Two sentences: their features and labels.

    `plain` if they were listed as a plain contradiction; `right` also if they were listed as
    another emphasis, or if one was labelled as contradicted by the narrative of the other.
    """

    values: np.ndarray
    plain: bool
    right: bool
    fold: int
    group: str


def main() -> None:
    """Collect, fit, print figures out of fold, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("readers", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    examples = list(collected(given.data, given.readers))
    print(f"{len(examples):,} pairs, {sum(one.plain for one in examples):,} plain contradictions")
    print_figures(examples)
    if given.write:
        weights = fit(examples)
        named = {name: round(float(w), 4) for name, w in zip((*FEATURES, ""), weights, strict=True)}
        TARGET.write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")


def collected(data: Path, readers: Path) -> Iterator[Example]:
    """Every pair of near sentences of every event."""
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    encoder = token_encoder(DEFAULT)
    network = {fold: Reader(weights=readers / f"{fold}.onnx") for fold in range(FOLDS)}
    shipped = Reader()
    for row in labelled_events(data):
        fold = folds.get(row["id"], -1)
        if fold >= 0:
            yield from _examples(row, encoder, network[fold], fold)
    for number, row in enumerate(written_events()):
        yield from _examples(row, encoder, shipped, number % FOLDS)


def labelled_events(data: Path) -> list[dict[str, Any]]:
    """News and policies in pairs, three-way news, rumours, the project's own events."""
    texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
    own = [{**texts[row["id"]], **row, "group": "own"} for row in read_lines(OWN / "labels.jsonl")]
    found = []
    for name in ("pairs", "three_way", "rumours"):
        rows = read_lines(data / "reading" / f"{name}.jsonl")
        found += [{**row, "group": name} for row in rows]
    return [*found, *own]


def written_events() -> Iterator[dict[str, Any]]:
    """Texts written to make the rules, labelled as the events are."""
    for row in (row for name in WRITTEN for row in read_lines(ROOT / "examples" / name)):
        narratives = [sentences(one["text"]) for one in row["narratives"]]
        conflicts = []
        for one in row["conflicts"]:
            wanted = list(zip(one["values"], one.get("places", ("", "")), strict=True))
            sides = [
                [s for s, text in enumerate(some) if value in text and place in text]
                for some, (value, place) in zip(narratives, wanted, strict=True)
            ]
            conflicts += [{"left": a, "right": b, "hard": True} for a in sides[0] for b in sides[1]]
        yield {"narratives": narratives, "conflicts": conflicts, "labels": [], "group": "written"}


def _examples(
    row: dict[str, Any], encoder: TokenEncoder, reader: Reader, fold: int
) -> Iterator[Example]:
    readings = Readings([" ".join(some) for some in row["narratives"]], encoder)
    facts = facts_of(readings)
    read = Finder(readings, reader, 2, Disputed(readings, facts, ())).read
    starts = [[0, *accumulate(len(one) + 1 for one in some)][:-1] for some in row["narratives"]]
    listed = {frozenset(places_of(one)): one["hard"] for one in row["conflicts"]}
    against = {
        (one["n"], one["s"], one["in"]) for one in row["labels"] if one["label"] == "contradicted"
    }
    for meeting, values in measured(facts, meetings_of(facts), read, reader, 0.0):
        one, other = _labelled_places(meeting, readings, starts)
        hard = listed.get(frozenset((one, other)))
        right = hard is not None or not against.isdisjoint({(*one, other[0]), (*other, one[0])})
        yield Example(values, bool(hard), right, fold, row["group"])


def places_of(conflict: dict[str, Any]) -> tuple[Place, Place]:
    """Narrative and sentence of both sides; pairs of two and sets of three are written apart."""
    if "left" in conflict:
        return (0, conflict["left"]), (1, conflict["right"])
    one, other = (tuple(conflict[side]) for side in ("a", "b"))
    return one, other


def _labelled_places(
    meeting: Meeting, readings: Readings, starts: Sequence[Sequence[int]]
) -> list[Place]:
    """The sentences of a meeting, as the labels number them."""
    found = []
    for narrative, row in meeting.places:
        narrated = readings.narratives[narrative]
        start = narrated.sentences[narrated.close[row]].start
        found.append((narrative, bisect_right(starts[narrative], start) - 1))
    return found


def fit(examples: Sequence[Example]) -> np.ndarray:
    """Weights of the features and the intercept."""
    values = np.array([one.values for one in examples])
    spread = values.std(axis=0) + 1e-9
    weights = fit_logistic(values / spread, np.array([float(one.plain) for one in examples]))
    return np.append(weights[:-1] / spread, weights[-1])


def print_figures(examples: Sequence[Example]) -> None:
    """For each group and threshold: pairs reported, right ones, plain contradictions."""
    chances = np.zeros(len(examples))
    for fold in range(FOLDS):
        weights = fit([one for one in examples if one.fold != fold])
        for number, one in enumerate(examples):
            if one.fold == fold:
                chances[number] = 1 / (1 + np.exp(-(one.values @ weights[:-1] + weights[-1])))
    plain, right = (
        np.array([getattr(one, name) for one in examples]) for name in ("plain", "right")
    )
    groups = np.array([one.group for one in examples])
    print(f"{'from a probability of':28}" + "".join(f"{bar:>16}" for bar in BARS))
    for group in sorted(set(groups)):
        some = groups == group
        cells = []
        for bar in BARS:
            told = some & (chances >= bar)
            cells.append(f"{told.sum():>6}{right[told].sum():>5}{plain[told].sum():>5}")
        print(f"{group:12} auc {auc(plain[some], chances[some]):.2f} {'':7}" + "".join(cells))


if __name__ == "__main__":
    main()
