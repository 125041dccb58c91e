"""Whether a cut is a good sentence: learnt from cuts by hand and random ones."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from commonground.narratives.statements.cutting import Cut, CutModel, fitted
from commonground.narratives.statements.edges import is_mark
from commonground.narratives.statements.tree import Floats, Tree


def form_features(tree: Tree, cut: Cut, model: CutModel) -> Floats:
    """What tells whether a cut is a good sentence: how freely its parts go, and its size."""
    odds = [model.freely(tree, token, head) for head, token in cut.dropped]
    logs = [-float(np.logaddexp(0, -one)) for one in odds]
    words = sum(kept and not is_mark(tree, n) for n, kept in enumerate(cut.kept))
    size = [len(logs), np.log(max(words, 1)), float(cut.root != tree.root)]
    return np.array([sum(logs), min(logs, default=0.0), *size])


def seams(tree: Tree, cut: Cut) -> Iterator[str]:
    """Parts of speech that meet where something was dropped, at the beginning and at the end."""
    kept = [n for n, stays in enumerate(cut.kept) if stays]
    words = [n for n in kept if not is_mark(tree, n)]
    if not words:
        return
    yield f"^ {tree.tags[words[0]]}"
    yield f"{tree.tags[words[-1]]} $"
    for one, other in pairwise(kept):
        if other > one + 1 and not is_mark(tree, other):
            yield f"{tree.tags[one]} {tree.tags[other]}"
            yield f"{tree.tags[one]} {tree.deps[other]}"
            yield f"{tree.deps[one]} {tree.deps[other]}"
    yield from (f"- {tree.deps[token]} {tree.deps[head]}" for head, token in cut.dropped)


def form(tree: Tree, cut: Cut, model: CutModel | None = None) -> float:
    """The probability that a cut is a good sentence."""
    model = model or fitted()
    value = float(form_features(tree, cut, model) @ model.form) + model.seams[""]
    value += sum(model.seams.get(name, 0.0) for name in seams(tree, cut))
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))
