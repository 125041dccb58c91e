"""Decide whether a full stop ends a sentence, from the words before and after it, with nupunkt.

nupunkt's default model was trained on scanned legal text. About 700 of its 5,865 abbreviations
are ordinary English words ("so", "week", "tax", "story"), many more are names and scanning
errors; its 709 sentence openers include names and offices ("Iran", "Senator", "Secretary") that
would end a sentence after "U.S.". So the lists of the model are replaced by vetted ones.

The Punkt algorithm uses only those two words. Asking about them alone gives its answer in linear
time (nupunkt's own scan is quadratic on "!!!!" or ".).)"), and the answers can be cached.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from commonground.text.lexicon import lexicon, words

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

_DATA = lexicon("sentences")
_NEVER_LAST, _BEFORE_NUMBERS, _WITH_CAPITAL, _OPENERS, _AFTER_HOURS = (
    words(_DATA[key])
    for key in ("never_last", "before_numbers", "with_capital", "openers", "after_hours")
)
ABBREVIATIONS = (_NEVER_LAST | _BEFORE_NUMBERS | _WITH_CAPITAL).union(
    *map(words, _DATA["abbreviations"].values())
)
# "U.K.", "L.G.B.T.", "EE.UU.": letters with full stops between them.
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_NUMERAL = re.compile(r"\d|(?:[IVXLC]{2,}|[VX])\b")
_TIME_ZONE = re.compile(r"(?:\s+[A-Z]\w+)?\s+[Tt]ime\b")  # "5 p.m. Hawaii time"
_CONTRACTION = re.compile(r"(?:n['’]t|['’][^\W\d_]{1,2})$")


def ends_sentence(word: str, following: str, then: str) -> bool:
    """Say whether the full stop between two words of one paragraph ends a sentence.

    Args:
        word: The word before the full stop; may be empty.
        following: The word after it, without punctuation.
        then: A few characters of the text after `following`.
    """
    kind = word.lower().replace("’", "'")
    if _is_acronym(word, kind, following):
        return True
    if kind in _NEVER_LAST:
        return False
    if kind in ABBREVIATIONS:
        if not _is_abbreviation(word, kind, following):
            return True
        if kind in ("a.m", "p.m"):
            in_time = following.lower() in _AFTER_HOURS or _TIME_ZONE.match(then)
            return following[:1].isupper() and not in_time
    elif len(word) == 1 and (word.isupper() or word.islower()):
        # Punkt never ends a sentence at an initial, but "vitamin C. The" is an end.
        return opens_sentence(following, then)
    elif _ACRONYM.fullmatch(word):
        kind = "u.s"
    elif word[:1].isdigit() and not any(map(str.isalpha, word)):
        kind = "1"
    else:
        return True
    return _punkt(kind, _alike(following, then))


def opens_sentence(word: str, then: str) -> bool:
    """Say whether a capitalised word shows that a sentence begins with it."""
    if not word[:1].isupper() or (len(word) == 1 and then[:1] == "."):
        return False
    return _CONTRACTION.sub("", word).lower() in _OPENERS


def _is_acronym(word: str, kind: str, following: str) -> bool:
    """Say whether it is an acronym: "Napa, CA. Write", but not "ca. 1900" or "MR. HALE"."""
    if len(word) < 2 or not word.isupper() or "." in word or kind in ("mr", "mrs", "ms", "dr"):
        return False
    return following[:1].isupper() and following[1:2].islower()


def _is_abbreviation(word: str, kind: str, following: str) -> bool:
    if kind in _BEFORE_NUMBERS:
        return _NUMERAL.match(following) is not None
    if kind in _WITH_CAPITAL:
        return word[0].isupper() and not word.isupper()
    return True


def _alike(following: str, then: str) -> str:
    """Return one word for all that Punkt treats alike, so that the cache stays small."""
    if opens_sentence(following, then):
        return "The"
    first = following[:1]
    if first.isupper():
        return "Name"
    return "name" if first.islower() else "1"


@lru_cache(maxsize=4096)
def _punkt(word: str, following: str) -> bool:
    return _tokenizer().text_contains_sentbreak(f"{word}. {following}")


@lru_cache(maxsize=1)
def _tokenizer() -> "PunktSentenceTokenizer":
    import nupunkt  # slow

    # Our own copy; the tokenizer that nupunkt shares among callers stays unchanged.
    tokenizer = nupunkt.load_default_model()
    model = tokenizer.parameters
    model.abbrev_types = set(ABBREVIATIONS)
    model.sent_starters = set(_OPENERS)
    model.collocations = set()
    rates = model.abbrev_break_rates
    model.abbrev_break_rates = {kind: rates[kind] for kind in rates if kind in ABBREVIATIONS}
    return tokenizer
