"""Whether a statement stands alone: no opener, no pronoun without its name, no fragment."""

import re
from collections.abc import Sequence

from commonground.narratives.statements.tree import Tree
from commonground.narratives.word_lists import word_list

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_ELSEWHERE = frozenset(("following", "above", "other"))
_NEVER_ALONE = frozenset(("such", "that"))
_DEMONSTRATIVE = frozenset(("this", "these", "those"))
_ANTECEDENTS = 2  # nouns before an "it" of which one may be meant
_OWN = frozenset(("our", "your"))
_ONE_PERSON = frozenset(("he", "she"))
_POINTING = frozenset(("he", "she", "it", "they", "this", "that", "these", "those", "which", "who"))
_DATELINE = re.compile(r"[A-Z][A-Z.,'/ ]{2,40}(?:\([^)]{1,30}\))?\s*[-–—]+$")
_CLOSING = frozenset("\"'”’)]»")
_BEGINNING = 12  # tokens that a dateline has at most


def lead(tree: Tree) -> int:
    """How many tokens at the beginning are a dateline or only join the sentence to another."""
    for count in range(1, min(_BEGINNING, len(tree))):
        if tree.texts[count - 1] in ("-", "–", "—", "--"):
            begun = "".join(
                text + " " * spaced
                for text, spaced in zip(tree.texts[:count], tree.spaced, strict=False)
            )
            return count if _DATELINE.match(begun.strip()) else 0
    first = _heading(tree)
    while first < len(tree) and (
        tree.tags[first] == "CC"
        or (tree.tags[first] == "RB" and tree.texts[first].lower() in word_list("openers"))
    ):
        first += 1
        while first < len(tree) and tree.texts[first] == ",":
            first += 1
    return first


def told_among(trees: Sequence[Tree]) -> list[bool]:
    """Which sentences of a narrative tell something; all of them where none seems to."""
    ended = [_ends(tree) for tree in trees]
    marked = sum(ended) * 2 >= len(ended)  # else it is written without full stops
    found = [
        _has_verb(tree, end) and (end or not marked) and not _breaks_off(tree)
        for tree, end in zip(trees, ended, strict=True)
    ]
    return found if any(found) else [len(tree) > 0 for tree in trees]


def _heading(tree: Tree) -> int:
    """How many tokens at the beginning are a heading in capitals that runs into the sentence."""
    count = 0
    while count < len(tree) and (tree.texts[count].isupper() or not tree.texts[count].isalnum()):
        count += 1
    words = [text for text in tree.texts[:count] if text.isalpha() and len(text) > 1]
    follows = count < len(tree) and tree.texts[count][:1].isalpha()
    # The last capital may be the "I" or "A" that begins the sentence.
    while count and tree.texts[count - 1] in ("I", "A"):
        count -= 1
    shouted = len(words) >= 2 and follows and tree.texts[count][:1].isupper()
    return count if shouted else 0


def _has_verb(tree: Tree, ended: bool) -> bool:
    """Whether there is a finite verb; with a full stop any verb will do, since taggers err."""
    return any(tag in _FINITE or (ended and tag.startswith("VB")) for tag in tree.tags)


def _last(tree: Tree) -> str:
    return next((text for text in reversed(tree.texts) if text not in _CLOSING), "")


def _ends(tree: Tree) -> bool:
    """Whether it ends as a sentence that asks nothing does."""
    return _last(tree)[-1:] in (".", "!", ";", "。", "؟", "！")


def _breaks_off(tree: Tree) -> bool:
    end = _last(tree)
    return end.endswith(("...", "…", "?", ":"))


def pointers(tree: Tree, kept: Sequence[bool]) -> int:
    """How many words point to what is said elsewhere: "there", "such", "its" at the start."""
    words = [n for n, stays in enumerate(kept) if stays and not tree.is_mark(n)]
    count = 0
    for place, token in enumerate(words):
        text, dep = tree.texts[token].lower(), tree.deps[token]
        named_before = any(tree.tags[n].startswith("NN") for n in words[:place])
        count += text in ("there", "here", "then") and dep == "advmod"
        count += tree.tags[token] == "PRP$" and not named_before and text not in _OWN
        count += text in _ELSEWHERE | _DEMONSTRATIVE and dep in ("det", "amod", "predet")
    return count


def points_away(tree: Tree, kept: Sequence[bool]) -> bool:
    """Whether it speaks of something that only another sentence names: "such a garden"."""
    words = [n for n, stays in enumerate(kept) if stays and not tree.is_mark(n)]
    for place, token in enumerate(words):
        text, dep = tree.texts[token].lower(), tree.deps[token]
        of_subject = tree.deps[tree.heads[token]] in _SUBJECTS
        if dep in ("det", "amod", "predet") and (
            text in _NEVER_ALONE or (text in _DEMONSTRATIVE and of_subject)
        ):
            return True
        nouns = sum(tree.tags[n].startswith("NN") for n in words[:place])
        if text in ("it", "them") and dep in ("dobj", "pobj") and nouns < _ANTECEDENTS:
            return True
    return False


def named(tree: Tree, kept: Sequence[bool], before: Sequence[Tree]) -> dict[int, str] | None:
    """The pronouns of a cut that need a name, each with it; None where one has no sure name.

    A name is sure where the sentence before has one subject that is a name, and the cut speaks of
    one person.
    """
    words = [n for n, stays in enumerate(kept) if stays and not tree.is_mark(n)]
    found: dict[int, str] = {}
    for place, token in enumerate(words):
        text = tree.texts[token].lower()
        if text == "so" and tree.deps[token] == "advmod" and tree.heads[token] < token:
            return None  # "decided so"
        if text not in _POINTING or tree.deps[token] not in _SUBJECTS:
            continue
        if any(_may_be_meant(tree, n) for n in words[:place]):
            continue  # the cut itself may say who
        if text not in _ONE_PERSON or not before:
            return None
        name = _subject(before[-1])
        if name is None:
            return None
        found[token] = name
    return found


def _may_be_meant(tree: Tree, token: int) -> bool:
    """Whether a later pronoun may mean it: "The crew said they slept", not "On Tuesday they"."""
    return tree.tags[token].startswith("NN") and tree.deps[token] not in ("pobj", "npadvmod")


def _subject(tree: Tree) -> str | None:
    subjects = [
        n
        for n in range(len(tree))
        if tree.deps[n] in _SUBJECTS and tree.tags[n] in ("NNP", "NNPS", "PRP")
    ]
    others = {
        n for n in range(len(tree)) if tree.tags[n] == "NNP" and tree.deps[n] in ("dobj", "agent")
    }
    if len(subjects) != 1 or others or tree.tags[subjects[0]] != "NNP":
        return None
    (subject,) = subjects
    if any(tree.deps[n] == "det" for n in tree.children[subject]):
        return None  # "the Justice Department" is nobody
    parts = [
        n for n in tree.children[subject] if tree.deps[n] == "compound" and tree.tags[n] == "NNP"
    ]
    return " ".join(tree.texts[n] for n in sorted([*parts, subject]))
