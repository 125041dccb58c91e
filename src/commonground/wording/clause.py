"""Clauses that stand alone: with their own subject and verb, and a name for each pronoun."""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from commonground.wording.tree import Tree

Bools = NDArray[np.bool_]

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl", "csubj", "csubjpass"))
_NAMED_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_HELPERS = frozenset(("aux", "auxpass"))
# A verb or preposition is not complete without these.
_NEEDED = frozenset(
    (
        "ccomp", "xcomp", "dobj", "attr", "acomp", "oprd", "pobj", "pcomp", "prt", "neg", "agent",
        "aux", "auxpass",
    )
)  # fmt: skip
# What may stay although its head is in another clause: shared subjects, auxiliaries and adverbs.
_LENT = _SUBJECTS | _HELPERS | {"neg", "advmod", "mark"}
_JOINING = frozenset(("mark", "cc", "advmod", "preconj"))
_OPENERS = frozenset(
    ("that", "because", "and", "but", "or", "yet", "as", "since", "while", "whereas", "although",
     "though", "so", "nor", "however", "then")
)  # fmt: skip
# After these a clause is a condition, a question or a part of another clause.
_LEANING = frozenset(
    ("if", "when", "whether", "unless", "than", "where", "who", "which", "whose", "whom", "what",
     "how", "why", "until", "before", "after", "only", "just")
)  # fmt: skip
_RELATIVE = frozenset(("WDT", "WP", "WP$", "WRB"))
_CONDITIONS = frozenset(("if", "unless", "whether", "provided"))
_PERSONS = frozenset(("he", "she", "him", "her", "his"))
_THINGS = {"it": "it", "its": "it", "they": "they", "them": "they", "their": "they"}
_PRONOUNS = _PERSONS | _THINGS.keys() | {"this", "these", "those", "that"}
_STANDING_FOR = frozenset(("rest", "others", "latter", "former"))
_ARGUMENTS = frozenset(("nsubj", "nsubjpass", "dobj", "pobj", "attr"))
_BARE = 3  # tokens of a clause that has nothing but a subject, a verb and "and"
_FAR = 3  # sentences in which a person was named
_LEFT_OUT = frozenset(("relcl", "acl", "appos", "punct", "cc", "conj", "advcl"))


def clause_cut(tree: Tree, inside: Bools) -> list[bool] | None:
    """Return the tokens of a clause that is a sentence by itself; None if it is not.

    Args:
        tree: The sentence.
        inside: Whether each token is in the clause.
    """
    tokens = _trimmed(tree, np.flatnonzero(inside).tolist())
    if not tokens or tree.texts[tokens[0]].lower() in _LEANING:
        return None
    kept = set(tokens)
    verbs = {
        tree.heads[n] if tree.deps[n] in _HELPERS else n for n in tokens if tree.tags[n] in _FINITE
    }
    main = [verb for verb in verbs & kept if tree.heads[verb] not in kept or tree.root == verb]
    if len(main) != 1 or _denied_above(tree, main[0]) or _leans(tree, main[0], kept):
        return None
    subjects = [n for n in tokens if tree.deps[n] in _SUBJECTS and n < main[0] + 2]
    own = [n for n in subjects if tree.heads[n] == main[0]] or subjects
    if not own or tree.tags[own[0]] in ("WDT", "WP"):
        return None
    lost = any(
        child not in kept and _needs(tree, child) for n in tokens for child in tree.children[n]
    )
    loose = any(
        tree.heads[n] not in kept and n != main[0] and tree.deps[n] not in _LENT
        for n in tokens
        if not tree.is_mark(n)
    )
    return None if lost or loose else [n in kept for n in range(len(tree))]


def _leans(tree: Tree, verb: int, kept: Set[int]) -> bool:
    """Whether a clause is part of a noun, an aside, or has the word that joins it to another."""
    near = kept & {*tree.children[verb], *_subject(tree, verb)}
    relative = tree.deps[verb] in ("relcl", "parataxis") or any(
        tree.tags[n] in _RELATIVE for n in near
    )
    return relative or any(tree.deps[n] == "mark" for n in near)


def _subject(tree: Tree, verb: int) -> list[int]:
    subjects = [n for n in tree.children[verb] if tree.deps[n] in _SUBJECTS]
    return [n for subject in subjects for n in tree.below[subject] if n < subject + 3]


def _needs(tree: Tree, child: int) -> bool:
    """Whether its head is not complete without it: an object, or "the belief that ..."."""
    if tree.deps[child] == "relcl":  # without a comma it says which one is meant
        first = tree.below[child][0]
        return first > 0 and tree.texts[first - 1] not in (",", "(", "–", "—", "-")
    if tree.deps[child] == "acl":
        return any(tree.texts[n].lower() == "that" for n in tree.children[child])
    # "somebody walks or drives past": a bare verb leans on the one that it is joined to.
    bare = len(tree.below[tree.heads[child]]) - len(tree.below[child]) <= _BARE
    return tree.deps[child] in _NEEDED or (tree.deps[child] == "conj" and bare)


def _trimmed(tree: Tree, tokens: list[int]) -> list[int]:
    """Remove joining words and marks at both ends."""
    while tokens and (
        tree.is_mark(tokens[0])
        or (tree.deps[tokens[0]] in _JOINING and tree.texts[tokens[0]].lower() in _OPENERS)
    ):
        tokens = tokens[1:]
    while tokens and (
        tree.tags[tokens[-1]] == "CC"
        or (tree.is_mark(tokens[-1]) and tree.texts[tokens[-1]] not in '!?"”)')
    ):
        tokens = tokens[:-1]
    return tokens


