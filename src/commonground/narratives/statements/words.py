"""The words of a statement: without marks, by their stems, and which of them carry content."""

from commonground.narratives.texts import STOP_WORDS
from commonground.text import stem

_MARKS = ".,;:!?\"'“”‘’()[]"
_MOST = 0.85  # share of stems from which one text contains another


def bare(word: str) -> str:
    """Return a word in lower case without punctuation around it."""
    return word.strip(_MARKS).lower()


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
    return len(small & large) >= _MOST * len(small)
