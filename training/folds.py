"""Which event is held out when: events that share a sentence stay together."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from training.items import Item

FOLDS = 4


def with_folds(items: Sequence[Item], seed: int = 0) -> list[Item]:
    """Give each event a fold, evenly within each kind of each source."""
    fold = assign(items, seed)
    return [replace(item, fold=fold[item.id]) for item in items]


def assign(items: Iterable[Item], seed: int = 0) -> dict[str, int]:
    """The fold of each event."""
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
