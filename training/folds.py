"""Which event is held out when: events that share a sentence stay together.

The folds that the shipped model was measured with are in data/reader/folds.json; an event that is
not in it (labelled later, or never trained on) has fold -1.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from training.items import Item

FOLDS = 4


KNOWN = Path(__file__).parent.parent / "data" / "reader" / "folds.json"


def with_folds(items: Sequence[Item], *, new: bool = False) -> list[Item]:
    """Give each event its fold; `new` draws folds for all events and writes them down."""
    if new:
        fold = assign(item for item in items if item.source != "disputed")
        KNOWN.write_text(json.dumps(fold, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    else:
        fold = json.loads(KNOWN.read_text(encoding="utf-8"))
    return [replace(item, fold=fold.get(item.id, -1)) for item in items]


def assign(items: Iterable[Item], seed: int = 0) -> dict[str, int]:
    """Draw the fold of each event, evenly within each kind of each source."""
    strata: dict[str, tuple[str, str]] = {}
    parent: dict[str, str] = {}
    first: dict[str, str] = {}
    for item in items:
        strata.setdefault(item.id, (item.source, item.kind))
        parent.setdefault(item.id, item.id)
        for sentence in (*item.text, *(claim.sentence for claim in item.claims)):
            if len(sentence.split()) >= 6:
                other = first.setdefault(sentence, item.id)
                parent[_root(parent, item.id)] = _root(parent, other)
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(strata):
        groups[_root(parent, name)].append(name)
    rng = random.Random(seed)
    filled: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * FOLDS)
    fold = {}
    roots = sorted(groups)
    rng.shuffle(roots)
    for root in roots:
        counts = filled[strata[groups[root][0]]]
        chosen = counts.index(min(counts))
        counts[chosen] += len(groups[root])
        fold.update(dict.fromkeys(groups[root], chosen))
    return fold


def _root(parent: dict[str, str], name: str) -> str:
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name
