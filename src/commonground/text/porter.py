"""Porter's stemmer (Program 14.3, 1980) with the extensions that NLTK's default mode has.

rouge-score stems with NLTK, so its numbers are met only by the same stems; Snowball's English
stemmers differ. Written here because NLTK is a heavy dependency for one function and the
stemmers of other packages lack the extensions. Where these depart from the paper, the step's
docstring says how.
"""

from collections.abc import Container
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

_DOUBLE_SUFFIXES = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",
    "logi": "log",
}
_ADJECTIVE_SUFFIXES = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_LAST_SUFFIXES = {
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
}


# An English vocabulary in use fits several times over.
@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a lower-case word; anything but the letters a, e, i, o, u, y is a consonant.

    Example:
        >>> stem("relational"), stem("hopping"), stem("skies")
        ('relat', 'hop', 'sky')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _final_y, _double_suffix, _adjective_suffix, _last_suffix):
        word = step(word)
    return _double_l(_final_e(word))


def _plural(word: str) -> str:
    """Step 1a; of four letters, `-ies` keeps its e: dies -> die, but flies -> fli."""
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    """Step 1b; `-ied` goes as `-ies` does: died -> die, but tried -> tri."""
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
    """What was left of `-ed` or `-ing`, with its e back or its doubled consonant undone."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base[-2:-1] == base[-1] and _shape(base).endswith("c"):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_short(base) else base


def _final_y(word: str) -> str:
    """Step 1c; y turns into i after a consonant that is not the first letter, vowel or none."""
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1]).endswith("c"):
        return word[:-1] + "i"
    return word


def _double_suffix(word: str) -> str:
    """Step 2; also `-fulli` and `-logi`, and what `-alli` leaves goes through the step again."""
    suffix = _suffix(word, _DOUBLE_SUFFIXES)
    base = word.removesuffix(suffix)
    # The l of -logi counts with the stem, so that "geo" is long enough.
    if not suffix or _measure(base + "l" if suffix == "logi" else base) == 0:
        return word
    shorter = base + _DOUBLE_SUFFIXES[suffix]
    return _double_suffix(shorter) if suffix == "alli" else shorter


def _adjective_suffix(word: str) -> str:
    """Step 3."""
    suffix = _suffix(word, _ADJECTIVE_SUFFIXES)
    base = word.removesuffix(suffix)
    return base + _ADJECTIVE_SUFFIXES[suffix] if suffix and _measure(base) > 0 else word


def _last_suffix(word: str) -> str:
    """Step 4."""
    suffix = _suffix(word, _LAST_SUFFIXES)
    base = word.removesuffix(suffix)
    if _measure(base) <= 1 or (suffix == "ion" and base[-1] not in "st"):
        return word
    return base


def _final_e(word: str) -> str:
    """Step 5a."""
    base = word.removesuffix("e")
    measure = _measure(base)
    return base if measure > 1 or (measure == 1 and not _ends_short(base)) else word


def _double_l(word: str) -> str:
    """Step 5b."""
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _suffix(word: str, suffixes: Container[str]) -> str:
    """The longest of the suffixes that the word ends in; empty where it ends in none."""
    for size in range(min(7, len(word)), 1, -1):
        if word[-size:] in suffixes:
            return word[-size:]
    return ""


def _shape(word: str) -> str:
    """A letter for each of the word's: v for a vowel, c for a consonant.

    A y is a vowel after a consonant: `toy` is cvc, `syzygy` is cvcvcv.
    """
    shape = []
    before = "v"
    for letter in word:
        before = "v" if letter in "aeiou" or (letter == "y" and before == "c") else "c"
        shape.append(before)
    return "".join(shape)


def _measure(word: str) -> int:
    """How often vowels are followed by a consonant: tree 0, trouble 1, private 2."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y at the end; or vowel, consonant in all."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
