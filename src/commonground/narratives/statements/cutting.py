"""The longest cut of a sentence that other texts state and that is still a sentence.

A sentence is cut along its tree: a subtree is kept, dropped, or cut in turn. A logistic model gives
each edge the odds that a careful reader drops the subtree, from the edge itself and from how well
the other texts state the subtree. The best cut is found exactly, by dynamic programming.
`training/cuts.py` fits the model on cuts that readers made by hand.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import inf

import numpy as np

from commonground.narratives.logistic import Floats, sigmoid
from commonground.narratives.statements.constraints import (
    JOINING,
    complete,
    held,
    quotations,
    with_comma_before_speaker,
    with_joints,
    with_marks,
)
from commonground.narratives.statements.wholes import splits_whole, wholes, with_wholes
from commonground.narratives.word_lists import data_text
from commonground.wording import Root, Tree

_EMPTY = frozenset(("DT", "IN", "TO", "CC", "PRP", "PRP$", "MD", "RP", "EX", "WDT", "WP", "POS"))
_SIZES = (1, 2, 4, 8, 16)

_Edge = tuple[int, int]  # head and token


def edge(tree: Tree, token: int, head: int) -> Iterator[str]:
    """Yield the features of the edge from a head to a token, without those of other texts."""
    dep, tag, head_tag = tree.deps[token], tree.tags[token], tree.tags[head]
    word, head_word = tree.lower[token], tree.lower[head]
    side = "l" if token < head else "r"
    subtree = tree.below[token]
    size = sum(len(subtree) >= limit for limit in _SIZES)
    first, last = subtree[0], subtree[-1]
    yield from (dep, f"{dep} {head_tag}", f"{dep} {tag}", f"{dep} {side}", f"{dep} {size}")
    yield from (f"{dep} {word}", f"{dep} < {head_word}", f"{dep} {word} < {head_word}")
    yield from (f"{dep} {tree.deps[head]}", f"{tag} {head_tag}")
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
    if any(tree.deps[child] == "neg" for child in tree.children[token]):
        yield f"{dep} denied"
    marks = (n for n in tree.children[token] if tree.deps[n] == "mark")
    yield from (f"{dep} {tree.lower[n]}" for n in marks)


def support(tree: Tree, token: int, logits: Floats) -> Floats:
    """Return the log odds that another text states a subtree: mean, min, max and head."""
    words = [n for n in tree.below[token] if not tree.is_mark(n)]
    content = [n for n in words if tree.tags[n] not in _EMPTY] or words or [token]
    values = logits[content]
    return np.array([values.mean(), values.min(), values.max(), logits[token]])


_NEVER = 30.0  # log odds of keeping what must stay
LEANINGS = (-1.5, 0.0, 1.5)
"""Shifts of the log odds that a part is dropped; each gives one cut."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A part of a sentence.

    Attributes:
        root: Its root.
        kept: Whether each token stays.
        dropped: Head and token of each edge that was cut.
    """

    root: int
    kept: tuple[bool, ...]
    dropped: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CutModel:
    """Weights of what a reader drops, and of whether a cut is a good sentence.

    Attributes:
        edges: Weights of the features of an edge if support is known; "" is the intercept.
        support: Weights of the support of the subtree.
        alone: Weights of the features of an edge if support is unknown; "" is the intercept.
        form: Weights of the features of a whole cut.
        seams: Weights of the parts of speech that meet at its seams; "" is the intercept.
    """

    edges: Mapping[str, float]
    support: Floats
    alone: Mapping[str, float]
    form: Floats
    seams: Mapping[str, float]

    def odds(self, tree: Tree, token: int, head: int, logits: Floats) -> float:
        """Return the log odds that the subtree of a token is dropped."""
        known = sum(self.edges.get(name, 0.0) for name in edge(tree, token, head))
        part = float(support(tree, token, logits) @ self.support)
        return self.edges[""] + known + part

    def freely(self, tree: Tree, token: int, head: int) -> float:
        """Return the same log odds without knowledge of any other text."""
        return self.alone[""] + sum(self.alone.get(name, 0.0) for name in edge(tree, token, head))


@cache
def fitted() -> CutModel:
    """Load the model of the package."""
    values = json.loads(data_text("cuts.json"))
    arrays = {name: np.array(values[name], dtype=np.float64) for name in ("support", "form")}
    return CutModel(**{**values, **arrays})


def cuts(tree: Tree, logits: Floats, model: CutModel | None = None) -> list[Cut]:
    """Return the best cuts of a sentence, longest first, without the whole sentence.

    Args:
        tree: The sentence.
        logits: For each token the log odds that enough other texts state it, given that they
            state part of the sentence.
        model: The model to use (default: that of the package).
    """
    result: dict[tuple[bool, ...], Cut] = {}
    whole = wholes(tree)
    for root in tree.roots:
        odds = _odds(tree, root, logits, model or fitted())
        for leaning in LEANINGS:
            cut = _best(tree, root, odds, whole, leaning)
            fits = complete(tree, root, cut.kept) and not splits_whole(tree, whole, cut.kept)
            if fits and not all(cut.kept):
                result.setdefault(cut.kept, cut)
    return sorted(result.values(), key=lambda cut: (-sum(cut.kept), cut.kept))


def _odds(tree: Tree, root: Root, logits: Floats, model: CutModel) -> dict[_Edge, float]:
    """Return the log odds that each edge, by head and token, is cut."""
    quoted = quotations(tree)
    odds = {}
    for head, children in enumerate(root.children):
        for token in children:
            if tree.is_mark(token) or tree.deps[token] in JOINING:
                continue
            stays = held(tree, token, head) or 0 < quoted[token] == quoted[head]
            odds[head, token] = -_NEVER if stays else model.odds(tree, token, head, logits)
    return odds


def _best(
    tree: Tree,
    root: Root,
    odds: Mapping[_Edge, float],
    whole: Sequence[int],
    leaning: float,
) -> Cut:
    kept = np.zeros(len(tree), dtype=bool)
    dropped: list[tuple[int, int]] = []
    shifted = np.array([*odds.values()]) + leaning
    stays, goes = _log_probabilities(odds, shifted), _log_probabilities(odds, -shifted)

    def children(head: int) -> Iterator[int]:
        return (child for child in root.children[head] if (head, child) in odds)

    @cache
    def below(head: int) -> float:
        """Return the best log probability of the decisions below a token that stays."""
        return sum(max(keep(head, child), drop(head, child)) for child in children(head))

    def keep(head: int, child: int) -> float:
        return stays[head, child] + below(child)

    def drop(head: int, child: int) -> float:
        # Part of a date cannot go, but if it is unlikely, so is the whole date with its phrase.
        if 0 < whole[head] == whole[child]:
            return -inf
        return goes[head, child]

    stack = [root.token]
    while stack:
        head = stack.pop()
        kept[head] = True
        for child in children(head):
            if keep(head, child) >= drop(head, child):
                stack.append(child)
            else:
                dropped.append((head, child))
    with_joints(tree, root, kept)
    with_wholes(tree, whole, kept)
    with_marks(tree, kept)
    with_comma_before_speaker(tree, kept)
    return Cut(root.token, tuple(map(bool, kept)), tuple(dropped))


def _log_probabilities(edges: Iterable[_Edge], odds: Floats) -> dict[_Edge, float]:
    """Return the log probability that each edge is not cut, given the log odds that it is."""
    values: list[float] = (-np.logaddexp(0, odds)).tolist()
    return dict(zip(edges, values, strict=True))


def enough(values: Sequence[Floats], wanted: int) -> Floats:
    """Return for each word the value that `wanted` of several texts reach."""
    return np.asarray(np.sort(np.array(values), axis=0)[len(values) - wanted])


def form_features(tree: Tree, cut: Cut, model: CutModel) -> Floats:
    """Return the features of a cut: how freely its parts can be dropped, and its size."""
    odds = [model.freely(tree, token, head) for head, token in cut.dropped]
    logs = [-float(np.logaddexp(0, -value)) for value in odds]
    words = len(tree.kept_words(cut.kept))
    size = [len(logs), np.log(max(words, 1)), float(cut.root != tree.root)]
    return np.array([sum(logs), min(logs, default=0.0), *size])


def seams(tree: Tree, cut: Cut) -> Iterator[str]:
    """Yield the tags and labels that meet where parts were dropped, and those at both ends."""
    kept = [n for n, stays in enumerate(cut.kept) if stays]
    words = tree.kept_words(cut.kept)
    if not words:
        return
    yield f"^ {tree.tags[words[0]]}"
    yield f"{tree.tags[words[-1]]} $"
    for before, after in pairwise(kept):
        if after > before + 1 and not tree.is_mark(after):
            yield f"{tree.tags[before]} {tree.tags[after]}"
            yield f"{tree.tags[before]} {tree.deps[after]}"
            yield f"{tree.deps[before]} {tree.deps[after]}"
    yield from (f"- {tree.deps[token]} {tree.deps[head]}" for head, token in cut.dropped)


def form(tree: Tree, cut: Cut, model: CutModel | None = None) -> float:
    """Return the probability that a cut is a good sentence."""
    model = model or fitted()
    value = float(form_features(tree, cut, model) @ model.form) + model.seams[""]
    value += sum(model.seams.get(name, 0.0) for name in seams(tree, cut))
    return sigmoid(value)
