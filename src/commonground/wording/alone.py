"""Whether a cut can stand alone: no opener, no unresolved pronoun, no fragment."""

import re
from collections.abc import Sequence

from commonground.text import list_lines
from commonground.wording.tree import SUBJECTS, Tree

_OPENERS = frozenset(list_lines("commonground.wording", "openers"))
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_ELSEWHERE = frozenset(("following", "above", "other"))
_NEVER_ALONE = frozenset(("such", "that"))
_DEMONSTRATIVE = frozenset(("this", "these", "those"))
_DETERMINERS = frozenset(("det", "amod", "predet"))
_ANTECEDENTS = 2  # nouns before an object pronoun that make it clear enough
_OWN = frozenset(("our", "your"))
_ONE_PERSON = frozenset(("he", "she"))
_PRONOUNS = frozenset(("he", "she", "it", "they", "this", "that", "these", "those", "which", "who"))
_DATELINE = re.compile(r"[A-Z][A-Z.,'/ ]{2,40}(?:\([^)]{1,30}\))?\s*[-–—]+$")
_CLOSING = frozenset("\"'”’)]»")
_DATELINE_TOKENS = 12


def lead(tree: Tree) -> int:
    """Count the first tokens that are a dateline, a heading or a link to the sentence before."""
    for count in range(1, min(_DATELINE_TOKENS, len(tree))):
        if tree.texts[count - 1] in ("-", "–", "—", "--"):
            tokens = zip(tree.texts[:count], tree.spaced, strict=False)
            start = "".join(text + " " * spaced for text, spaced in tokens)
            return count if _DATELINE.match(start.strip()) else 0
    first = _heading(tree)
    while first < len(tree) and (
        tree.tags[first] == "CC" or (tree.tags[first] == "RB" and tree.lower[first] in _OPENERS)
    ):
        first += 1
        while first < len(tree) and tree.texts[first] == ",":
            first += 1
    return first


def _heading(tree: Tree) -> int:
    """Count the first tokens that are a heading in capitals that runs into the sentence."""
    count = 0
    while count < len(tree) and (tree.texts[count].isupper() or not tree.texts[count].isalnum()):
        count += 1
    words = [text for text in tree.texts[:count] if text.isalpha() and len(text) > 1]
    continues = count < len(tree) and tree.texts[count][:1].isalpha()
    # The last capital may be the "I" or "A" that begins the sentence.
    while count and tree.texts[count - 1] in ("I", "A"):
        count -= 1
    return count if len(words) >= 2 and continues and tree.texts[count][:1].isupper() else 0


def are_statements(trees: Sequence[Tree]) -> list[bool]:
    """Say which sentences of a narrative are statements; all of them if none seems to be."""
    last = [next((t for t in reversed(tree.texts) if t not in _CLOSING), "") for tree in trees]
    ended = [token.endswith((".", "!", ";", "。", "؟", "！")) for token in last]
    punctuated = sum(ended) * 2 >= len(ended)
    # After a full stop any verb form counts, since taggers err.
    result = [
        any(tag in _FINITE or (end and tag.startswith("VB")) for tag in tree.tags)
        and (end or not punctuated)
        and not token.endswith(("...", "…", "?", ":"))
        for tree, token, end in zip(trees, last, ended, strict=True)
    ]
    return result if any(result) else [len(tree) > 0 for tree in trees]


def pointers(tree: Tree, kept: Sequence[bool]) -> int:
    """Count the words that refer to another sentence: "there", "such", "its" at the start."""
    words = tree.kept_words(kept)
    count = 0
    for index, token in enumerate(words):
        text, dep = tree.lower[token], tree.deps[token]
        noun_before = any(map(tree.is_noun, words[:index]))
        count += text in ("there", "here", "then") and dep == "advmod"
        count += tree.tags[token] == "PRP$" and not noun_before and text not in _OWN
        count += text in _ELSEWHERE | _DEMONSTRATIVE and dep in _DETERMINERS
    return count


def points_away(tree: Tree, kept: Sequence[bool]) -> bool:
    """Say whether a cut mentions what only another sentence names: "such a garden"."""
    words = tree.kept_words(kept)
    for index, token in enumerate(words):
        text, dep = tree.lower[token], tree.deps[token]
        of_subject = tree.deps[tree.heads[token]] in SUBJECTS
        if dep in _DETERMINERS and (
            text in _NEVER_ALONE or (text in _DEMONSTRATIVE and of_subject)
        ):
            return True
        nouns = sum(map(tree.is_noun, words[:index]))
        if text in ("it", "them") and dep in ("dobj", "pobj") and nouns < _ANTECEDENTS:
            return True
    return False


def named(tree: Tree, kept: Sequence[bool], before: Sequence[Tree]) -> dict[int, str] | None:
    """Return the pronouns that need a name, each with its name; None if one has no sure name.

    A name is sure if it is the only subject of the sentence before, and the pronoun is "he" or
    "she".
    """
    words = tree.kept_words(kept)
    names: dict[int, str] = {}
    for index, token in enumerate(words):
        text = tree.lower[token]
        if text == "so" and tree.deps[token] == "advmod" and tree.heads[token] < token:
            return None  # "decided so"
        if text not in _PRONOUNS or tree.deps[token] not in SUBJECTS:
            continue
        # "The crew said they slept", but not "On Tuesday they slept".
        if any(tree.is_noun(n) and tree.deps[n] not in ("pobj", "npadvmod") for n in words[:index]):
            continue
        name = _subject_name(before[-1]) if before and text in _ONE_PERSON else None
        if name is None:
            return None
        names[token] = name
    return names


def _subject_name(tree: Tree) -> str | None:
    """Return the name of the only person that a sentence can be about."""
    tokens = range(len(tree))
    subjects = [
        n for n in tokens if tree.deps[n] in SUBJECTS and tree.tags[n] in ("NNP", "NNPS", "PRP")
    ]
    others = any(tree.tags[n] == "NNP" and tree.deps[n] in ("dobj", "agent") for n in tokens)
    if len(subjects) != 1 or others or tree.tags[subjects[0]] != "NNP":
        return None
    (subject,) = subjects
    if any(tree.deps[n] == "det" for n in tree.children[subject]):
        return None  # "the Justice Department" is not a person
    parts = [
        n for n in tree.children[subject] if tree.deps[n] == "compound" and tree.tags[n] == "NNP"
    ]
    return " ".join(tree.texts[n] for n in sorted([*parts, subject]))
