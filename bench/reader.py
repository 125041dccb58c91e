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

from commonground import encoders
from training import sources
from training.calibrate import fit
from training.figures import auc
from training.items import CONTRADICTED, PARTLY, STATED, Item
from training.prepare import labelled_items
from training.raw import Raw, load_raw

ANSWERS = Path(__file__).parent.parent / "data" / "reader" / "answers.npz"
GROUPS: dict[str, Callable[[str, str], bool]] = {
    "all": lambda source, kind: True,
    "given before": lambda source, kind: source in ("pairs", "three_way", "rumours"),
    "news": lambda source, kind: source in ("pairs", "three_way", "news") and kind == "news",
    "policies": lambda source, kind: source in ("pairs", "policies") and kind == "policy",
    "rumours": lambda source, kind: source == "rumours",
    "own": lambda source, kind: source == "own",
}
ROUNDS = 300


@dataclass(slots=True, eq=False)
class Row:
    """A labelled sentence with its calibrated probabilities."""

    event: str
    source: str
    kind: str
    label: int
    marks: np.ndarray | None
    shown: np.ndarray | None
    raw: Raw
    cosine: float
    found: np.ndarray  # whether each word occurs in the text
    classes: np.ndarray | None = None
    words: np.ndarray | None = None
    evidence: np.ndarray | None = None


def main() -> None:
    """Join labels and answers, calibrate across folds, print figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    raw = load_raw(ANSWERS)
    rows = rows_of(labelled_items(arguments.data), raw)
    calibrate(rows)
    table = {}
    for name, belongs in GROUPS.items():
        some = [row for row in rows if belongs(row.source, row.kind)]
        table[name] = {key: _interval(some, figure) for key, figure in FIGURES.items()}
        table[name]["sentences"] = len(some)
        table[name]["events"] = len({row.event for row in some})
    table["units"] = units(arguments.data, raw)
    _print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def rows_of(items: Sequence[Item], raw: dict[str, Raw]) -> list[Row]:
    """Every labelled sentence that asserts something and has an answer."""
    texts = sorted({text for item in items for text in item.text})
    texts += sorted({claim.sentence for item in items for claim in item.claims} - set(texts))
    vectors = dict(zip(texts, encoders.load().encode(texts), strict=True))
    found = []
    for item in items:
        known = {word.strip(".,;:\"'()").lower() for text in item.text for word in text.split()}
        block = np.array([vectors[text] for text in item.text])
        for claim in item.claims:
            key = f"{item.source}:{item.id}:{'.'.join(map(str, claim.key))}"
            if claim.evidence is None or key not in raw:
                continue
            words = [word.strip(".,;:\"'()").lower() in known for word in claim.sentence.split()]
            answer = raw[key]
            found.append(
                Row(
                    item.id,
                    item.source,
                    item.kind,
                    claim.allowed[0] if claim.allowed else 0,
                    None if claim.words is None else np.array(claim.words),
                    np.isin(answer.places, claim.evidence),
                    answer,
                    float((block @ vectors[claim.sentence]).max()),
                    np.array(words, dtype=float),
                )
            )
    return found


def calibrate(rows: Sequence[Row]) -> None:
    """Give each row probabilities from a calibration that has not seen its fold."""
    for fold in sorted({row.raw.fold for row in rows}):
        calibration = fit_rows([row for row in rows if row.raw.fold != fold])
        for row in rows:
            if row.raw.fold == fold:
                row.classes = calibration.classes(row.raw.classes)
                row.words = calibration.words(row.raw.words, row.classes)
                row.evidence = calibration.shown(row.raw.pairs)


def fit_rows(rows: Sequence[Row]):  # noqa: ANN201
    """The calibration of these rows; the project's own events have more conflicts than life."""
    natural = [row for row in rows if row.source not in ("own", "rumours")]
    return fit(
        np.array([row.raw.classes for row in natural]),
        np.array([row.label for row in natural]),
        [row.raw.words for row in natural],
        [row.marks for row in natural],
        [row.raw.pairs for row in natural],
        [row.shown if row.label <= CONTRADICTED else None for row in natural],
    )


def shared(rows: Sequence[Row]) -> float:
    """Stated or partly against the rest."""
    return auc(_is(rows, STATED, PARTLY), np.array([row.classes[:2].sum() for row in rows]))


