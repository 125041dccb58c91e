"""Step 1: bring all data sets into one file of items, with folds and nearest sentences.

    python -m training.prepare DATA OUT.jsonl.gz [--new-folds] [--entailment 150000] [--small]

DATA holds reading/, nli/ and scu/ (docs/reader.md lists them with their licences). The project's
own labelled events come from data/reading.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from commonground import encoders
from commonground.reader.network import pieces_of
from commonground.reader.text import LONGEST_SENTENCE, fits, nearest
from training import sources
from training.altered import altered, pool_with_altered
from training.folds import FOLDS, with_folds
from training.items import Claim, Item, write_items
from training.labels import read_lines
from training.wider import wider

OWN = Path(__file__).parent.parent / "data" / "reading"
_ALTERED = 6_000
_ALTERED_IN_POOL = 0.15
_WRITTEN = 80  # sentences of summaries that are read against one narrative
_POLICY_POOL = 300  # pairs of policies that nobody labelled
_PASSAGE = 26  # sentences of a policy in a new pair


def main() -> None:
    """Read all sources, find nearest sentences, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--entailment", type=int, default=150_000, help="entailment pairs")
    parser.add_argument("--new-folds", action="store_true", help="draw data/reader/folds.json anew")
    parser.add_argument("--small", action="store_true", help="a few items of each source")
    arguments = parser.parse_args()
    items = with_near(all_items(arguments.data, arguments.entailment, arguments.new_folds))
    if arguments.small:
        items = _few(items, 12)
    count = write_items(arguments.out, items)
    counts = Counter(
        {(item.source, item.kind if item.source == "own" else ""): 0 for item in items}
    )
    for item in items:
        counts[item.source, item.kind if item.source == "own" else ""] += len(item.claims)
    for (source, kind), number in counts.items():
        print(f"{source:10} {kind:12} {number:8,} sentences", file=sys.stderr)
    print(f"{count:,} items: {arguments.out}", file=sys.stderr)


def all_items(data: Path, entailment: int, new_folds: bool) -> list[Item]:
    """All sources; labelled ones and REALSumm with folds."""
    labelled = with_folds(labelled_items(data), new=new_folds)
    units = [
        replace(item, fold=int(item.id.split("-")[1]) % FOLDS)
        for item in sources.realsumm(data / "scu" / "REALSumm")
    ]
    rumours = [item.id for item in labelled if item.source == "rumours"]
    bodies = {body for name in rumours for body in name.removeprefix("stance").split("-")}
    known = {item.id for item in labelled}
    unlabelled = sources.pool(data / "reading" / "unlabelled.jsonl.gz")
    pool = [item for item in unlabelled if item.id not in known]
    pool += policy_pool(data, known)
    judged = {row["event"] for row in read_lines(OWN / "labels-summaries.jsonl")}
    fold = {item.id: item.fold for item in labelled}
    written = [
        replace(item, fold=fold.get(item.id, -1))
        for item in sources.summaries(data / "sos", judged, _WRITTEN)
    ]
    pooled = [*pool_with_altered(pool, _ALTERED_IN_POOL), *written]
    trained = [item for item in labelled if item.source != "disputed"]
    return [
        *labelled,
        *units,
        *sources.wice(data / "nli" / "wice_words.jsonl.gz"),
        *sources.stances(data / "nli" / "stances.json.gz", bodies),
        *altered([*labelled, *pool], _ALTERED),
        *pooled,
        *sources.entailment(data / "nli" / "train.jsonl.gz", entailment),
        *wider([*trained, *pooled]),
        *wider(trained, seed=1),  # of labelled events more, since few pool texts are not news
        *wider(trained, seed=2),
    ]


def labelled_items(data: Path) -> list[Item]:
    """The labelled events: those of DATA and the project's own."""
    found = []
    for name in ("pairs", "three_way", "rumours"):
        found += list(sources.reading(data / "reading" / f"{name}.jsonl", name))
    return [
        *found,
        *own_items(),
        *(item for event in policy_events(data) for item in sources.of_event(event, "policies")),
        *(item for event in news_events(data) for item in sources.of_event(event, "news")),
        *(
            item
            for event in _standing_off("labels-rumours.jsonl", _rumour_texts(data))
            for item in sources.of_event(event, "rumours")
        ),
    ]


def news_events(data: Path) -> list[dict]:
    """Events of the unlabelled news that were labelled later."""
    return list(_standing_off("labels-news.jsonl", _pool_texts(data)))


