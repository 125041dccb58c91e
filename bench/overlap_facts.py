"""How good are the statements of an overlap? Judged by labelled words and facts, out of fold.

    python bench/overlap_facts.py DATA --readers FOLDER [--strictness .5] [--at-least 2]
        [--json FILE] [--show 5]

DATA holds reading/ (labelled events). FOLDER holds 0.onnx to 3.onnx, the fold models that
docs/reader.md makes: each event is read by a model that was not trained on it. Without `--readers`
the shipped reader is used, which has seen these events.

How a statement is judged, by the labels of the sentence that it is cut from:
- *fully supported*: every content word of it is marked as stated by every other narrative, or with
  `--at-least` by enough of them;
- *main claim*: the same for its verb, subject and object;
- *calibration*: the error of the stated probability, in ten bins, against *fully supported*.
A fact of `common` is told if a statement has at least half of its content words, by stem and
weighted by rarity within the event, or a cosine of at least .75. A language-model reader agreed
with this rule in 47 of 50 cases (told wrongly 1, missed 2).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from _calibration import calibration_error
from commonground import encoders
from commonground.narratives import Overlaps
from commonground.reader import Reader
from commonground.text import parse, stem
from commonground.wording import STOP_WORDS
from training.folds import KNOWN
from training.labels import LabelError, kept_words, read_lines
from training.prepare import OWN

_TOLD, _NEAR = 0.5, 0.75
_CORE = frozenset(("ROOT", "nsubj", "nsubjpass", "dobj", "attr", "acomp"))


@dataclass(frozen=True, slots=True)
class Event:
    """A labelled event: its narratives as sentences, its labels and what it is."""

    id: str
    kind: str
    narratives: list[list[str]]
    words: dict[tuple[int, int, int], list[int]]
    labels: dict[tuple[int, int, int], str]
    common: list[str]
    fold: int


def main() -> None:
    """Find the overlap of each labelled event and judge it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--strictness", type=float, nargs="+", default=[0.5])
    parser.add_argument("--at-least", type=int, help="narratives that must agree")
    parser.add_argument("--sets", nargs="+", default=["pairs", "three_way"])
    parser.add_argument("--every", type=int, default=1, help="take every n-th event only")
    parser.add_argument("--show", type=int, default=0, help="events to print")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    least = arguments.at_least
    events = [one for name in arguments.sets for one in _events(arguments.data, name, least)]
    events = events[:: arguments.every]
    found: dict[str, Any] = {}
    for strictness in arguments.strictness:
        rows = _judged(events, arguments.readers, strictness, least, arguments.show)
        for group in sorted({row["group"] for row in rows}):
            mine = [row for row in rows if row["group"] == group]
            line = _summed(mine)
            found[f"{strictness} {group}"] = line
            shown = " ".join(f"{key} {value:.2f}" for key, value in line.items())
            print(f"{strictness:.2f} {group:16} {shown}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _events(data: Path, name: str, at_least: int | None) -> list[Event]:
    folds = json.loads(KNOWN.read_text(encoding="utf-8"))
    if name == "own":
        texts = {row["id"]: row for row in read_lines(OWN / "events.jsonl")}
        rows = [{**texts[row["id"]], **row} for row in read_lines(OWN / "labels.jsonl")]
        rows = [row for row in rows if row["id"] in folds]
    else:
        rows = read_lines(data / "reading" / f"{name}.jsonl")
    return [
        Event(
            row["id"],
            name if name != "pairs" else row["kind"],
            row["narratives"],
            {(o["n"], o["s"], o["in"]): o["words"] or [] for o in row["labels"]},
            {(o["n"], o["s"], o["in"]): o["label"] for o in row["labels"]},
            [*row["common"], *(one["fact"] for one in row.get("common2", ()) if at_least == 2)],
            folds.get(row["id"], -1),
        )
        for row in rows
    ]


def _judged(
    events: Sequence[Event],
    readers: Path | None,
    strictness: float,
    at_least: int | None,
    show: int,
) -> list[dict[str, Any]]:
    finders: dict[int, Overlaps] = {}
    rows = []
    for number, event in enumerate(events):
        fold = event.fold if readers else -1
        if fold not in finders:
            weights = readers / f"{fold}.onnx" if readers and fold >= 0 else None
            reader = Reader(weights=weights)
            finders[fold] = Overlaps(strictness=strictness, reader=reader, at_least=at_least)
        texts = [" ".join(sentences) for sentences in event.narratives]
        result = finders[fold].find(texts)
        judged = [_statement(event, one, at_least) for one in result.statements]
        told = [_tells(fact, [one.text for one in result.statements]) for fact in event.common]
        rows.append({"group": event.kind, "judged": judged, "told": told})
        if number < show:
            print(f"== {event.id}")
            for one, verdict in zip(result.statements, judged, strict=True):
                print(f"   {verdict} {one.probability:.2f} {one.text}")
            for fact, tells in zip(event.common, told, strict=True):
                print(f"      {'told' if tells else '    '} {fact}")
    return rows


def _statement(event: Event, statement: Any, at_least: int | None) -> dict[str, Any]:
    """Whether enough other narratives state its content words, and those of its core."""
    own = next(one for one in statement.evidence if one.probability == 1.0)
    n = own.narrative
    s = next(
        (k for k, sentence in enumerate(event.narratives[n]) if own.text.strip() in sentence
         or sentence in own.text), None,
    )  # fmt: skip
    if s is None:
        return {"known": False}
    sentence = event.narratives[n][s]
    try:
        kept = kept_words(sentence, statement.text)
    except LabelError:
        return {"known": False}
    words = sentence.split()
    (doc,) = parse([statement.text])
    core = {_bare(token.text) for token in doc if token.dep_ in _CORE}
    content = [k for k, word in enumerate(words) if kept[k] and _is_content(word)]
    main = [k for k in content if _bare(words[k]) in core]
    full: list[bool] = []
    claim: list[bool] = []
    against = False
    for other in range(len(event.narratives)):
        if other == n:
            continue
        label = event.labels.get((n, s, other), "absent")
        marks = event.words.get((n, s, other)) or [int(label == "stated")] * len(words)
        marks = [1] * len(words) if label == "stated" else marks
        full.append(all(marks[k] for k in content if k < len(marks)))
        claim.append(all(marks[k] for k in main if k < len(marks)))
        against |= label == "contradicted" and not full[-1]
    wanted = (at_least or len(event.narratives)) - 1
    return {
        "known": True,
        "full": sum(full) >= wanted,
        "claim": sum(claim) >= wanted,
        "against": against,
        "likely": statement.probability,
    }


def _tells(fact: str, statements: Sequence[str]) -> bool:
    if not statements:
        return False
    wanted = {stem(_bare(word)) for word in fact.split() if _is_content(word)}
    counts = {one: sum(one in _stems(text) for text in statements) for one in wanted}
    weights = {one: 1 / (1 + log(1 + counts[one])) for one in wanted}
    vectors = encoders.load().encode([fact, *statements])
    near = vectors[1:] @ vectors[0]
    for text, cosine in zip(statements, near, strict=True):
        share = sum(weights[one] for one in wanted & _stems(text)) / max(
            sum(weights.values()), 1e-9
        )
        if share >= _TOLD or cosine >= _NEAR:
            return True
    return False


def _stems(text: str) -> set[str]:
    return {stem(_bare(word)) for word in text.split() if _is_content(word)}


def _bare(word: str) -> str:
    return word.strip(".,;:!?\"'“”‘’()[]").removesuffix("'s").removesuffix("’s").lower()


def _is_content(word: str) -> bool:
    bare = _bare(word)
    return bool(bare) and bare not in STOP_WORDS


def _summed(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    judged = [one for row in rows for one in row["judged"]]
    known = [one for one in judged if one["known"]]
    told = [tells for row in rows for tells in row["told"]]
    return {
        "events": len(rows),
        "statements": len(judged),
        "judged": len(known),
        "fully": float(np.mean([one["full"] for one in known])) if known else float("nan"),
        "claim": float(np.mean([one["claim"] for one in known])) if known else float("nan"),
        "calibration": calibration_error(
            np.array([one["likely"] for one in known]),
            np.array([one["full"] for one in known], dtype=float),
        ),
        "disputed": sum(one["against"] for one in known),
        "facts": len(told),
        "told": float(np.mean(told)) if told else float("nan"),
        "empty": float(np.mean([not row["judged"] for row in rows])),
    }


if __name__ == "__main__":
    main()
