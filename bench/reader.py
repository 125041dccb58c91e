"""How well the reader reads, out of fold, beside plain baselines.

    python bench/reader.py DATA_FOLDER [--json FILE]

DATA_FOLDER holds reading/ and scu/. The answers are those of fold models, none of which was trained
on the event it is asked about (data/reader/answers.npz, made by `training.answers`); probabilities
are calibrated on the other folds. Intervals are 95%, by bootstrap over events. Labels were made by
language-model readers under data/reading/PROTOCOL.md; `bench/label_agreement.py` prints how far two
such readers agree.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from _calibration import calibration_error
from commonground.narratives.verification.checker import STATED as TOLD
from commonground.reader.calibration import Calibration
from training import sources
from training.calibrate import fit, row_features
from training.figures import auc
from training.items import CONTRADICTED, PARTLY, STATED
from training.labelled import ANSWERS, Row, key_of, labelled_rows
from training.raw import load_raw

GROUPS: dict[str, Callable[[Row], bool]] = {
    "all natural": lambda row: row.source not in ("own", "disputed"),
    "news": lambda row: row.source in ("pairs", "three_way", "news") and row.kind == "news",
    "policies": lambda row: row.source in ("pairs", "policies") and row.kind == "policy",
    "rumours": lambda row: row.source == "rumours",
    "own": lambda row: row.source == "own" and row.raw.fold >= 0,
    "own, labelled later": lambda row: row.source == "own" and row.raw.fold < 0,
    "own policies": lambda row: row.source == "disputed",
    "everything": lambda row: True,
}
ROUNDS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A labelled sentence with probabilities from a calibration that has not seen its fold."""

    row: Row
    label: np.ndarray
    words: np.ndarray
    within: np.ndarray
    shown: np.ndarray


