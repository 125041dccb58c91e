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
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from commonground.narratives.statements.complete import complete
from commonground.narratives.statements.edges import edge, is_mark, support
from commonground.narratives.statements.tree import Floats, Root, Tree

_NEVER = 30.0  # log odds of keeping what must not go
# Without these a verb or preposition is not complete, or the claim is another one. Readers drop
# them in one cut of thirty.
_HELD = frozenset(
    (
        "neg", "aux", "auxpass", "prt", "expl", "quantmod", "mark", "case", "det", "poss",
        "nsubj", "nsubjpass", "csubj", "csubjpass", "dobj", "attr", "acomp", "oprd", "dative",
        "xcomp", "ccomp", "pobj", "pcomp",
    )
)  # fmt: skip
_CONDITIONS = frozenset(("if", "unless", "until", "provided", "except", "without", "according"))
_SPECIFYING = frozenset(("det", "poss", "nummod"))
_NEED_TWO = frozenset(("between", "both", "together", "respectively", "either", "neither"))
_JOINING = frozenset(("cc", "preconj"))
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s", "’s"))
_QUOTES = frozenset(("``", "''"))
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
    text = (files("commonground.narratives") / "data" / "cuts.json").read_text("utf-8")
    return CutModel.of(json.loads(text))


@cache
def arguments() -> frozenset[str]:
    """Prepositions that often complete a verb."""
    text = (files("commonground.narratives") / "data" / "arguments.txt").read_text("utf-8")
    return frozenset(text.split())


@cache
def limits() -> frozenset[str]:
    """Words whose loss would make a claim stronger: "alleged", "at least", "not yet"."""
    text = (files("commonground.narratives") / "data" / "limits.txt").read_text("utf-8")
    return frozenset(text.split())


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
    quoted = _quotations(tree)
    found = {}
    for head, children in enumerate(root.children):
        for token in children:
            if is_mark(tree, token) or tree.deps[token] in _JOINING:
                continue
            held_here = held(tree, token, head) or (
                quoted[token] and quoted[token] == quoted[head] and quoted[token] > 0
            )
            found[head, token] = -_NEVER if held_here else model.odds(tree, token, head, logits)
    return found


def held(tree: Tree, token: int, head: int) -> bool:
    """Whether the claim would be another one without it."""
    if tree.deps[token] in _HELD or tree.words[token] == tree.words[head]:
        return True
    if tree.texts[head].lower() in _BEING and tree.deps[token] in ("prep", "advmod"):
        return True
    if _completes(tree, token, head) or _measures(tree, token, head):
        return True
    if _specifies(tree, token, head) or _joins_in(tree, token, head):
        return True
    if _only_manner(tree, token, head):
        return True
    inside = {tree.texts[token].lower()}
    inside |= {
        tree.texts[n].lower() for n in tree.children[token] if tree.deps[n] in ("mark", "advmod")
    }
    if inside & _CONDITIONS:
        return True
    return len(tree.below[token]) <= 2 and bool(inside & limits())


def _completes(tree: Tree, token: int, head: int) -> bool:
    """Whether a preposition right after a verb without object completes it: "pay for the buses"."""
    if tree.deps[token] != "prep" or not tree.tags[head].startswith("VB"):
        return False
    if tree.texts[token].lower() == "as" or _admits_to(tree, token):
        return True
    beside = {tree.deps[n] for n in tree.children[head]}
    return (
        token == head + 1
        and tree.texts[token].lower() in arguments()
        and not beside & {"dobj", "attr", "acomp", "xcomp", "ccomp", "nsubjpass", "auxpass"}
    )


def _admits_to(tree: Tree, token: int) -> bool:
    """Whether a preposition brings a verb: "confessed on Friday to breaking it"."""
    return tree.texts[token].lower() == "to" and any(
        tree.deps[n] == "pcomp" for n in tree.children[token]
    )


def _measures(tree: Tree, token: int, head: int) -> bool:
    """Whether a number belongs to a measure, as in "12 percent"."""
    return tree.deps[token] == "nummod" and tree.tags[head] == "NN"


def _specifies(tree: Tree, token: int, head: int) -> bool:
    """Whether "of" says which: "Members of the crew", without an article or another word."""
    return (
        tree.texts[token].lower() == "of"
        and tree.tags[head] in ("NN", "NNS")
        and not any(tree.deps[n] in _SPECIFYING for n in tree.children[head])
    )


