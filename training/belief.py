"""Step 8: how far to believe that a narrative states a cut in full.

    python -m training.belief DATA READERS [--write] [--every 1]

READERS holds 0.onnx to 3.onnx, the fold models: each labelled event is read by a model that was not
trained on it. Every wording that the product would look at is an example for each other narrative:
stated in full if all its content words are labelled as stated there. With `--write` the weights go
into the package; figures are out of fold.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from commonground.encoders import DEFAULT
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import conflicts_of
from commonground.narratives.reading import Readings
from commonground.narratives.statements.belief import FEATURES
from commonground.narratives.statements.find import Finder
from commonground.reader import Reader
from commonground.reading import token_encoder
from training.calibrate import fit_logistic
from training.figures import auc
from training.folds import FOLDS, KNOWN
from training.labels import read_lines
from training.prepare import OWN, news_events, policy_events

TARGET = Path(__file__).parent.parent / "src/commonground/narratives/data/belief.json"


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A cut and a narrative: what is known of them, and whether it states the cut in full."""

    values: np.ndarray
    full: bool
    fold: int
    group: str
    text: str


def main() -> None:
    """Collect, fit, print figures out of fold, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("readers", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    examples = list(collected(arguments.data, arguments.readers, arguments.every))
    print(f"{len(examples):,} cuts, {np.mean([one.full for one in examples]):.2f} stated in full")
    print_figures(examples)
    if arguments.write:
        weights = fit(examples)
        named = {name: round(float(w), 4) for name, w in zip((*FEATURES, ""), weights, strict=True)}
        TARGET.write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")


def collected(data: Path, readers: Path, every: int) -> Iterator[Example]:
    """Every wording of every labelled event, for each other narrative."""
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    encoder = token_encoder(DEFAULT)
    network = {fold: Reader(weights=readers / f"{fold}.onnx") for fold in range(FOLDS)}
    for number, row in enumerate(labelled_events(data)):
        fold = folds.get(row["id"], -1)
        if number % every or fold < 0:
            continue
        texts = [" ".join(sentences) for sentences in row["narratives"]]
        readings = Readings(texts, encoder)
        facts = facts_of(readings)
        conflicts = [conflict for _, conflict in conflicts_of(facts)]
        disputed = Disputed(readings, facts, conflicts)
        finder = Finder(readings, network[fold], 2, disputed)
        yield from _examples(row, readings, finder, fold)


def labelled_events(data: Path) -> list[dict]:
    """Labelled pairs, three-way and other news, policies in new pairs, the project's own events."""
    texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
    own = [{**texts[row["id"]], **row} for row in read_lines(OWN / "labels.jsonl")]
    found = [{**row, "group": row["kind"]} for row in read_lines(data / "reading/pairs.jsonl")]
    found += [{**row, "group": "three"} for row in read_lines(data / "reading" / "three_way.jsonl")]
    found += [{**row, "group": "policy"} for row in policy_events(data)]
    found += [{**row, "group": "news"} for row in news_events(data)]
    return [*found, *({**row, "group": "own"} for row in own)]


def _examples(row: dict, readings: Readings, finder: Finder, fold: int) -> Iterator[Example]:
    labels = {(one["n"], one["s"], one["in"]): one for one in row["labels"]}
    starts = [
        {start: k for k, start in enumerate(_starts(sentences))} for sentences in row["narratives"]
    ]
    for place, narrated in enumerate(readings.narratives):
        for one in finder.judged(place):
            sentence = narrated.sentences[narrated.close[one.candidate.row]]
            s = starts[place].get(sentence.start)
            if s is None or row["narratives"][place][s].split() != sentence.text.split():
                continue  # the product splits this sentence otherwise
            for other, values in one.features.items():
                label = labels.get((place, s, other))
                if label is None or label["label"] == "nothing":
                    continue
                marks = label["words"]
                full = label["label"] == "stated" or bool(
                    marks and all(marks[k] for k in one.candidate.kept if k < len(marks))
                )
                yield Example(values, full, fold, row["group"], one.text)


def _starts(sentences: Sequence[str]) -> list[int]:
    return [sum(len(one) + 1 for one in sentences[:k]) for k in range(len(sentences))]


def fit(examples: Sequence[Example]) -> np.ndarray:
    """Weights of the features and the intercept."""
    values = np.array([one.values for one in examples])
    spread = values.std(axis=0) + 1e-9
    weights = fit_logistic(values / spread, np.array([float(one.full) for one in examples]))
    return np.append(weights[:-1] / spread, weights[-1])


def print_figures(examples: Sequence[Example]) -> None:
    """AUC, calibration and precision of the belief beside those of the reader's own answer."""
    chances, full, groups, raw = [], [], [], []
    for fold in range(FOLDS):
        weights = fit([one for one in examples if one.fold != fold])
        for one in (one for one in examples if one.fold == fold):
            chances.append(1 / (1 + np.exp(-(one.values @ weights[:-1] + weights[-1]))))
            raw.append(1 / (1 + np.exp(-one.values[0])))
            full.append(one.full)
            groups.append(one.group)
    truth, kind = np.array(full), np.array(groups)
    for name, score in (("belief", np.array(chances)), ("reader", np.array(raw))):
        for group in (*sorted(set(groups)), ""):
            some = (kind == group) | (group == "")
            line = [auc(truth[some], score[some])]
            for bar in (0.4, 0.5, 0.6, 0.7):
                told = some & (score >= bar)
                line += [truth[told].mean(), truth[told].sum() / truth[some].sum()]
            print(f"{name} {group:8} auc {line[0]:.3f}", *(f"{value:.2f}" for value in line[1:]))


if __name__ == "__main__":
    main()