def main() -> None:
    """Join labels and answers, calibrate across folds, print figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    judged = judged_rows(labelled_rows(arguments.data))
    table: dict = {}
    for name, belongs in GROUPS.items():
        some = [one for one in judged if belongs(one.row)]
        if some:
            table[name] = {key: _interval(some, figure) for key, figure in FIGURES.items()}
            table[name]["sentences"] = len(some)
            table[name]["events"] = len({one.row.event for one in some})
    table["units"] = units(arguments.data)
    _print(table)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def judged_rows(rows: Sequence[Row]) -> list[Judged]:
    """Calibrate each fold on the others; events outside all folds on all of them."""
    found = []
    for fold in sorted({row.raw.fold for row in rows}):
        others = [row for row in rows if row.raw.fold not in (fold, -1)]
        calibration = fit(others)
        found += [_judged(row, calibration) for row in rows if row.raw.fold == fold]
    return found


def _judged(row: Row, calibration: Calibration) -> Judged:
    label = calibration.label(row_features(row))
    words = calibration.support(row.raw.words, label)
    within = calibration.part(row.raw.words)
    return Judged(row, label, words, within, calibration.shown(row.raw.cosines))


def shared(rows: Sequence[Judged]) -> float:
    """Stated or partly against the rest."""
    return auc(_is(rows, STATED, PARTLY), np.array([one.label[:2].sum() for one in rows]))


def stated(rows: Sequence[Judged]) -> float:
    """Fully stated against the rest."""
    return auc(_is(rows, STATED), np.array([one.label[STATED] for one in rows]))


def contradicted(rows: Sequence[Judged]) -> float:
    """Contradicted against the rest."""
    return auc(_is(rows, CONTRADICTED), np.array([one.label[CONTRADICTED] for one in rows]))


def inside(rows: Sequence[Judged]) -> float:
    """Words inside partly stated sentences, scored as inside a part (`Word.within`)."""
    return _inside(rows, lambda one: one.within)


def inside_by_support(rows: Sequence[Judged]) -> float:
    """The same by `Word.support`, which also depends on how likely the sentence is shared."""
    return _inside(rows, lambda one: one.words)


def occurs(rows: Sequence[Judged]) -> float:
    """The same, where the score is whether the word occurs in the text."""
    return _inside(rows, lambda one: one.row.occurs)


def _inside(rows: Sequence[Judged], score: Callable[[Judged], np.ndarray]) -> float:
    some = [one for one in rows if one.row.label == PARTLY and one.row.marks is not None]
    if not some:
        return float("nan")
    marks = np.concatenate([one.row.marks for one in some])
    return auc(marks > 0, np.concatenate([score(one) for one in some]))


def cosine(rows: Sequence[Judged]) -> float:
    """Stated or partly against the rest, by cosine."""
    return auc(_is(rows, STATED, PARTLY), np.array([one.row.raw.cosines.max() for one in rows]))


def error_stated(rows: Sequence[Judged]) -> float:
    """Of the probability of fully stated, ten bins."""
    return calibration_error(np.array([one.label[STATED] for one in rows]), _is(rows, STATED))


def error_words(rows: Sequence[Judged]) -> float:
    """Of word support, ten bins."""
    some = [one for one in rows if one.row.marks is not None]
    if not some:
        return float("nan")
    marks = np.concatenate([one.row.marks for one in some])
    return calibration_error(np.concatenate([one.words for one in some]), marks > 0)


def evidence_hit(rows: Sequence[Judged]) -> float:
    """Share of sentences whose best evidence sentence is labelled as evidence."""
    some = [one for one in rows if one.row.evidence]
    hits = [int(one.shown.argmax()) in one.row.evidence for one in some]
    return float(np.mean(hits)) if hits else float("nan")


def told_precision(rows: Sequence[Judged]) -> float:
    """Of the sentences that `verify` would call stated by this text, the share that are."""
    told = np.array([one.label[STATED] >= TOLD for one in rows])
    return float(_is(rows, STATED)[told].mean()) if told.any() else float("nan")


def told_recall(rows: Sequence[Judged]) -> float:
    """Of the stated sentences, the share that `verify` would call so."""
    told = np.array([one.label[STATED] >= TOLD for one in rows])
    mine = _is(rows, STATED)
    return float(told[mine].mean()) if mine.any() else float("nan")


FIGURES: dict[str, Callable[[Sequence[Judged]], float]] = {
    "stated or partly": shared,
    "stated": stated,
    "words inside partly": inside,
    "  by support": inside_by_support,
    "contradicted": contradicted,
    "best evidence right": evidence_hit,
    "calibration, stated": error_stated,
    "calibration, words": error_words,
    f"precision at {TOLD}": told_precision,
    f"recall at {TOLD}": told_recall,
    "cosine: stated or partly": cosine,
    "word occurs: inside partly": occurs,
}


def units(data: Path) -> dict[str, float]:
    """Presence of REALSumm's units in summaries, out of fold by document."""
    raw = load_raw(ANSWERS)
    labels, scores, least = [], [], []
    for item in sources.realsumm(data / "scu" / "REALSumm"):
        for claim in item.claims:
            answer = raw.get(key_of(item, claim.key))
            if answer is not None:
                labels.append(claim.allowed == (STATED,))
                scores.append(answer.classes[STATED] - np.logaddexp.reduce(answer.classes[1:]))
                least.append(answer.words.min() if len(answer.words) else -9.0)
    marks, stated_logits, weakest = np.array(labels), np.array(scores), np.array(least)
    return {
        "pairs": len(marks),
        "stated": auc(marks, stated_logits),
        "least word": auc(marks, weakest),
        "both": auc(marks, stated_logits + weakest),
    }


def _is(rows: Sequence[Judged], *labels: int) -> np.ndarray:
    return np.isin([one.row.label for one in rows], labels)


def _interval(
    rows: Sequence[Judged], figure: Callable[[Sequence[Judged]], float]
) -> tuple[float, float, float] | None:
    value = figure(rows) if rows else float("nan")
    if np.isnan(value):
        return None
    events: dict[str, list[Judged]] = {}
    for one in rows:
        events.setdefault(one.row.event, []).append(one)
    names, rng = sorted(events), np.random.default_rng(0)
    drawn = []
    for _ in range(ROUNDS):
        chosen = rng.choice(len(names), len(names))
        drawn.append(figure([one for n in chosen for one in events[names[n]]]))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return float(value), float(low), float(high)


def _print(table: dict) -> None:
    names = [name for name in table if name != "units"]
    print(f"{'':28}" + "".join(f"{name:>19}" for name in names))
    print(f"{'events / sentences':28}", end="")
    print("".join(f"{table[n]['events']:>11} / {table[n]['sentences']:5}" for n in names))
    for key in FIGURES:
        print(f"{key:28}", end="")
        for name in names:
            value = table[name][key]
            shown = f"{value[0]:.3f} {value[1]:.3f}-{value[2]:.3f}" if value else ""
            print(f"{shown:>19}", end="")
        print()
    print("REALSumm units:", {key: round(value, 4) for key, value in table["units"].items()})


if __name__ == "__main__":
    main()
