"""Marks and joining words of a cut: commas, quotation marks, "and"."""

from collections.abc import Sequence

import numpy as np

from commonground.narratives.statements.edges import is_mark
from commonground.narratives.statements.tree import Root, Tree

JOINING = frozenset(("cc", "preconj"))
_QUOTES = frozenset(("``", "''"))


def quotations(tree: Tree) -> list[int]:
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
    quoted = quotations(tree)
    found: dict[int, set[bool]] = {}
    for token, stays in enumerate(kept):
        if quoted[token] and not is_mark(tree, token):
            found.setdefault(quoted[token], set()).add(bool(stays))
    return any(len(some) > 1 for some in found.values())


def with_joints(tree: Tree, root: Root, kept: np.ndarray) -> None:
    """Keep a joining word such as "and" where it joins two things that stay."""
    for token in range(len(tree)):
        if tree.deps[token] in JOINING:
            head = tree.heads[token]
            joined = [n for n in root.children[head] if tree.deps[n] == "conj" and n > token]
            kept[token] = kept[head] and any(kept[n] for n in joined)


def with_marks(tree: Tree, kept: np.ndarray) -> None:
    """A mark stays between words that stay; of marks around what goes, one that has no partner."""
    words = [n for n in range(len(tree)) if not is_mark(tree, n)]
    quoted = quotations(tree)
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


def with_comma_before_speaker(tree: Tree, kept: np.ndarray) -> None:
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
