"""From the kept tokens of a sentence to a sentence that can be printed."""

import re
from collections.abc import Sequence
from itertools import pairwise

from commonground.narratives.statements.tree import Tree

_OPENING, _CLOSING = "“«([", "”»)]"
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"), ("«", "»"))
_EDGES = " ,;:-–—"
_END = re.compile(r"[.!?。！？؟।][\"”’')\]]*$")


def worded(tree: Tree, kept: Sequence[bool]) -> str:
    """The text of the kept tokens: spaced, quotes balanced, with a capital and a full stop."""
    parts: list[str] = []
    gap = False
    texts = _with_articles(tree, kept)
    for token, stays in enumerate(kept):
        if not stays:
            gap = True
            continue
        if parts and _clings(tree.texts[token]):
            parts[-1] = parts[-1].rstrip()
        elif parts and gap and not parts[-1].endswith(" "):
            parts.append(" ")
        gap = False
        parts.append(texts[token] + (" " if tree.spaced[token] else ""))
    return sentence_of("".join(parts))


def _with_articles(tree: Tree, kept: Sequence[bool]) -> list[str]:
    """The tokens, with "a" or "an" as the next word wants it where that word has changed."""
    texts = list(tree.texts)
    places = [n for n, stays in enumerate(kept) if stays]
    for one, other in pairwise(places):
        if other > one + 1 and tree.texts[one] in ("a", "an", "A", "An"):
            wanted = "an" if tree.texts[other][:1].lower() in "aeiou" else "a"
            texts[one] = wanted.capitalize() if tree.texts[one][0] == "A" else wanted
    return texts


def sentence_of(text: str) -> str:
    """A text as a sentence of its own."""
    text = _balanced(" ".join(text.split())).strip(_EDGES)
    if not text:
        return ""
    first = next((n for n, letter in enumerate(text) if letter.isalnum()), 0)
    text = text[:first] + text[first].upper() + text[first + 1 :]
    return text if _END.search(text) else text + "."


def _clings(text: str) -> bool:
    return text in {",", ".", ";", ":", "!", "?", "'s", "’s", "n't", "n’t", "”", ")", "]", "%"}


def _balanced(text: str) -> str:
    """Without marks whose partner is missing."""
    if text.count('"') % 2:
        text = text.replace('"', "")
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing):
            text = text.replace(opening, "").replace(closing, "")
    return text
