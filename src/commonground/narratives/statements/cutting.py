"""The longest cut of a sentence that other texts state and that is still a sentence.

A sentence is cut along its tree: what hangs on a token stays or goes as a whole, or is cut in
turn. A logistic model gives each edge the odds that a careful reader drops what hangs on it, from
the edge itself and from how well the other texts state the part. The best cut is found exactly, by
dynamic programming. `training/cuts.py` fits the model on cuts that readers made by hand.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from commonground.narratives.statements.constraints import (
    JOINING,
    complete,
    held,
    quotations,
    with_comma_before_speaker,
    with_joints,
    with_marks,
)
from commonground.narratives.statements.tree import Floats, Root, Tree
from commonground.narratives.word_lists import data_text

_EMPTY = frozenset(("DT", "IN", "TO", "CC", "PRP", "PRP$", "MD", "RP", "EX", "WDT", "WP", "POS"))
_LONG = (1, 2, 4, 8, 16)


def edge(tree: Tree, token: int, head: int) -> Iterator[str]:
    """The features of the edge from a head to a token that do not depend on any other text."""
    dep, tag, above = tree.deps[token], tree.tags[token], tree.tags[head]
    word, ruler = tree.texts[token].lower(), tree.texts[head].lower()
    side = "l" if token < head else "r"
    some = tree.below[token]
    size = sum(len(some) >= limit for limit in _LONG)
    first, last = some[0], some[-1]
    yield from (
        dep,
        f"{dep} {above}",
        f"{dep} {tag}",
        f"{dep} {side}",
        f"{dep} {size}",
        f"{dep} {word}",
        f"{dep} < {ruler}",
        f"{dep} {word} < {ruler}",
        f"{dep} {tree.deps[head]}",
        f"{tag} {above}",
    )
    if first > 0 and tree.texts[first - 1] in ",;:-—–(":
        yield f"{dep} after comma"
    if last + 1 < len(tree) and tree.texts[last + 1] in ",;:-—–)":
        yield f"{dep} before comma"
    if first == 0:
        yield f"{dep} begins"
    if last >= len(tree) - 2:
        yield f"{dep} ends"
    beside = {tree.deps[child] for child in tree.children[head]}
    for other in ("neg", "dobj", "ccomp", "xcomp", "conj", "attr"):
        if other in beside and other != dep:
            yield f"{dep} beside {other}"
    inside = {tree.deps[child] for child in tree.children[token]}
    if "neg" in inside:
        yield f"{dep} denied"
    marks = (n for n in tree.children[token] if tree.deps[n] == "mark")
    yield from (f"{dep} {tree.texts[n].lower()}" for n in marks)


def support(tree: Tree, token: int, logits: Floats) -> Floats:
    """How well another text states a part: mean, least, most and head, as log odds."""
    some = [n for n in tree.below[token] if not tree.is_mark(n)]
    telling = [n for n in some if tree.tags[n] not in _EMPTY] or some or [token]
    values = logits[telling]
    return np.array([values.mean(), values.min(), values.max(), logits[token]])


_NEVER = 30.0  # log odds of keeping what must not go
LEANINGS = (-1.5, 0.0, 1.5)
"""How much more readily parts are dropped, one cut for each."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A part of a sentence.

    Attributes:
        root: The token that all of it hangs on.
        kept: Which tokens stay.
        dropped: Head and token of each edge that was cut.
    """

    root: int
    kept: tuple[bool, ...]
    dropped: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CutModel:
    """What a reader drops.

    Attributes:
        edges: The weight of each feature of an edge beside support, and of "" (the intercept).
        support: The weights of the support of the part.
        alone: The weight of each feature where nothing is known of support: what can go at all.
        form: The weights of the features of a whole cut: whether it is a good sentence.
        seams: The weights of what meets at its seams, and of "" (the intercept).
    """

    edges: Mapping[str, float]
    support: Floats
    alone: Mapping[str, float]
    form: Floats
    seams: Mapping[str, float]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "CutModel":
        """From plain values."""
        return cls(
            values["edges"],
            np.array(values["support"], dtype=np.float64),
            values["alone"],
            np.array(values["form"], dtype=np.float64),
            values["seams"],
        )

    def odds(self, tree: Tree, token: int, head: int, logits: Floats) -> float:
        """Log odds that what hangs on the token is dropped."""
        known = sum(self.edges.get(name, 0.0) for name in edge(tree, token, head))
        part = float(support(tree, token, logits) @ self.support)
        return self.edges[""] + known + part

    def freely(self, tree: Tree, token: int, head: int) -> float:
        """The same where nothing is known of any other text."""
        return self.alone[""] + sum(self.alone.get(name, 0.0) for name in edge(tree, token, head))


@cache
def fitted() -> CutModel:
    """The model of the package."""
    text = data_text("cuts.json")
    return CutModel.of(json.loads(text))


def cuts(tree: Tree, logits: Floats, model: CutModel | None = None) -> list[Cut]:
    """The best cuts of a sentence, from the longest on; the whole sentence is not among them.

    Args:
        tree: The sentence.
        logits: For each token the log odds that enough other texts state it, given that they
            state a part of the sentence.
        model: Another one than that of the package.
    """
    model = model or fitted()
    found: dict[tuple[bool, ...], Cut] = {}
    for root in tree.roots:
        odds = _odds(tree, root, logits, model)
        for leaning in LEANINGS:
            one = _best(tree, root, odds, leaning)
            if not all(one.kept) and complete(tree, root, one.kept):
                found.setdefault(one.kept, one)
    return sorted(found.values(), key=lambda one: (-sum(one.kept), one.kept))


def _odds(tree: Tree, root: Root, logits: Floats, model: CutModel) -> dict[tuple[int, int], float]:
    quoted = quotations(tree)
    found = {}
    for head, children in enumerate(root.children):
        for token in children:
            if tree.is_mark(token) or tree.deps[token] in JOINING:
                continue
            held_here = held(tree, token, head) or (
                quoted[token] and quoted[token] == quoted[head] and quoted[token] > 0
            )
            found[head, token] = -_NEVER if held_here else model.odds(tree, token, head, logits)
    return found


def _best(tree: Tree, root: Root, odds: Mapping[tuple[int, int], float], leaning: float) -> Cut:
    kept = np.zeros(len(tree), dtype=bool)
    dropped: list[tuple[int, int]] = []
    values: dict[int, float] = {}

    def keep(head: int) -> float:
        """The best log probability of what hangs on a token that stays."""
        if head not in values:
            values[head] = sum(
                max(_keeps(head, child), _drops(head, child))
                for child in root.children[head]
                if (head, child) in odds
            )
        return values[head]

    def _keeps(head: int, child: int) -> float:
        return -float(np.logaddexp(0, odds[head, child] + leaning)) + keep(child)

    def _drops(head: int, child: int) -> float:
        return -float(np.logaddexp(0, -odds[head, child] - leaning))

    stack = [root.token]
    while stack:
        head = stack.pop()
        kept[head] = True
        for child in root.children[head]:
            if (head, child) in odds:
                if _keeps(head, child) >= _drops(head, child):
                    stack.append(child)
                else:
                    dropped.append((head, child))
    with_joints(tree, root, kept)
    with_marks(tree, kept)
    with_comma_before_speaker(tree, kept)
    return Cut(root.token, tuple(map(bool, kept)), tuple(dropped))


def enough(values: Sequence[Floats], wanted: int) -> Floats:
    """Of several texts' values for each word, the one that `wanted` of them reach."""
    return np.asarray(np.sort(np.array(values), axis=0)[len(values) - wanted])


def form_features(tree: Tree, cut: Cut, model: CutModel) -> Floats:
    """What tells whether a cut is a good sentence: how freely its parts go, and its size."""
    odds = [model.freely(tree, token, head) for head, token in cut.dropped]
    logs = [-float(np.logaddexp(0, -one)) for one in odds]
    words = sum(kept and not tree.is_mark(n) for n, kept in enumerate(cut.kept))
    size = [len(logs), np.log(max(words, 1)), float(cut.root != tree.root)]
    return np.array([sum(logs), min(logs, default=0.0), *size])


def seams(tree: Tree, cut: Cut) -> Iterator[str]:
    """Parts of speech that meet where something was dropped, at the beginning and at the end."""
    kept = [n for n, stays in enumerate(cut.kept) if stays]
    words = [n for n in kept if not tree.is_mark(n)]
    if not words:
        return
    yield f"^ {tree.tags[words[0]]}"
    yield f"{tree.tags[words[-1]]} $"
    for one, other in pairwise(kept):
        if other > one + 1 and not tree.is_mark(other):
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
