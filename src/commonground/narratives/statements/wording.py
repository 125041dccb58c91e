"""The words of a statement, and its kept tokens as a sentence that can be printed."""

import re
from collections.abc import Sequence
from itertools import pairwise

from commonground.narratives.statements.tree import Tree
from commonground.narratives.texts import STOP_WORDS
from commonground.text import stem

_AROUND = ".,;:!?\"'“”‘’()[]"
_CONTAINED = 0.85  # share of stems from which one text contains another


def bare(word: str) -> str:
    """Return a word in lower case without punctuation around it."""
    return word.strip(_AROUND).lower()


def is_content(word: str) -> bool:
    """Whether a word carries content, not only grammar."""
    return bool(bare(word)) and bare(word) not in STOP_WORDS


def stems(text: str) -> set[str]:
    """Return the stems of the content words."""
    return {stem(bare(word)) for word in text.split() if is_content(word)}


def flat(text: str) -> str:
    """Return the words in lower case, separated by single spaces."""
    return " ".join(word for word in map(bare, text.split()) if any(map(str.isalnum, word)))


def contains(text: str, other: str) -> bool:
    """Whether one of two texts has nearly all content words of the other."""
    small, large = sorted((stems(text), stems(other)), key=len)
    return len(small & large) >= _CONTAINED * len(small)


_LONGEST = 6  # sentences; a quotation that runs on for longer was never closed
_MARKS = '"“”'
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_MOST = 0.5  # of the words of a sentence may be quoted where nobody is said to speak


def open_quotes(sentences: Sequence[str]) -> list[bool]:
    """Whether each sentence of a narrative stands in a quotation that begins or ends elsewhere."""
    found, depth, since = [], 0, 0
    for sentence in sentences:
        before = depth
        for letter in sentence:
            if letter == '"':
                depth = 0 if depth else 1
            elif letter in "“”":
                depth = int(letter == "“")
        since = since + 1 if depth and before else 0
        if since > _LONGEST:
            before = depth = since = 0
        found.append(bool(before or depth))
    return found


def balanced(text: str) -> bool:
    """Whether all quotation marks and brackets of a text are closed in it."""
    pairs = (("“", "”"), ("(", ")"), ("[", "]"))
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in pairs)


def has_speaker(tree: Tree) -> bool:
    """Whether a sentence that is mostly a quotation says who speaks."""
    inside, quoted = False, []
    for text in tree.texts:
        if text in _MARKS or text in ("``", "''"):
            inside = not inside
        quoted.append(inside)
    if sum(quoted) <= _MOST * len(tree):
        return True
    return any(
        tree.deps[n] in _SUBJECTS and not quoted[n] and tree.tags[n] not in ("WDT", "WP")
        for n in range(len(tree))
    )


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
