"""What verification does to summaries: SEM-F1 of 50 systems before and after, by system.

    python bench/verify_outputs.py DATA_FOLDER [--every N] [--ablate] [--json OUT]

The outputs of the development events are checked against the narratives with default settings, and
both texts are scored against the human overlaps. A summary of which nothing is left scores 0; a
bare cut on the cosine stands beside it for comparison. The last lines count the summaries that were
emptied, and those among them in which another judge than verification sees something: SEM-F1's own
label P ("present") for a sentence against the human overlaps, and the label P by vectors that
verification does not use against every narrative.

With --ablate also: evidence alone, verification that does not see through frames, and the bare cut
with sentences split at every stop and nowhere else, where the "1." of a list is a sentence.
"""

import argparse
import gzip
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from commonground.encoders import load
from commonground.io import Event, read_events, read_predictions
from commonground.metrics import SemF1
from commonground.narratives import Checker, Verified
from commonground.text import sentences

OUT = Path(__file__).parent / "out"
NAMES = ("precision", "recall", "f1")
CUT = 0.3  # of the bare cosine
EVIDENCE_CUT = 0.12  # where evidence stands alone
OTHER = "use"  # vectors that verification does not use
START = {"naive split, cosine": "naive split"}  # what a stage is compared with, if not "before"
TARGETS = {"precision": 0.12, "f1": 0.06}

Rows = dict[str, dict[str, np.ndarray]]
Text = str | Sequence[str]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--every", type=int, default=1, help="only every so many events")
    parser.add_argument("--ablate", action="store_true", help="also with parts left out")
    parser.add_argument("--json", type=Path, default=OUT / "verify_outputs.json", help="figures")
    arguments = parser.parse_args()
    folder = arguments.data / "sos"
    events = list(read_events(folder / "allsides_dev.jsonl").values())[:: arguments.every]
    outputs = _outputs(folder / "allsides_system_outputs.jsonl.gz", {one.id for one in events})
    checked = _checked(events, outputs)
    before = {system: [rows[one.id] for one in events] for system, rows in outputs.items()}
    texts = {
        "before": before,
        "after": {s: [one.summary for one in found] for s, found in checked.items()},
        "cosine": _cut(events, before, sentences),
    }
    if arguments.ablate:
        with patch("commonground.narratives.verification.claims.claim", lambda text, _: text):
            unframed = _checked(events, outputs)
        texts |= {
            "evidence alone": {s: [_by_evidence(o) for o in some] for s, some in checked.items()},
            "no frames": {s: [one.summary for one in some] for s, some in unframed.items()},
        }
    scores = {name: _scores(events, some) for name, some in texts.items()}
    if arguments.ablate:
        scores |= _naive_scores(events, before)
    figures = _figures(scores, checked) | _emptied(events, checked)
    _print(scores, figures)
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=2))


def _outputs(packed: Path, wanted: set[str]) -> dict[str, dict[str, str]]:
    """Summaries by system and event."""
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "outputs.jsonl"
        with gzip.open(packed) as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target)
        for row in read_predictions(plain):
            if row.id in wanted:
                found.setdefault(row.system, {})[row.id] = row.summary
    return found


def _checked(events: list[Event], outputs: dict[str, dict[str, str]]) -> dict[str, list[Verified]]:
    found: dict[str, list[Verified]] = {system: [] for system in outputs}
    for number, event in enumerate(events, start=1):
        checker = Checker(event.narratives)
        for system, rows in outputs.items():
            found[system].append(checker.verify(rows[event.id]))
        sys.stderr.write(f"\r{number}/{len(events)} events")
    sys.stderr.write("\n")
    return found


def _cut(
    events: list[Event], outputs: dict[str, list[str]], split: Callable[[str], list[str]]
) -> dict[str, list[Text]]:
    """Summaries after a bare cut: sentences as they are, by their nearest in each narrative."""
    encoder = load()
    found: dict[str, list[Text]] = {system: [] for system in outputs}
    for number, event in enumerate(events):
        theirs = [encoder.encode(split(narrative.text)).T for narrative in event.narratives]
        for system, texts in outputs.items():
            ours = split(texts[number])
            vectors = encoder.encode(ours) if ours else np.zeros((0, encoder.dimension))
            near = np.min([(vectors @ one).max(axis=1) for one in theirs], axis=0)
            found[system].append([t for t, n in zip(ours, near, strict=True) if n >= CUT])
    return found


