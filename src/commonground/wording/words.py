"""The words of a statement, its quotation marks, and its kept tokens as a printed sentence."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from commonground.text import list_lines, stem
from commonground.wording.tree import SUBJECTS, Tree

STOP_WORDS: Final = frozenset(list_lines("commonground.wording", "stop_words"))
"""Function words of English, negations included; not content words such as "part" or "ten"."""

_AROUND = ".,;:!?\"'“”‘’()[]"
_CONTAINED = 0.85  # share of stems from which one text contains another
_LONGEST_QUOTE = 6  # sentences; a longer quotation was never closed
_MOSTLY = 0.5  # share of quoted tokens above which a sentence must name its speaker
_PAIRS = (("“", "”"), ("(", ")"), ("[", "]"), ("«", "»"))
_EDGES = " ,;:-–—"
_END = re.compile(r"[.!?。！？؟।][\"”’')\]]*$")
_NO_SPACE_BEFORE = frozenset(
    (",", ".", ";", ":", "!", "?", "'s", "’s", "n't", "n’t", "”", ")", "]", "%")
)


def bare(word: str) -> str:
    """Return a word in lower case without punctuation around it."""
    return word.strip(_AROUND).lower()


def is_content(word: str) -> bool:
    """Say whether a word carries content, not only grammar."""
    return bool(bare(word)) and bare(word) not in STOP_WORDS


def stems(text: str) -> set[str]:
    """Return the stems of the content words."""
    return {stem(bare(word)) for word in text.split() if is_content(word)}


def flat(text: str) -> str:
    """Return the words in lower case, separated by single spaces."""
    return " ".join(word for word in map(bare, text.split()) if any(map(str.isalnum, word)))


def contains(text: str, other: str) -> bool:
    """Say whether one of two texts has nearly all content words of the other."""
    small, large = sorted((stems(text), stems(other)), key=len)
    return len(small & large) >= _CONTAINED * len(small)


def open_quotes(sentences: Sequence[str]) -> list[bool]:
    """Say for each sentence whether it is in a quotation that begins or ends in another one."""
    result, inside, length = [], False, 0
    for sentence in sentences:
        before = inside
        for letter in sentence:
            if letter in '"“”':
                inside = not inside if letter == '"' else letter == "“"
        length = length + 1 if inside and before else 0
        if length > _LONGEST_QUOTE:
            before, inside, length = False, False, 0
        result.append(before or inside)
    return result


def balanced(text: str) -> bool:
    """Say whether all quotation marks and brackets of a text are closed in it."""
    return text.count('"') % 2 == 0 and all(text.count(a) == text.count(b) for a, b in _PAIRS[:3])


def has_speaker(tree: Tree) -> bool:
    """Say whether a sentence that is mostly a quotation names its speaker."""
    inside, quoted = False, []
    for text in tree.texts:
        if text in ('"', "“", "”", "``", "''"):
            inside = not inside
        quoted.append(inside)
    if sum(quoted) <= _MOSTLY * len(tree):
        return True
    return any(
        tree.deps[n] in SUBJECTS and not quoted[n] and tree.tags[n] not in ("WDT", "WP")
        for n in range(len(tree))
    )


def worded(tree: Tree, kept: Sequence[bool]) -> str:
    """Return the kept tokens as a sentence: spaced, with matching quotes and a full stop."""
    parts: list[str] = []
    gap = False
    for token, text in enumerate(_with_articles(tree, kept)):
        if not kept[token]:
            gap = True
            continue
        if parts and tree.texts[token] in _NO_SPACE_BEFORE:
            parts[-1] = parts[-1].rstrip()
        elif parts and gap and not parts[-1].endswith(" "):
            parts.append(" ")
        gap = False
        parts.append(text + " " * tree.spaced[token])
    return sentence_of("".join(parts))


def _with_articles(tree: Tree, kept: Sequence[bool]) -> list[str]:
    """Return the tokens, with "a" or "an" corrected where the next word was dropped."""
    texts = list(tree.texts)
    for article, word in pairwise(n for n, stays in enumerate(kept) if stays):
        if word > article + 1 and texts[article] in ("a", "an", "A", "An"):
            correct = "an" if texts[word][:1].lower() in "aeiou" else "a"
            texts[article] = correct.capitalize() if texts[article][0] == "A" else correct
    return texts


def sentence_of(text: str) -> str:
    """Return a text as a sentence: a capital, a full stop, no mark without its partner."""
    text = " ".join(text.split())
    if text.count('"') % 2:
        text = text.replace('"', "")
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing):
            text = text.replace(opening, "").replace(closing, "")
    text = text.strip(_EDGES)
    if not text:
        return ""
    first = next((n for n, letter in enumerate(text) if letter.isalnum()), 0)
    text = text[:first] + text[first].upper() + text[first + 1 :]
    return text if _END.search(text) else text + "."
