"""Porter's stemmer (Program 14.3, 1980) with the extensions of NLTK's default mode.

rouge-score stems with NLTK, so equal scores need equal stems. NLTK is a heavy dependency for one
function, and the stemmers of other packages lack the extensions. The docstring of a step names
its departures from the paper.
"""

from collections.abc import Mapping
from functools import lru_cache

from commonground.text.lexicon import lexicon, words

_DATA = lexicon("porter")
_LAST_SUFFIXES = dict.fromkeys(words(_DATA["last_suffixes"]), "")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; all signs except a, e, i, o, u, y are consonants.

    Example:
        >>> stem("relational"), stem("hopping"), stem("skies")
        ('relat', 'hop', 'sky')
    """
    irregular: str | None = _DATA["irregular"].get(word)
    if irregular or len(word) <= 2:
        return irregular or word
    word = _double_suffix(_final_y(_past(_plural(word))))
    word = _replaced(word, _DATA["adjective_suffixes"])  # step 3
    word = _replaced(word, _LAST_SUFFIXES, least=2)  # step 4
    return _double_l(_final_e(word))


def _plural(word: str) -> str:
    """Step 1a; words of four letters in `-ies` keep the e: dies -> die, but flies -> fli."""
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    """Step 1b; `-ied` is treated like `-ies`: died -> die, but tried -> tri."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word.removesuffix(suffix)
        if base != word and "v" in _shape(base):
            return _restored(base)
    return word


def _restored(base: str) -> str:
    """Restore the e, or undo the doubled consonant, after `-ed` or `-ing` was removed."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base[-2:-1] == base[-1] and _shape(base).endswith("c"):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_short(base) else base


def _final_y(word: str) -> str:
    """Step 1c; y becomes i after a consonant that is not the first letter."""
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1]).endswith("c"):
        return word[:-1] + "i"
    return word


def _double_suffix(word: str) -> str:
    """Step 2; also `-fulli` and `-logi`, and the step is repeated after `-alli`."""
    shorter = _replaced(word, _DATA["double_suffixes"])
    return _double_suffix(shorter) if shorter != word and word.endswith("alli") else shorter


def _replaced(word: str, suffixes: Mapping[str, str], least: int = 1) -> str:
    """Replace the longest suffix after a base with a measure of at least `least`."""
    sizes = range(min(7, len(word)), 1, -1)
    suffix = next((word[-size:] for size in sizes if word[-size:] in suffixes), "")
    base = word.removesuffix(suffix)
    # The l of -logi counts as part of the base, so that "geo" is long enough.
    if not suffix or _measure(base + "l" if suffix == "logi" else base) < least:
        return word
    if suffix == "ion" and base[-1] not in "st":
        return word
    return base + suffixes[suffix]


def _final_e(word: str) -> str:
    """Step 5a."""
    base = word.removesuffix("e")
    measure = _measure(base)
    return base if measure > 1 or (measure == 1 and not _ends_short(base)) else word


def _double_l(word: str) -> str:
    """Step 5b."""
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """Return v for each vowel and c for each consonant; a y after a consonant is a vowel."""
    shape = []
    before = "v"
    for letter in word:
        before = "v" if letter in "aeiou" or (letter == "y" and before == "c") else "c"
        shape.append(before)
    return "".join(shape)


def _measure(word: str) -> int:
    """Count vowels followed by a consonant: tree 0, trouble 1, private 2."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Say whether a word ends in consonant, vowel, consonant except w, x, y; or is `vc`."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
