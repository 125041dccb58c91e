"""Does this full stop end a sentence? nupunkt decides, on the word before and the word after.

Those two words are all that the Punkt algorithm looks at, so asking for them alone gives its
answer for the whole text, in linear time (nupunkt's own scan is quadratic on "!!!!" or ".).)"),
and the answers can be kept. nupunkt's parameters are replaced by the vetted lists.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from commonground.text._abbreviations import (
    ABBREVIATIONS,
    AFTER_HOURS,
    BEFORE_NUMBERS,
    NEVER_LAST,
    OPENERS,
    WITH_CAPITAL,
)

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

# "U.K.", "L.G.B.T.", "EE.UU.": letters with full stops between them.
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_NUMERAL = re.compile(r"\d|(?:[IVXLC]{2,}|[VX])\b")
_TIME_ZONE = re.compile(r"(?:\s+[A-Z]\w+)?\s+[Tt]ime\b")  # "5 p.m. Hawaii time"
_CONTRACTION = re.compile(r"(?:n['’]t|['’][^\W\d_]{1,2})$")


def ends_sentence(word: str, following: str, then: str) -> bool:
    """Say whether the full stop between two words of one paragraph ends a sentence.

    Args:
        word: The word before the full stop, without it; may be empty.
        following: The word after the full stop and a space, without punctuation.
        then: A few characters of the text after `following`.
    """
    kind = word.lower().replace("’", "'")
    if _is_acronym(word, kind, following):
        return True
    if kind in NEVER_LAST:
        return False
    if kind in ABBREVIATIONS:
        if not _is_abbreviation(word, kind, following):
            return True
        if kind in ("a.m", "p.m"):
            in_time = following.lower() in AFTER_HOURS or _TIME_ZONE.match(then)
            return following[:1].isupper() and not in_time
    elif len(word) == 1 and (word.isupper() or word.islower()):
        # Punkt never ends a sentence at an initial, though "vitamin C. The" does end.
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
    return _CONTRACTION.sub("", word).lower() in OPENERS


def _is_acronym(word: str, kind: str, following: str) -> bool:
    """Tell "Napa, CA. Write" from "ca. 1900", but "MR. HALE" and "NO. 5" from acronyms."""
    if len(word) < 2 or not word.isupper() or "." in word or kind in ("mr", "mrs", "ms", "dr"):
        return False
    return following[:1].isupper() and following[1:2].islower()


def _is_abbreviation(word: str, kind: str, following: str) -> bool:
    if kind in BEFORE_NUMBERS:
        return _NUMERAL.match(following) is not None
    if kind in WITH_CAPITAL:
        return word[0].isupper() and not word.isupper()
    return True


def _alike(following: str, then: str) -> str:
    """One word for all that Punkt cannot tell apart, so that few questions are asked."""
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
    # Imported on first use: it costs a tenth of a second.
    import nupunkt

    # A tokenizer of our own; the one that nupunkt shares among its callers stays as it is.
    tokenizer = nupunkt.load_default_model()
    model = tokenizer.parameters
    model.abbrev_types = set(ABBREVIATIONS)
    model.sent_starters = set(OPENERS)
    model.collocations = set()
    rates = model.abbrev_break_rates
    model.abbrev_break_rates = {kind: rates[kind] for kind in rates if kind in ABBREVIATIONS}
    return tokenizer