def stated(rows: Sequence[Row]) -> float:
    """Fully stated against the rest."""
    return auc(_is(rows, STATED), np.array([row.classes[STATED] for row in rows]))


def contradicted(rows: Sequence[Row]) -> float:
    """Contradicted against the rest."""
    scores = np.array([row.classes[CONTRADICTED] for row in rows])
    return auc(_is(rows, CONTRADICTED), scores)


def inside(rows: Sequence[Row]) -> float:
    """Words inside partly stated sentences."""
    return _inside(rows, lambda row: row.words)


def occurs(rows: Sequence[Row]) -> float:
    """The same, where the score is whether the word occurs in the text."""
    return _inside(rows, lambda row: row.found)


def _inside(rows: Sequence[Row], score: Callable[[Row], np.ndarray]) -> float:
    some = [row for row in rows if row.label == PARTLY and row.marks is not None]
    if not some:
        return float("nan")
    marks = np.concatenate([row.marks for row in some])
    return auc(marks > 0, np.concatenate([score(row) for row in some]))


def cosine(rows: Sequence[Row]) -> float:
    """Stated or partly against the rest, by cosine."""
    return auc(_is(rows, STATED, PARTLY), np.array([row.cosine for row in rows]))


def calibration_error(rows: Sequence[Row]) -> float:
    """Of the probability of fully stated, ten bins."""
    return error(np.array([row.classes[STATED] for row in rows]), _is(rows, STATED))


def calibration_error_words(rows: Sequence[Row]) -> float:
    """Of word support, ten bins."""
    some = [row for row in rows if row.marks is not None]
    marks = np.concatenate([row.marks for row in some])
    return error(np.concatenate([row.words for row in some]), marks > 0)


def evidence_hit(rows: Sequence[Row]) -> float:
    """Share of stated and partly sentences whose best evidence sentence is labelled evidence."""
    some = [row for row in rows if row.label <= PARTLY and row.shown is not None and len(row.shown)]
    hits = [row.shown[int(row.evidence.argmax())] for row in some]
    return float(np.mean(hits)) if hits else float("nan")


def error(probabilities: np.ndarray, happened: np.ndarray) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = np.minimum((probabilities * 10).astype(int), 9)
    total = 0.0
    for number in range(10):
        own = bins == number
        if own.any():
            total += own.mean() * abs(probabilities[own].mean() - happened[own].mean())
    return float(total)


FIGURES: dict[str, Callable[[Sequence[Row]], float]] = {
    "stated or partly": shared,
    "stated": stated,
    "words inside partly": inside,
    "contradicted": contradicted,
    "best evidence right": evidence_hit,
    "calibration, stated": calibration_error,
    "calibration, words": calibration_error_words,
    "cosine: stated or partly": cosine,
    "word occurs: inside partly": occurs,
}


def units(data: Path, raw: dict[str, Raw]) -> dict[str, float]:
    """Presence of REALSumm's units in summaries, out of fold by document."""
    labels, scores, least = [], [], []
    for item in sources.realsumm(data / "scu" / "REALSumm"):
        for claim in item.claims:
            answer = raw.get(f"realsumm:{item.id}:{'.'.join(map(str, claim.key))}")
            if answer is not None:
                labels.append(claim.allowed == (STATED,))
                scores.append(answer.classes[STATED] - np.logaddexp.reduce(answer.classes[1:]))
                least.append(answer.words.min() if len(answer.words) else -9)
    y, s, w = np.array(labels), np.array(scores), np.array(least)
    return {"pairs": len(y), "stated": auc(y, s), "least word": auc(y, w), "both": auc(y, s + w)}


def _is(rows: Sequence[Row], *labels: int) -> np.ndarray:
    return np.isin([row.label for row in rows], labels)


def _interval(
    rows: Sequence[Row], figure: Callable[[Sequence[Row]], float]
) -> tuple[float, float, float] | None:
    value = figure(rows) if rows else float("nan")
    if np.isnan(value):
        return None
    events: dict[str, list[Row]] = {}
    for row in rows:
        events.setdefault(row.event, []).append(row)
    names, rng = sorted(events), np.random.default_rng(0)
    drawn = []
    for _ in range(ROUNDS):
        chosen = rng.choice(len(names), len(names))
        drawn.append(figure([row for n in chosen for row in events[names[n]]]))
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
