"""Which event is held out when, and what must then not be trained on.

The folds that the shipped model was measured with are in data/reader/folds.json; an event that is
not in it (labelled later, or never trained on) has fold -1.
"""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from training.items import Item

FOLDS = 4
KNOWN = Path(__file__).parent.parent / "data" / "reader" / "folds.json"
_TELLING = 6  # words of a sentence that two events have in common only if they share a text


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
    strata: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, stratum in sorted({(item.id, (item.source, item.kind)) for item in items}):
        strata[stratum].append(name)
    rng = random.Random(seed)
    fold = {}
    for _, names in sorted(strata.items()):
        rng.shuffle(names)
        fold |= {name: place % FOLDS for place, name in enumerate(names)}
    return fold


def left_out(items: Sequence[Item], held: set[int]) -> set[str]:
    """The events that a model measured on these folds must not see: they and near copies.

    Policies recur in many pairs. A passage may be seen beside another text, since its labels are
    others there; an event that shares sentences with a held-out one on both sides is left out too.
    """
    own = {item.id for item in items if item.fold in held}
    texts: dict[str, set[int]] = defaultdict(set)
    claims: dict[str, set[int]] = defaultdict(set)
    for number, item in enumerate(items):
        if item.id in own:
            for sentence in _telling(item.text):
                texts[sentence].add(number)
            for sentence in _telling(claim.sentence for claim in item.claims):
                claims[sentence].add(number)
    copies = {
        item.id
        for item in items
        if item.fold >= 0
        and _found(item.text, texts) & _found((one.sentence for one in item.claims), claims)
    }
    return own | copies


def _found(sentences: Iterable[str], known: dict[str, set[int]]) -> set[int]:
    return {number for sentence in _telling(sentences) for number in known.get(sentence, ())}


def _telling(sentences: Iterable[str]) -> Iterator[str]:
    return (sentence for sentence in sentences if len(sentence.split()) >= _TELLING)
