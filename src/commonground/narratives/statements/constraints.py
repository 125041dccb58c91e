"""What a cut must keep, and which punctuation marks stay in it."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from commonground.narratives.word_lists import word_list
from commonground.wording import Root, Tree

JOINING = frozenset(("cc", "preconj"))


def quotations(tree: Tree) -> list[int]:
    """Return for each token the number of its quotation, from 1 on; 0 outside quotations."""
    numbers, number, inside = [], 0, False
    for text, tag in zip(tree.texts, tree.tags, strict=True):
        mark = tag in ("``", "''") or text in ('"', "“", "”")
        inside ^= mark
        number += mark and inside
        numbers.append(number if inside or mark else 0)
    return numbers


def splits_quotation(tree: Tree, kept: Sequence[bool]) -> bool:
    """Say whether a cut keeps only part of a quotation."""
    kept_in: defaultdict[int, set[bool]] = defaultdict(set)
    for token, number in enumerate(quotations(tree)):
        if number and not tree.is_mark(token):
            kept_in[number].add(bool(kept[token]))
    return any(len(values) > 1 for values in kept_in.values())


def with_joints(tree: Tree, root: Root, kept: np.ndarray) -> None:
    """Keep a conjunction such as "and" only between two parts that stay."""
    for token in range(len(tree)):
        if tree.deps[token] in JOINING:
            head = tree.heads[token]
            joined = [n for n in root.children[head] if tree.deps[n] == "conj" and n > token]
            kept[token] = kept[head] and any(kept[n] for n in joined)


def with_marks(tree: Tree, kept: np.ndarray) -> None:
    """Keep marks between words that stay; of the marks around a gap, keep an unpaired one."""
    words = [n for n in range(len(tree)) if not tree.is_mark(n)]
    quoted = quotations(tree)
    for token in filter(tree.is_mark, range(len(tree))):
        if quoted[token]:
            inside = [n for n in words if quoted[n] == quoted[token]]
            kept[token] = bool(inside) and all(kept[n] for n in inside)
            continue
        before = next((n for n in reversed(words) if n < token), None)
        after = next((n for n in words if n > token), None)
        if after is None:
            kept[token] = before is not None and kept[before]
        elif before is None or kept[before]:
            kept[token] = kept[after] or _closes_aside(tree, kept, token)
        else:
            kept[token] = kept[after] and _opens_gap(tree, kept, before)


def with_comma_before_speaker(tree: Tree, kept: np.ndarray) -> None:
    """Keep the comma between speech and its speaker: "It rained, the paper wrote"."""
    for said, verb in enumerate(tree.heads):
        if tree.deps[said] == "ccomp" and said < verb and kept[said] and kept[verb]:
            last = max(n for n in tree.below[said] if kept[n] and not tree.is_mark(n))
            following = (n for n in range(last + 1, verb + 1) if kept[n] and not tree.is_mark(n))
            after = next(following, verb)
            commas = [n for n in range(last + 1, after) if tree.texts[n] == ","]
            if commas and not kept[last + 1 : after].any():
                kept[commas[-1]] = True


def _closes_aside(tree: Tree, kept: np.ndarray, token: int) -> bool:
    """Say whether a comma closes an aside that stays, although the words after it go."""
    following = next((n for n in range(token + 1, len(tree)) if kept[n]), None)
    if tree.texts[token] != "," or following is None or tree.is_mark(following - 1):
        return False
    return sum(bool(kept[n]) and tree.texts[n] == "," for n in range(token)) % 2 == 1


def _opens_gap(tree: Tree, kept: np.ndarray, last: int) -> bool:
    """Say whether the gap that ends here follows a word that stays, without a mark between."""
    first = last
    while first >= 0 and not kept[first] and not tree.is_mark(first):
        first -= 1
    return first >= 0 and bool(kept[first]) and not tree.is_mark(first)


# Without these a verb or preposition is incomplete, or the claim changes. Readers drop them in
# one cut of thirty.
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
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s", "’s"))


def held(tree: Tree, token: int, head: int) -> bool:
    """Say whether the claim would change without a token and its subtree."""
    dep = tree.deps[token]
    if dep in _HELD or tree.words[token] == tree.words[head]:
        return True
    if tree.lower[head] in _BEING and dep in ("prep", "advmod"):
        return True
    if dep == "nummod" and tree.tags[head] == "NN":  # "12 percent"
        return True
    rules = (_completes, _specifies, _is_second_of_two, _only_manner)
    if any(rule(tree, token, head) for rule in rules):
        return True
    inside = {tree.lower[token]}
    inside |= {tree.lower[n] for n in tree.children[token] if tree.deps[n] in ("mark", "advmod")}
    is_limit = len(tree.below[token]) <= 2 and not inside.isdisjoint(word_list("limits"))
    return is_limit or not inside.isdisjoint(_CONDITIONS)


def _completes(tree: Tree, token: int, head: int) -> bool:
    """Say whether a preposition completes a verb: "pay for the buses"."""
    if tree.deps[token] != "prep" or not tree.tags[head].startswith("VB"):
        return False
    # "confessed on Friday to breaking it"
    with_verb = any(tree.deps[n] == "pcomp" for n in tree.children[token])
    if tree.lower[token] == "as" or (tree.lower[token] == "to" and with_verb):
        return True
    beside = {tree.deps[n] for n in tree.children[head]}
    return (
        token == head + 1
        and tree.lower[token] in word_list("arguments")
        and not beside & {"dobj", "attr", "acomp", "xcomp", "ccomp", "nsubjpass", "auxpass"}
    )


def _specifies(tree: Tree, token: int, head: int) -> bool:
    """Say whether only "of" tells which is meant: "Members of the crew"."""
    return (
        tree.lower[token] == "of"
        and tree.tags[head] in ("NN", "NNS")
        and not any(tree.deps[n] in _SPECIFYING for n in tree.children[head])
    )


def _only_manner(tree: Tree, token: int, head: int) -> bool:
    """Say whether an adverb is all that a passive verb has: "is clearly written"."""
    deps = [tree.deps[n] for n in tree.children[head]]
    return (
        tree.deps[token] == "advmod"
        and "auxpass" in deps
        and deps.count("advmod") == 1
        and not {"prep", "agent", "oprd", "xcomp", "ccomp", "advcl", "npadvmod"} & {*deps}
    )


def _is_second_of_two(tree: Tree, token: int, head: int) -> bool:
    """Say whether two things are needed: "between the river and the road", "both he and she"."""
    above = tree.heads[head]
    beside = {tree.lower[n] for n in (*tree.children[head], *tree.children[above], above)}
    return tree.deps[token] == "conj" and not beside.isdisjoint(_NEED_TWO)


_OBJECTS = frozenset(("dobj", "attr", "acomp", "oprd", "ccomp", "xcomp"))


def complete(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    """Say whether a cut has everything that its root and its verbs require."""
    return _has_subject(tree, root, kept) and not any(
        stays and (_lost_object(tree, token, kept) or _says_nothing(tree, token, kept))
        for token, stays in enumerate(kept)
    )


def _has_subject(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    children = root.children[root.token]
    if any(tree.tags[n] == "TO" and tree.deps[n] == "aux" for n in children):
        return False  # "Those who pay to park": no finite verb
    if root.subject is not None:
        return kept[root.subject]
    # One of the words before the verb may be a subject that the parser missed.
    return all(kept[n] or tree.is_mark(n) for n in children if n < root.token)


def _says_nothing(tree: Tree, noun: int, kept: Sequence[bool]) -> bool:
    """Say whether "is a man who ..." has lost everything after "man"."""
    own = tree.children[noun]
    details = [n for n in own if tree.deps[n] not in ("det", "cc", "conj") and not tree.is_mark(n)]
    vague = tree.deps[noun] == "attr" and any(tree.lower[n] in ("a", "an") for n in own)
    return vague and bool(details) and not any(kept[n] for n in details)


def _lost_object(tree: Tree, verb: int, kept: Sequence[bool]) -> bool:
    """Say whether a verb lost the object of a joined verb: "They repair and sell clocks"."""
    own = tree.children[verb]
    if not tree.tags[verb].startswith("VB") or any(tree.deps[n] in _OBJECTS for n in own):
        return False
    if any(tree.deps[n] in ("prep", "advmod", "nsubj") for n in own if n > verb):
        return False
    return any(
        tree.deps[n] == "conj"
        and not kept[n]
        and any(tree.deps[m] == "dobj" for m in tree.children[n])
        for n in own
    )