def _pool_texts(data: Path) -> dict[str, list[str]]:
    """The narratives of the unlabelled events, some of which were labelled later."""
    with gzip.open(data / "reading" / "unlabelled.jsonl.gz", "rt", encoding="utf-8") as stream:
        events = list(map(json.loads, stream))
    return {event["id"]: [one["text"] for one in event["narratives"]] for event in events}


def _rumour_texts(data: Path) -> dict[str, list[str]]:
    """The articles of each later labelled rumour; an id such as "stance806-994" names them."""
    with gzip.open(data / "nli" / "stances.json.gz", "rt", encoding="utf-8") as stream:
        bodies = json.load(stream)["bodies"]
    names = [labels["id"] for labels in read_lines(OWN / "labels-rumours.jsonl")]
    return {name: [bodies[n] for n in name.removeprefix("stance").split("-")] for name in names}


def _standing_off(file: str, texts: dict[str, list[str]]) -> Iterator[dict]:
    """Events whose labels stand off from the texts; `spans` are the sentences of each text."""
    for labels in read_lines(OWN / file):
        narratives = [
            [text[start:end] for start, end in spans]
            for text, spans in zip(texts[labels["id"]], labels["spans"], strict=True)
        ]
        yield {"kind": "news", "narratives": narratives, **labels}


def policy_events(data: Path) -> Iterator[dict]:
    """Policies of DATA in new pairs; an id such as "policy000.0+policy102.1" names the passages."""
    events = {event["id"]: event for event in read_lines(data / "reading" / "pairs.jsonl")}
    for labels in read_lines(OWN / "labels-policies.jsonl"):
        sides = [side.split(".") for side in labels["id"].split("+")]
        narratives = [events[name]["narratives"][int(n)][:_PASSAGE] for name, n in sides]
        yield {"kind": "policy", "narratives": narratives, **labels}


def policy_pool(data: Path, known: set[str], seed: int = 0) -> list[Item]:
    """Passages of policies in pairs that are not labelled, nothing known."""
    events = read_lines(data / "reading" / "pairs.jsonl")
    passages = [
        (f"{event['id']}.{n}", tuple(one[:_PASSAGE]))
        for event in events
        if event["kind"] == "policy"
        for n, one in enumerate(event["narratives"])
    ]
    rng = random.Random(seed)
    found: list[Item] = []
    for _ in range(_POLICY_POOL):
        (a, own), (b, text) = rng.sample(passages, 2)
        if a.split(".")[0] != b.split(".")[0] and not {f"{a}+{b}", f"{b}+{a}"} & known:
            claims = tuple(Claim(sentence) for sentence in own)
            found.append(Item(f"{a}+{b}", "pool", "policy", -1, text, claims))
    return found


def own_items() -> list[Item]:
    """The events of data/reading with their first labels."""
    events = {event["id"]: event for event in read_lines(OWN / "events.jsonl")}
    return [
        item
        for labels in read_lines(OWN / "labels.jsonl")
        for item in sources.of_event({**events[labels["id"]], **labels}, _own(labels["id"]))
    ]


def _own(event: str) -> str:
    """The source of an own event; "disputed" is never trained on.

    Two in five sentences of pa- and pb- events are contradicted, of real policies one in a hundred.
    """
    return "disputed" if event.startswith(("pa-", "pb-")) else "own"


def with_near(items: Sequence[Item]) -> list[Item]:
    """Add to each claim the sentences of the text that it is read against."""
    long = [item for item in items if not fits(_pieces(item.text))]
    wanted = {text for item in long for text in item.text}
    wanted |= {claim.sentence for item in long for claim in item.claims}
    ordered = sorted(wanted)
    vectors = dict(zip(ordered, encoders.load().encode(ordered), strict=True))
    done = []
    for item in items:
        pieces = _pieces(item.text)
        everything = tuple(range(len(item.text)))
        if fits(pieces):
            claims = tuple(replace(claim, near=everything) for claim in item.claims)
        else:
            rows = np.array([vectors[text] for text in item.text])
            claims = tuple(
                replace(claim, near=tuple(nearest(rows @ vectors[claim.sentence], pieces)))
                for claim in item.claims
            )
        done.append(replace(item, claims=claims))
    return done


def _pieces(text: Iterable[str]) -> list[int]:
    return [_count(sentence) for sentence in text]


@cache
def _count(sentence: str) -> int:
    return min(len(pieces_of(sentence).ids), LONGEST_SENTENCE)


def _few(items: Sequence[Item], number: int) -> list[Item]:
    by_source: dict[str, list[Item]] = {}
    for item in random.Random(0).sample(list(items), len(items)):
        by_source.setdefault(item.source, []).append(item)
    return [item for group in by_source.values() for item in group[:number]]


if __name__ == "__main__":
    main()