def _by_evidence(one: Verified) -> str:
    kept = (sentence.claim for sentence in one.sentences if sentence.probability >= EVIDENCE_CUT)
    return "\n".join(kept)


def _naive(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part.strip()]


def _naive_scores(events: list[Event], before: dict[str, list[str]]) -> dict[str, Rows]:
    """Before and after the bare cut, where all texts are split at every stop."""
    references = [[_naive(one) for one in event.references] for event in events]
    return {
        "naive split": _scored({s: list(map(_naive, t)) for s, t in before.items()}, references),
        "naive split, cosine": _scored(_cut(events, before, _naive), references),
    }


def _scores(events: list[Event], texts: dict[str, list[Text]]) -> Rows:
    return _scored(texts, [event.references for event in events])


def _scored(texts: dict[str, list[Text]], references: list[Sequence[Text]]) -> Rows:
    """For each system, precision, recall and F1 of every event."""
    found = SemF1().corpora({system: (some, references) for system, some in texts.items()})
    return {
        system: {name: np.array([getattr(one, name) for one in corpus.items]) for name in NAMES}
        for system, corpus in found.items()
    }


def _emptied(events: list[Event], checked: dict[str, list[Verified]]) -> dict[str, Any]:
    """How many summaries were emptied, and in how many of these another judge sees something."""
    gone = [
        (event, one)
        for found in checked.values()
        for event, one in zip(events, found, strict=True)
        if one.sentences and not one.summary
    ]
    by_people = sum(any(_present(one, e.references, SemF1())) for e, one in gone)
    other = SemF1(OTHER)
    in_all = [
        np.all([_present(one, [n.text], other) for n in one.narratives], axis=0) for _, one in gone
    ]
    return {
        "emptied": len(gone),
        "emptied with a sentence that SEM-F1 labels P against the references": by_people,
        f"emptied with a sentence labelled P by {OTHER} in every narrative": sum(map(any, in_all)),
    }


def _present(one: Verified, references: Sequence[Text], measure: SemF1) -> list[bool]:
    """For each sentence of a summary whether the references hold it."""
    score = measure.score([sentence.text for sentence in one.sentences], references)
    return [match.label == "P" for match in score.sentences]


def _figures(scores: dict[str, Rows], checked: dict[str, list[Verified]]) -> dict[str, Any]:
    mean = {
        stage: {name: float(np.mean([row[name].mean() for row in rows.values()])) for name in NAMES}
        for stage, rows in scores.items()
    }
    results = [one for found in checked.values() for one in found]
    return {
        "systems": {
            system: {
                stage: {name: float(scores[stage][system][name].mean()) for name in NAMES}
                for stage in scores
            }
            for system in checked
        },
        "mean": mean,
        "gain": {
            stage: {
                name: mean[stage][name] - mean[START.get(stage, "before")][name] for name in NAMES
            }
            for stage in mean
            if stage not in ("before", "naive split")
        },
        "summaries": len(results),
        "sentences": sum(len(one.sentences) for one in results),
        "dropped": sum(len(one.dropped) for one in results),
        "signature": str(results[0].signature),
    }


def _print(scores: dict[str, Rows], figures: dict[str, Any]) -> None:
    print(f"{'system':<40}{'precision':>16}{'recall':>16}{'F1':>16}")
    for system, before in scores["before"].items():
        after = scores["after"][system]
        cells = [f"{before[name].mean():.3f} > {after[name].mean():.3f}" for name in NAMES]
        print(f"{system:<40}" + "".join(f"{cell:>16}" for cell in cells))
    for stage in figures["mean"]:
        gain = figures["gain"].get(stage)
        told = f"  gain {_shown(gain)}" if gain else ""
        print(f"{stage + ':':<24}{_shown(figures['mean'][stage])}{told}")
    for name, value in figures.items():
        if name not in ("systems", "mean", "gain"):
            print(f"{name}: {_shown(value)}")
    print(f"targets of the gain: {_shown(TARGETS)}")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
