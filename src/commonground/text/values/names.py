"""Names in prose: whether two of them can refer to the same person, place or organisation.

"Sen. McCain", "John McCain" and "McCain's" are one person, "the FBI" and "Federal Bureau of
Investigation" one agency. In doubt, two names count as the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from rapidfuzz.distance import JaroWinkler

from commonground.text.lexicon import lexicon, words

_DATA = lexicon("names")
REGIONS = words(_DATA["regions"])
"""Continents, countries, states of the United States and other large regions, in lower case."""

_TITLES, _SUFFIXES, _COMPANY, _SMALL = (
    words(_DATA[key]) for key in ("titles", "suffixes", "company", "small")
)
_FIRST_NAMES = {short: name for name, row in _DATA["nicknames"].items() for short in row.split()}
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def one_may_hold_the_other(one: str, other: str) -> bool:
    """Say whether exactly one of two names is a large region; the other may lie in it."""
    return (one in REGIONS) != (other in REGIONS)


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[str, ...]:
    """Return the distinctive words of a name in lower case, without titles and suffixes.

    Example:
        >>> parts("Former Sen. John McCain Jr.'s"), parts("the U.S."), parts("Ford Motor Co.")
        (('john', 'mccain'), ('united', 'states'), ('ford', 'motor'))
    """
    # Some writers drop accents: "Zoë", "Zoe".
    name = "".join(sign for sign in normalize("NFKD", name) if not combining(sign))
    plain = re.sub(r"['’]s\b|['’]$", "", name).replace(".", "" if _dotted(name) else " ")
    kept = [word for word in map(str.lower, _WORD.findall(plain)) if word not in _SUFFIXES]
    while len(kept) > 1 and (kept[0] in _TITLES or kept[0] == "the"):
        kept = kept[1:]
    while len(kept) > 1 and kept[-1] in _COMPANY:
        kept = kept[:-1]
    return tuple(_DATA["aliases"].get(" ".join(kept), " ".join(kept)).split())


def is_title(name: str) -> bool:
    """Say whether a name consists of titles only: "Senator", "the Prime Minister"."""
    return all(word.lower() in _TITLES or word.lower() in _SMALL for word in _WORD.findall(name))


def same_name(one: str, other: str) -> bool:
    """Say whether two names can refer to the same organisation or place.

    One may be some words of the other ("Toyota" for "Toyota Motor") or its initials ("WHO" for
    "World Health Organization").
    """
    first, second = parts(one), parts(other)
    if not first or not second:
        return True
    if first == second or set(first) <= set(second) or set(second) <= set(first):
        return True
    return _initials(first, second) or _initials(second, first)


def same_person(one: str, other: str) -> bool:
    """Say whether two names can refer to one person: surnames alike, first names compatible.

    Example:
        >>> same_person("Sen. McCain", "John McCain"), same_person("John McCain", "Cindy McCain")
        (True, False)
    """
    first, second = parts(one), parts(other)
    if not first or not second:
        return True
    if len(first) == 1 or len(second) == 1:
        # A single word is a surname or a first name.
        short, long = sorted((first, second), key=len)
        return any(_alike(short[0], word) for word in long)
    if not _alike(first[-1], second[-1]):
        return False
    return _same_first(first[0], second[0]) or first[0] in second or second[0] in first


def fullest(names: Sequence[str]) -> str:
    """Return the fullest of several names of one thing: most words, then longest."""
    return max(names, key=lambda name: (len(parts(name)), len(name), name))


def _dotted(name: str) -> bool:
    """Say whether full stops belong to initials: "U.S.", not "Sen. McCain"."""
    return re.fullmatch(r"(?:the )?(?:\w\.)+\w?\.?(?:['’]s)?", name, re.IGNORECASE) is not None


def _initials(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    if len(short) != 1 or len(long) < 2:
        return False
    every = "".join(word[0] for word in long)
    main = "".join(word[0] for word in long if word not in _SMALL)
    return short[0] in (every, main)


def _same_first(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return _FIRST_NAMES.get(one, one) == _FIRST_NAMES.get(other, other) or _alike(one, other)


def _alike(one: str, other: str) -> bool:
    """Say whether two words are spellings of one: "Zelensky", "Zelenskyy"."""
    if one == other or min(len(one), len(other)) < 5:
        return one == other
    return bool(JaroWinkler.similarity(one, other, prefix_weight=0.0) >= 0.9)
