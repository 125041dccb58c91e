"""Readers of the data sets, each into items without folds and nearest sentences."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commonground.text import sentences
from training.items import ABSENT, CONTRADICTED, PARTLY, STATED, Claim, Item

_READING = {
    "stated": (STATED,),
    "partly": (PARTLY,),
    "contradicted": (CONTRADICTED,),
    "absent": (ABSENT,),
    "nothing": (ABSENT,),
}
# 0 entailment, 1 neutral, 2 contradiction, 3 not entailment
_ENTAILMENT = ((STATED,), (PARTLY, ABSENT), (CONTRADICTED,), (PARTLY, CONTRADICTED, ABSENT))
_NOT_STATED = (PARTLY, CONTRADICTED, ABSENT)
_STANCES = {"agree": (STATED, PARTLY), "disagree": (CONTRADICTED,), "unrelated": (ABSENT,)}
_CLAIMS = 25  # sentences of summaries in one item
_LONGEST_UNIT_TEXT = 40  # lines of a WiCE article that are kept


def reading(path: Path, source: str) -> Iterator[Item]:
    """Labelled events: an item for each ordered pair of narratives."""
    for event in _rows(path):
        yield from of_event(event, source)


def of_event(event: dict[str, Any], source: str) -> Iterator[Item]:
    """Yield an item for each ordered pair of narratives of one labelled event."""
    pairs: dict[tuple[int, int], list[Claim]] = {}
    for label in event["labels"]:
        n, s, other = label["n"], label["s"], label["in"]
        words, known = label["words"], label["label"] != "nothing"
        claim = Claim(
            event["narratives"][n][s],
            _READING[label["label"]],
            tuple(words) if words is not None else None,
            tuple(label["evidence"]) if known else None,
            key=(n, s, other),
        )
        pairs.setdefault((n, other), []).append(claim)
    for (_, other), claims in sorted(pairs.items()):
        text = tuple(event["narratives"][other])
        yield Item(event["id"], source, event["kind"], -1, text, tuple(claims))


def pool(path: Path) -> Iterator[Item]:
    """Unlabelled events: an item for each ordered pair of narratives, nothing known."""
    for event in _rows(path):
        texts = [tuple(sentences(one["text"])) for one in event["narratives"]]
        for n, own in enumerate(texts):
            for other, text in enumerate(texts):
                if n != other and text and own:
                    claims = tuple(
                        Claim(sentence, key=(n, s, other)) for s, sentence in enumerate(own)
                    )
                    yield Item(event["id"], "pool", "news", -1, text, claims)


def summaries(folder: Path, left_out: set[str], most: int, seed: int = 0) -> Iterator[Item]:
    """Sentences that systems and people wrote about news events, nothing known.

    An item for each narrative, with at most `most` sentences; they bring the wording of summaries,
    which sentences of other articles lack. The items carry the id of their event.
    """
    written: dict[str, list[str]] = {}
    for row in _rows(folder / "allsides_system_outputs.jsonl.gz"):
        written.setdefault(row["id"], []).append(row["summary"])
    rng = random.Random(seed)
    for event in _rows(folder / "allsides_dev.jsonl"):
        if event["id"] in left_out:
            continue
        texts = [*event["references"], *written[event["id"]]]
        found = sorted({one for text in texts for one in sentences(" ".join(text.split()))})
        found = [one for one in found if len(one.split()) > 4]
        for narrative in event["narratives"]:
            some = rng.sample(found, min(most, len(found)))
            text = tuple(sentences(narrative["text"]))
            for start in range(0, len(some), _CLAIMS):
                claims = tuple(Claim(sentence) for sentence in some[start : start + _CLAIMS])
                yield Item(event["id"], "pool", "summary", -1, text, claims)


def entailment(path: Path, limit: int) -> Iterator[Item]:
    """Premise and hypothesis pairs, the first `limit` of a fixed shuffle."""
    rows = list(_rows(path))
    random.Random(0).shuffle(rows)
    for number, row in enumerate(rows[:limit]):
        label = _ENTAILMENT[row["y"]]
        if row["p"].split() and row["h"].split():
            words = (1,) * len(row["h"].split()) if label == (STATED,) else None
            claim = Claim(row["h"], label, words)
            yield Item(f"{row['src']}-{number}", "nli", row["src"], -1, (row["p"],), (claim,))


def wice(path: Path) -> Iterator[Item]:
    """Claims with a human label for each word; of the article, the lines with most of its words."""
    for number, row in enumerate(_rows(path)):
        wanted = {word.lower() for word in row["claim"] if len(word) > 3}
        lines = row["evidence"]
        shared = [len(wanted & {word.lower() for word in line.split()}) for line in lines]
        best = sorted(range(len(lines)), key=lambda place: -shared[place])[:_LONGEST_UNIT_TEXT]
        text = tuple(lines[place] for place in sorted(best) if lines[place].strip())
        words = [word for word in row["claim"] if word.strip()]
        marks = [
            mark for word, mark in zip(row["claim"], row["supported"], strict=True) if word.strip()
        ]
        if text:
            allowed = (STATED,) if all(marks) else _NOT_STATED
            claim = Claim(" ".join(words), allowed, tuple(marks))
            yield Item(f"wice-{number}", "wice", "encyclopedia", -1, text, (claim,))


def realsumm(folder: Path) -> Iterator[Item]:
    """Content units against the summaries of 25 systems."""
    units = [line.split("\t") for line in _lines(folder / "SCUs.txt")]
    for number, path in enumerate(sorted((folder / "summaries").glob("*.summary"))):
        present = _lines(folder / "labels" / f"{path.stem}.label")
        for document, summary in enumerate(_lines(path)):
            text = tuple(sentences(" ".join(summary.split())))
            marks = [int(mark) for mark in present[document].split("\t")]
            claims = tuple(
                Claim(
                    unit,
                    (STATED,) if mark else _NOT_STATED,
                    (1,) * len(unit.split()) if mark else None,
                    key=(document, place, number),
                )
                for place, (unit, mark) in enumerate(zip(units[document], marks, strict=True))
                if unit.split()
            )
            if text:
                yield Item(f"realsumm-{document}", "realsumm", "unit", -1, text, claims)


def stances(path: Path, left_out: set[str]) -> Iterator[Item]:
    """Headlines against articles; articles of `left_out` are in the labelled rumours."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        data = json.load(stream)
    claims: dict[str, list[Claim]] = {}
    for row in data["stances"]:
        if row["stance"] in _STANCES and row["body_id"] not in left_out and row["headline"].split():
            claim = Claim(row["headline"], _STANCES[row["stance"]])
            claims.setdefault(row["body_id"], []).append(claim)
    for body, found in sorted(claims.items()):
        text = tuple(sentences(data["bodies"][body]))
        if text:
            yield Item(f"stance-{body}", "stance", "news", -1, text, tuple(found))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")
