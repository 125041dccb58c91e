"""What verification does to summaries: SEM-F1 of 50 systems before and after, by system.

    python bench/verify_outputs.py DATA_FOLDER [--every N] [--json OUT]

The outputs of the development events are checked against the narratives with default settings, and
both texts are scored against the human overlaps. A summary of which nothing is left scores 0. The
last lines count what was emptied, and a bare cut on the cosine stands beside it for comparison.
"""

import argparse
import gzip
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from commonground.encoders import load
from commonground.io import Event, read_events, read_predictions
from commonground.metrics import SemF1
from commonground.overlap import Checker, Verified
from commonground.text import sentences

OUT = Path(__file__).parent / "out"
NAMES = ("precision", "recall", "f1")
CUT = 0.3  # of the bare cosine
TARGETS = {"precision": 0.12, "f1": 0.06}

Rows = dict[str, dict[str, np.ndarray]]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--every", type=int, default=1, help="only every so many events")
    parser.add_argument("--json", type=Path, default=OUT / "verify_outputs.json", help="figures")
    arguments = parser.parse_args()
    folder = arguments.data / "sos"
    events = list(read_events(folder / "allsides_dev.jsonl").values())[:: arguments.every]
    outputs = _outputs(folder / "allsides_system_outputs.jsonl.gz", {one.id for one in events})
    checked = _checked(events, outputs)
    texts = {
        "before": {system: [rows[one.id] for one in events] for system, rows in outputs.items()},
        "after": {s: [one.summary for one in found] for s, found in checked.items()},
        "cosine": {s: [_nearest(one) for one in found] for s, found in checked.items()},
    }
    scores = {name: _scores(events, some) for name, some in texts.items()}
    figures = _figures(scores, checked)
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


def _nearest(one: Verified) -> str:
    """The summary after a bare cut: sentences as they are, by their nearest in each narrative."""
    encoder = load()
    kept = [sentence.text for sentence in one.sentences]
    if not kept:
        return ""
    vectors = encoder.encode(kept)
    near = [
        (vectors @ encoder.encode(sentences(narrative.text)).T).max(axis=1)
        for narrative in one.narratives
    ]
    return "\n".join(t for t, n in zip(kept, np.min(near, axis=0), strict=True) if n >= CUT)


def _scores(events: list[Event], texts: dict[str, list[str]]) -> Rows:
    """For each system, precision, recall and F1 of every event."""
    references = [event.references for event in events]
    found = SemF1().corpora({system: (some, references) for system, some in texts.items()})
    return {
        system: {name: np.array([getattr(one, name) for one in corpus.items]) for name in NAMES}
        for system, corpus in found.items()
    }


def _figures(scores: dict[str, Rows], checked: dict[str, list[Verified]]) -> dict[str, object]:
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
        "gain": {name: mean["after"][name] - mean["before"][name] for name in NAMES},
        "gain of the bare cosine": {
            name: mean["cosine"][name] - mean["before"][name] for name in NAMES
        },
        "summaries": len(results),
        "sentences": sum(len(one.sentences) for one in results),
        "dropped": sum(len(one.dropped) for one in results),
        "emptied": sum(bool(one.sentences) and not one.summary for one in results),
        "emptied with a supported sentence": sum(
            not one.summary and any(sentence.supported for sentence in one.sentences)
            for one in results
        ),
        "signature": str(results[0].signature),
    }


def _print(scores: dict[str, Rows], figures: dict[str, object]) -> None:
    print(f"{'system':<40}{'precision':>16}{'recall':>16}{'F1':>16}")
    for system, before in scores["before"].items():
        after = scores["after"][system]
        cells = [f"{before[name].mean():.3f} > {after[name].mean():.3f}" for name in NAMES]
        print(f"{system:<40}" + "".join(f"{cell:>16}" for cell in cells))
    for name, value in figures.items():
        if name != "systems":
            print(f"{name}: {_shown(value)}")
    print(f"targets of the gain: {_shown(TARGETS)}")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
