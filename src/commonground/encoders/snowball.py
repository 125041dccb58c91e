"""The English Snowball stemmer (Porter2), which the vocabulary of PyrEval's WTMF was made with.

`text.stem` is the first Porter stemmer; the two differ in some two words of a hundred.
"""

import re
from collections.abc import Iterable
from typing import Final

_WHOLE: Final = {
    **dict.fromkeys(("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")),
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
}
_KEPT: Final = re.compile("(?:inn|out|cann|herr|earr)ing|(?:proc|exc|succ)eed")
_REGION: Final = re.compile("(?:gener|commun|arsen|.*?[aeiouy][^aeiouy])(.*)")
_SHORT: Final = re.compile(".*(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$")
_DOUBLE: Final = re.compile("(bb|dd|ff|gg|mm|nn|pp|rr|tt)$")
_SECOND: Final = {
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ational": "ate",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "ogi": "og",
    "fulli": "ful",
    "lessli": "less",
    "li": "",
}
_THIRD: Final = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
_FOURTH: Final = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("ism", "ate", "iti", "ous", "ive", "ize", "ion"),
)


def snowball(word: str) -> str:
    """Return the stem of a word.

    Example:
        >>> [snowball(word) for word in ("currencies", "generously", "skies", "news")]
        ['currenc', 'generous', 'sky', 'news']
    """
    word = word.lower()
    if word in _WHOLE:
        return _WHOLE[word] or word
    if len(word) < 3:
        return word
    word = word.removeprefix("'")
    word = re.sub("^y|(?<=[aeiouy])y", "Y", word)
    first = len(word) - len(_after(word))
    second = first + len(word[first:]) - len(_after(word[first:], plain=True))
    word = _plural(re.sub("'(?:s'?)?$", "", word))
    if _KEPT.fullmatch(word):
        return word
    word = _past(word, first)
    word = re.sub("(?<=.)(?<![aeiouy])[yY]$", "i", word) if len(word) > 2 else word
    word = _replaced(word, _SECOND, first, second)
    word = _replaced(word, _THIRD, first, second)
    ending = _ending(word, _FOURTH)
    if ending and len(word) - len(ending) >= second:
        base = word[: -len(ending)]
        if ending != "ion" or base.endswith(("s", "t")):
            word = base
    return _last(word, first, second).replace("Y", "y")


def _after(word: str, *, plain: bool = False) -> str:
    """Return the region after the first consonant that follows a vowel."""
    pattern = ".*?[aeiouy][^aeiouy](.*)" if plain else _REGION
    match = re.match(pattern, word)
    return match[1] if match else ""


def _ending(word: str, endings: Iterable[str]) -> str:
    """Return the longest ending of a word."""
    return max((ending for ending in endings if word.endswith(ending)), key=len, default="")


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and re.search("[aeiouy].+s$", word):
        return word[:-1]
    return word


def _past(word: str, first: int) -> str:
    ending = _ending(word, ("eed", "eedly", "ed", "edly", "ing", "ingly"))
    base = word[: len(word) - len(ending)]
    if ending in ("eed", "eedly"):
        return f"{base}ee" if len(base) >= first else word
    if not ending or not re.search("[aeiouy]", base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return f"{base}e"
    if _DOUBLE.search(base):
        return base[:-1]
    return f"{base}e" if len(base) <= first and _SHORT.match(base) else base


def _replaced(word: str, endings: dict[str, str], first: int, second: int) -> str:
    ending = _ending(word, endings)
    base = word[: len(word) - len(ending)]
    if not ending or len(base) < first:
        return word
    if (ending == "ogi" and not base.endswith("l")) or (ending == "ative" and len(base) < second):
        return word
    if ending == "li" and not re.search("[cdeghkmnrt]$", base):
        return word
    return base + endings[ending]


def _last(word: str, first: int, second: int) -> str:
    base = word[:-1]
    if word.endswith("e"):
        gone = len(base) >= second or (len(base) >= first and not _SHORT.match(base))
        return base if gone else word
    return base if word.endswith("ll") and len(base) >= second else word