def _only_manner(tree: Tree, token: int, head: int) -> bool:
    """Whether an adverb is all that a passive verb tells: "is clearly written"."""
    deps = [tree.deps[n] for n in tree.children[head]]
    return (
        tree.deps[token] == "advmod"
        and "auxpass" in deps
        and deps.count("advmod") == 1
        and not {"prep", "agent", "oprd", "xcomp", "ccomp", "advcl", "npadvmod"} & {*deps}
    )


def _joins_in(tree: Tree, token: int, head: int) -> bool:
    """Whether a second thing is needed: "between the river and the road", "both he and she"."""
    if tree.deps[token] != "conj":
        return False
    above = tree.heads[head]
    beside = {tree.texts[n].lower() for n in (*tree.children[head], *tree.children[above], above)}
    return bool(beside & _NEED_TWO)


def _quotations(tree: Tree) -> list[int]:
    """The number of the quotation that each token is in; 0 for none."""
    found, number, inside = [], 0, False
    for token in range(len(tree)):
        if tree.tags[token] in _QUOTES or tree.texts[token] in ('"', "“", "”"):
            inside = not inside
            number += inside
            found.append(number)
        else:
            found.append(number if inside else 0)
    return found


def splits_quotation(tree: Tree, kept: Sequence[bool]) -> bool:
    """Whether a cut keeps a part of a quotation only."""
    quoted = _quotations(tree)
    found: dict[int, set[bool]] = {}
    for token, stays in enumerate(kept):
        if quoted[token] and not is_mark(tree, token):
            found.setdefault(quoted[token], set()).add(bool(stays))
    return any(len(some) > 1 for some in found.values())


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
    _with_comma_before_speaker(tree, kept)
    return Cut(root.token, tuple(map(bool, kept)), tuple(dropped))


def with_joints(tree: Tree, root: Root, kept: np.ndarray) -> None:
    """Keep a joining word such as "and" where it joins two things that stay."""
    for token in range(len(tree)):
        if tree.deps[token] in _JOINING:
            head = tree.heads[token]
            joined = [n for n in root.children[head] if tree.deps[n] == "conj" and n > token]
            kept[token] = kept[head] and any(kept[n] for n in joined)


def with_marks(tree: Tree, kept: np.ndarray) -> None:
    """A mark stays between words that stay; of marks around what goes, one that has no partner."""
    words = [n for n in range(len(tree)) if not is_mark(tree, n)]
    quoted = _quotations(tree)
    for token in range(len(tree)):
        if is_mark(tree, token) and quoted[token]:
            inside = [n for n in words if quoted[n] == quoted[token]]
            kept[token] = bool(inside) and all(kept[n] for n in inside)
        elif is_mark(tree, token):
            before = next((n for n in reversed(words) if n < token), None)
            after = next((n for n in words if n > token), None)
            if after is None:
                kept[token] = before is not None and kept[before]
            elif before is None or kept[before]:
                kept[token] = kept[after] or _closes(tree, kept, token)
            else:
                kept[token] = kept[after] and _alone(tree, kept, before)


def _with_comma_before_speaker(tree: Tree, kept: np.ndarray) -> None:
    """What is said stands before a comma and who says it: "It rained, the paper wrote"."""
    for said, verb in enumerate(tree.heads):
        if tree.deps[said] == "ccomp" and said < verb and kept[said] and kept[verb]:
            last = max(n for n in tree.below[said] if kept[n] and not is_mark(tree, n))
            following = (n for n in range(last + 1, verb + 1) if kept[n] and not is_mark(tree, n))
            after = next(following, verb)
            commas = [n for n in range(last + 1, after) if tree.texts[n] == ","]
            if commas and not kept[last + 1 : after].any():
                kept[commas[-1]] = True


def _closes(tree: Tree, kept: np.ndarray, token: int) -> bool:
    """Whether a comma closes an aside that stays, where what followed it goes."""
    following = next((n for n in range(token + 1, len(tree)) if kept[n]), None)
    if tree.texts[token] != "," or following is None or is_mark(tree, following - 1):
        return False
    return sum(bool(kept[n]) and tree.texts[n] == "," for n in range(token)) % 2 == 1


def _alone(tree: Tree, kept: np.ndarray, last: int) -> bool:
    """Whether what goes up to this token follows a word that stays, without a mark between."""
    first = last
    while first >= 0 and (not kept[first]) and not is_mark(tree, first):
        first -= 1
    return first >= 0 and bool(kept[first]) and not is_mark(tree, first)


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


def enough(values: Sequence[Floats], wanted: int) -> Floats:
    """Of several texts' values for each word, the one that `wanted` of them reach."""
    return np.asarray(np.sort(np.array(values), axis=0)[len(values) - wanted])
