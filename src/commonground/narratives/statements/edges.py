"""What decides whether a part of a sentence can go: the features of one edge of its tree."""

from collections.abc import Iterator

import numpy as np

from commonground.narratives.statements.tree import Floats, Tree

_PUNCTUATION = frozenset((".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "_SP"))
_EMPTY = frozenset(("DT", "IN", "TO", "CC", "PRP", "PRP$", "MD", "RP", "EX", "WDT", "WP", "POS"))
_LONG = (1, 2, 4, 8, 16)


def is_mark(tree: Tree, token: int) -> bool:
    """Whether a token is punctuation, which comes and goes with its neighbours."""
    return tree.tags[token] in _PUNCTUATION or tree.deps[token] == "punct"


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
    some = [n for n in tree.below[token] if not is_mark(tree, n)]
    telling = [n for n in some if tree.tags[n] not in _EMPTY] or some or [token]
    values = logits[telling]
    return np.array([values.mean(), values.min(), values.max(), logits[token]])
