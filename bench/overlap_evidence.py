"""How often is the sentence shown as evidence one that readers name?

    python bench/overlap_evidence.py DATA [--readers FOLDER] [--wordings] [--every 1] [--json FILE]

DATA holds reading/ (labelled events); the project's own events come from data/reading. A case is a
statement of the overlap that its labels support in full, in another narrative. With `--wordings` it
is a wording that readers cut, which is faster. Readers named the sentences that show it.

Rules that are compared, the fitted one with weights of events from other folds:
- *cosine*: the highest cosine to the statement
- *former*: the highest sum of cosine and mean word support among the three nearest (the rule until
  this one was fitted)
- *clues*: the fitted rule without reading
- *fitted*: the rule of the product

*one* counts cases where readers named one sentence, *any* all cases. The interval is of the
difference between *fitted* and *former*, over events. Without `--readers` (fold models, as in
docs/reader.md) the shipped reader is used, which has seen all events but the "unseen" ones.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from commonground.encoders import DEFAULT
from commonground.narratives.comparison import facts_of
from commonground.narratives.conflicts.disputed import Disputed
from commonground.narratives.conflicts.find import conflicts_of
from commonground.narratives.reading import Readings
from commonground.narratives.statements.evidence import Sought, sentence_alone
from commonground.narratives.statements.find import STRICTNESS, Finder
from commonground.reader import Reader
from commonground.reading import token_encoder
from training.evidence import (
    Case,
    Readers,
    cases,
    chosen,
    fit,
    labelled_events,
    readers_of,
    wording_cases,
)
from training.folds import FOLDS
from training.regressions import Row

_NEAR, _CLOSE = 3, 0.15  # of the former rule
_DRAWS = 2000


def main() -> None:
    """Print a line for each group of events and rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--wordings", action="store_true", help="wordings that readers cut")
    parser.add_argument("--every", type=int, default=1, help="use every nth event")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    readers = readers_of(given.readers)
    rows = labelled_events(given.data)[:: given.every]
    examples, tested, right, events = [], [], defaultdict(list), []
    for row in rows:
        wordings = list(wording_cases(row, readers))
        examples += wordings
        found = wordings if given.wordings else list(statement_cases(row, readers))
        tested += found
        events += [row["id"]] * len(found)
        right["former"] += right_former(readers[row["fold"]], found)
    weights = {fold: fit([one for one in examples if one.fold != fold]) for fold in range(FOLDS)}
    for case in tested:
        own = weights[case.fold]
        right["cosine"].append(case.shows[int(cosines(case).argmax())])
        right["clues"].append(case.shows[int((case.values[:, :-1] @ own[:-1]).argmax())])
        right["fitted"].append(case.shows[chosen(case, own)])
    table = summed(tested, {name: np.array(values) for name, values in right.items()}, events)
    if given.json:
        given.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def statement_cases(row: Row, readers: Readers) -> Iterator[Case]:
    """Yield the statements of an event whose content words are all labelled as stated."""
    readings = Readings(row["narratives"], token_encoder(DEFAULT))
    facts = facts_of(readings)
    conflicts = [conflict for _, conflict in conflicts_of(facts)]
    reader = readers[row["fold"]]
    finder = Finder(readings, reader, len(readings), Disputed(readings, facts, conflicts))
    labels = {(label["n"], label["s"], label["in"]): label for label in row["labels"]}
    sought, named = [], []
    for judged in finder.statements(STRICTNESS)[0]:
        n, s = judged.candidate.narrative, judged.candidate.row
        for other in readings.others(n):
            label, kept = labels[n, s, other], judged.candidate.kept
            marks = label["words"]
            if not (label["evidence"] and marks and all(marks[k] for k in kept)):
                continue
            source, narrative = readings.narratives[n], readings.narratives[other]
            sought.append(Sought(judged.text, judged.vector, source, s, kept, narrative))
            named.append(label["evidence"])
    yield from cases(row, reader, sought, named)


def cosines(case: Case) -> np.ndarray:
    """Return the cosine of the statement to each closely read sentence."""
    narrative = case.sought.narrative
    return np.round(narrative.vectors[narrative.close] @ case.sought.vector, 5)


def right_former(reader: Reader, found: Sequence[Case]) -> list[bool]:
    """Say for each case whether the former rule shows a sentence that readers name."""
    right = []
    for case in found:
        own = cosines(case)
        near = np.argsort(-own, kind="stable")[:_NEAR]
        near = near[own[near] >= own[near[0]] - _CLOSE]
        texts = [sentence_alone(reader, case.sought.narrative, int(row)) for row in near]
        vectors = np.tile(case.sought.vector, (len(near), 1))
        readings = reader.read_each([case.sought.text] * len(near), texts, vectors)
        support = [np.mean([word.support for word in reading.words]) for reading in readings]
        right.append(bool(case.shows[near[int(np.argmax(own[near] + support))]]))
    return right


def summed(
    tested: Sequence[Case], right: dict[str, np.ndarray], events: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Print and return the share of right cases by group and rule."""
    groups = np.array([case.group for case in tested])
    one = np.array([case.shows.sum() == 1 for case in tested])
    table: dict[str, dict[str, float]] = {}
    for group in (*sorted(set(groups)), "all"):
        mine = (groups == group) | (group == "all")
        line = {"cases": int(mine.sum()), "one": int((mine & one).sum())}
        for name in ("cosine", "former", "clues", "fitted"):
            line[f"{name} one"] = float(right[name][mine & one].mean())
            line[f"{name} any"] = float(right[name][mine].mean())
        table[group] = line
        print(group, *(f"{key} {value:.4g}" for key, value in line.items()), sep="  ")
    low, high = interval(right["fitted"].astype(float) - right["former"], events)
    print(f"fitted - former, any: 95% from {low:+.3f} to {high:+.3f}")
    table["all"] |= {"low": low, "high": high}
    return table


def interval(gains: np.ndarray, events: Sequence[str]) -> tuple[float, float]:
    """Return a 95% bootstrap interval of the mean over events."""
    names, places = np.unique(np.array(events), return_inverse=True)
    sums, counts = np.bincount(places, gains), np.bincount(places)
    drawn = np.random.default_rng(0).integers(0, len(names), (_DRAWS, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


if __name__ == "__main__":
    main()
