"""A wider pool: sentences cut at random, and texts with sentences left out, for a teacher to read.

A small student learns a pool of whole sentences by heart (docs/reader.md has the figures). Cuts
are also what the overlap reads; a text without some of its sentences shows what support rests on.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from commonground.narratives.statements.cutting import cuts
from commonground.text import forget, parse
from commonground.wording import Tree, worded
from training.altered import change
from training.items import Claim, Item

_STAYS = 0.6  # share of a thinned text's sentences
_WHOLE, _CUT, _CUT_OF_FULL = 0.5, 0.6, 0.75  # how often a sentence is read, whole or cut
_ALTERED = 0.12
_LONGEST = 80  # words; longer sentences are lists and tables
_SHORTEST = 3
_BATCH = 2_000


def wider(items: Sequence[Item], seed: int = 0) -> Iterator[Item]:
    """Yield new pool items for each item: cuts against its text, and anything against less of it.

    They keep the id and the fold of their event, so that no fold sees its own events.
    """
    rng = random.Random(seed)
    found = _cuts({claim.sentence for item in items for claim in item.claims}, rng)
    for item in items:
        sentences = [claim.sentence for claim in item.claims]
        whole = [one for one in sentences if rng.random() < _WHOLE]
        some = [rng.choice(found[one]) for one in sentences if found[one] and rng.random() < _CUT]
        thin = tuple(one for one in item.text if rng.random() < _STAYS)
        if thin and len(thin) < len(item.text):
            yield from _made(item, thin, [*whole, *some], rng)
        full = [
            rng.choice(found[one])
            for one in sentences
            if found[one] and rng.random() < _CUT_OF_FULL
        ]
        yield from _made(item, item.text, full, rng)


def _made(
    item: Item, text: tuple[str, ...], sentences: Iterable[str], rng: random.Random
) -> Iterator[Item]:
    claims = [Claim(sentence) for sentence in sentences]
    for claim in tuple(claims):
        changed = change(claim.sentence.split(), rng) if rng.random() < _ALTERED else None
        if changed:
            claims.append(Claim(" ".join(changed[0])))
    if claims:
        yield replace(item, source="pool", text=text, claims=tuple(claims))


def _cuts(sentences: Iterable[str], rng: random.Random) -> dict[str, list[str]]:
    """Cuts of each sentence as the overlap makes them, by odds drawn at random."""
    found: dict[str, list[str]] = {}
    ordered = sorted(sentences)
    for start in range(0, len(ordered), _BATCH):
        some = ordered[start : start + _BATCH]
        readable = [one if len(one.split()) <= _LONGEST else "" for one in some]
        for sentence, doc in zip(some, parse(readable), strict=True):
            tree = Tree.of(doc)
            kept = cuts(tree, _odds(len(tree), rng)) if len(tree) else []
            made = {worded(tree, one.kept) for one in kept}
            found[sentence] = sorted(one for one in made if len(one.split()) >= _SHORTEST)
        forget()
    return found


def _odds(count: int, rng: random.Random) -> np.ndarray:
    """Random log odds of words; neighbours go together, as what a text states does."""
    steps = np.array([rng.gauss(0, 1) for _ in range(count + 4)])
    smooth = np.convolve(steps, np.ones(5) / 5, mode="valid")
    return rng.gauss(0.5, 1.0) + 6 * smooth