def _denied_above(tree: Tree, verb: int) -> bool:
    """Whether what governs a clause denies it or makes it a condition: "does not feel it will"."""
    while tree.heads[verb] != verb:
        marks = {tree.texts[n].lower() for n in tree.children[verb] if tree.deps[n] == "mark"}
        if marks & _CONDITIONS:
            return True
        joined, verb = tree.deps[verb] == "conj", tree.heads[verb]
        if not joined and any(tree.deps[n] == "neg" for n in tree.children[verb]):
            return True
    return False


def resolve(tree: Tree, kept: Sequence[bool], before: Sequence[Tree]) -> tuple[dict[int, str], int]:
    """Return names for pronouns, and the number of pronouns that have none.

    Args:
        tree: The sentence.
        kept: The tokens of the wording.
        before: The sentences before it.
    """
    words = [n for n, stays in enumerate(kept) if stays and not tree.is_mark(n)]
    names: dict[int, str] = {}
    unnamed = 0
    for rank, token in enumerate(words):
        if not _points(tree, token) or any(_may_be_meant(tree, n, token) for n in words[:rank]):
            continue
        name = _antecedent(tree, token, before)
        if name:
            names[token] = name + "'s" * (tree.tags[token] == "PRP$")
        else:
            unnamed += 1
    return names, unnamed


def _points(tree: Tree, token: int) -> bool:
    """Whether a token is a pronoun, or a noun such as "the rest", that stands for something."""
    word = tree.texts[token].lower()
    if tree.tags[token] == "DT":
        return word in _PRONOUNS and tree.deps[token] in _ARGUMENTS
    if tree.tags[token] in ("PRP", "PRP$") and word in _PRONOUNS:
        return word != "it" or not _is_dummy(tree, token)
    return word in _STANDING_FOR and not any(tree.texts[n] == "of" for n in tree.children[token])


def _may_be_meant(tree: Tree, noun: int, pronoun: int) -> bool:
    """Whether a noun of the wording itself may be what a later pronoun stands for."""
    word = tree.texts[pronoun].lower()
    if not tree.tags[noun].startswith("NN") or word in _STANDING_FOR:
        return False
    subjects = [n for n in tree.children[tree.root] if tree.deps[n] in _SUBJECTS]
    fronted = noun < min(subjects, default=0)
    loosely = tree.deps[noun] in ("npadvmod", "compound") or (
        tree.deps[noun] == "pobj" and (fronted or tree.deps[pronoun] in _NAMED_SUBJECTS)
    )
    if tree.tags[pronoun] == "DT" or loosely:
        return False
    person = word in _PERSONS
    return tree.tags[noun] == "NNP" if person else _fits(tree, noun, word)


def _is_dummy(tree: Tree, token: int) -> bool:
    """Whether "it" stands for a clause that follows: "It is said that ..."."""
    return any(
        tree.deps[n] in ("ccomp", "csubj", "csubjpass") and n > tree.heads[token]
        for n in tree.children[tree.heads[token]]
    )


def _antecedent(tree: Tree, token: int, before: Sequence[Tree]) -> str | None:
    """Return who a pronoun means, if that is sure: the only person named, or the only noun."""
    pronoun = tree.texts[token].lower()
    person = pronoun in _PERSONS
    here = [n for n in range(token) if tree.tags[n].startswith("NN") and _fits(tree, n, pronoun)]
    subjects = [n for n in here if tree.deps[n] in _NAMED_SUBJECTS]
    if here:
        return _noun_phrase(tree, subjects[0]) if len(here) == len(subjects) == 1 else None
    for earlier in reversed(before[-_FAR:] if person else before[-1:]):
        nouns = [n for n in range(len(earlier)) if _fits(earlier, n, pronoun)]
        subjects = [n for n in nouns if earlier.deps[n] in _NAMED_SUBJECTS]
        # A person is called by name; of things, only a single one is sure.
        if nouns:
            sure = len(subjects) == 1 and (person or len(nouns) == 1)
            return _noun_phrase(earlier, subjects[0]) if sure else None
    return None


def _fits(tree: Tree, noun: int, pronoun: str) -> bool:
    """Whether a pronoun may stand for a noun: a name, a singular noun or a plural one."""
    joined = any(tree.deps[n] == "conj" for n in tree.children[noun])
    plural = joined or tree.tags[noun] in ("NNS", "NNPS")
    if pronoun in _PERSONS:
        article = any(tree.deps[n] == "det" for n in tree.children[noun])
        return tree.tags[noun] == "NNP" and not joined and not article
    if _THINGS.get(pronoun) == "it":
        return tree.tags[noun] in ("NN", "NNP") and not plural
    return _THINGS.get(pronoun) == "they" and plural


def _noun_phrase(tree: Tree, noun: int) -> str:
    """Return a noun with what belongs to it, without clauses."""
    tokens = [noun]
    for token in tokens:
        tokens += [
            n
            for n in tree.children[token]
            if tree.deps[n] not in _LEFT_OUT
            and (tree.deps[n] != "prep" or tree.texts[n].lower() == "of")
        ]
    pieces = [tree.texts[n] + " " * tree.spaced[n] for n in sorted(tokens)]
    return "".join(pieces).strip()
