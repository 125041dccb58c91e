"""What a cut must keep, and which marks stay in it."""

from collections.abc import Sequence

import numpy as np

from commonground.narratives.statements.tree import Root, Tree
from commonground.narratives.word_lists import word_list

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
        if quoted[token] and not tree.is_mark(token):
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
    words = [n for n in range(len(tree)) if not tree.is_mark(n)]
    quoted = quotations(tree)
    for token in range(len(tree)):
        if tree.is_mark(token) and quoted[token]:
            inside = [n for n in words if quoted[n] == quoted[token]]
            kept[token] = bool(inside) and all(kept[n] for n in inside)
        elif tree.is_mark(token):
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
            last = max(n for n in tree.below[said] if kept[n] and not tree.is_mark(n))
            following = (n for n in range(last + 1, verb + 1) if kept[n] and not tree.is_mark(n))
            after = next(following, verb)
            commas = [n for n in range(last + 1, after) if tree.texts[n] == ","]
            if commas and not kept[last + 1 : after].any():
                kept[commas[-1]] = True


def _closes(tree: Tree, kept: np.ndarray, token: int) -> bool:
    """Whether a comma closes an aside that stays, where what followed it goes."""
    following = next((n for n in range(token + 1, len(tree)) if kept[n]), None)
    if tree.texts[token] != "," or following is None or tree.is_mark(following - 1):
        return False
    return sum(bool(kept[n]) and tree.texts[n] == "," for n in range(token)) % 2 == 1


def _alone(tree: Tree, kept: np.ndarray, last: int) -> bool:
    """Whether what goes up to this token follows a word that stays, without a mark between."""
    first = last
    while first >= 0 and (not kept[first]) and not tree.is_mark(first):
        first -= 1
    return first >= 0 and bool(kept[first]) and not tree.is_mark(first)


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
_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "'s", "’s"))


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
    return len(tree.below[token]) <= 2 and bool(inside & word_list("limits"))


def _completes(tree: Tree, token: int, head: int) -> bool:
    """Whether a preposition right after a verb without object completes it: "pay for the buses"."""
    if tree.deps[token] != "prep" or not tree.tags[head].startswith("VB"):
        return False
    if tree.texts[token].lower() == "as" or _admits_to(tree, token):
        return True
    beside = {tree.deps[n] for n in tree.children[head]}
    return (
        token == head + 1
        and tree.texts[token].lower() in word_list("arguments")
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


_OBJECTS = frozenset(("dobj", "attr", "acomp", "oprd", "ccomp", "xcomp"))


def complete(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    """Whether a cut has all that its root and its verbs cannot do without."""
    return _begins_well(tree, root, kept) and not any(
        stays and (_lost_object(tree, token, kept) or _says_nothing(tree, token, kept))
        for token, stays in enumerate(kept)
    )


def _begins_well(tree: Tree, root: Root, kept: Sequence[bool]) -> bool:
    """Without a subject, what stands before the verb may be one that the parser missed."""
    if any(tree.tags[n] == "TO" and tree.deps[n] == "aux" for n in root.children[root.token]):
        return False  # "Those who pay to park": no finite verb
    if root.subject is not None:
        return kept[root.subject]
    return all(kept[n] or tree.is_mark(n) for n in root.children[root.token] if n < root.token)


def _says_nothing(tree: Tree, noun: int, kept: Sequence[bool]) -> bool:
    """Whether "is a man who ..." has lost all that it told."""
    own = tree.children[noun]
    told = [n for n in own if tree.deps[n] not in ("det", "cc", "conj") and not tree.is_mark(n)]
    vague = any(tree.texts[n].lower() in ("a", "an") for n in own)
    return tree.deps[noun] == "attr" and vague and bool(told) and not any(kept[n] for n in told)


def _lost_object(tree: Tree, verb: int, kept: Sequence[bool]) -> bool:
    """Whether a verb shared the object of another one that went: "They repair and sell clocks"."""
    if not tree.tags[verb].startswith("VB"):
        return False
    if any(tree.deps[n] in _OBJECTS for n in tree.children[verb]):
        return False
    return any(
        tree.deps[n] == "conj"
        and not kept[n]
        and any(tree.deps[m] == "dobj" for m in tree.children[n])
        and not any(
            tree.deps[m] in ("prep", "advmod", "nsubj") for m in tree.children[verb] if m > verb
        )
        for n in tree.children[verb]
    )
