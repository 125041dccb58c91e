"""Sentence boundaries inside a block of running text, full stops of abbreviations included."""

import re
from bisect import bisect_left
from collections.abc import Iterator
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


_NAME_ENDINGS = words(_DATA["name_endings"])
_SPEECH_VERBS = words(_DATA["speech_verbs"])

_BRACKET = re.compile(r"[()\[\]{}（）［］【】]")
_OPENING = {")": "(", "]": "[", "}": "{", "）": "（", "］": "［", "】": "【"}
_BRACKET_REACH = 300  # longer bracketed spans are ignored: an unclosed one must not take the text


def _bracketed(block: str) -> list[tuple[int, int]]:
    """Return the outermost bracketed spans, in order."""
    pending: dict[str, list[int]] = {opening: [] for opening in _OPENING.values()}
    outer: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(block):
        opening = _OPENING.get(match.group())
        if opening is None:
            pending[match.group()].append(match.start())
        elif pending[opening]:
            opened = pending[opening].pop()
            if match.start() - opened <= _BRACKET_REACH:
                while outer and outer[-1][0] > opened:
                    outer.pop()
                outer.append((opened, match.start()))
    return outer


def _enclosed(outer: list[tuple[int, int]], start: int, end: int) -> bool:
    """Say whether the terminator at `start:end`, with its closing marks, is in brackets.

    A terminator at the end of a bracket ("(It is old.)") is not.
    """
    index = bisect_left(outer, start, key=lambda span: span[1])
    return index < len(outer) and outer[index][0] < start and end <= outer[index][1]


_QUOTES = frozenset("\"'”’»›」』")
_DASHES = frozenset("-–—")
_CLOSERS = re.escape("\"'”’»›」』)]}）］】》〉*_")
_OPENING_MARKS = re.escape("\"'“‘„‚«‹([{「『（［【《〈¿¡*_-–—")
_EMOJI = r"[\u2600-\u27bf\U0001f000-\U0001faff]"
_CRIES = frozenset("!?‽‼⁇⁈⁉")
# CJK, Arabic, Urdu, Devanagari, Ethiopic, Armenian, Myanmar, Khmer and Greek marks end a
# sentence with or without a space after them.
_OTHER_SCRIPTS = frozenset("。！？｡؟۔।॥።፧։။។៕\u037e")
_ANY = "".join(sorted({".", "…", *_CRIES, *_OTHER_SCRIPTS}))

# Matches every terminator; the text after it is only looked ahead at, so the scan is linear.
# It starts with a plain character set (no alternation, no "+") because the engine then skips to
# the next of them, which is ten times as fast.
_TERMINATOR = re.compile(
    rf"""(?P<run>[{_ANY}][{_ANY}]*(?:(?<=[!?])(?:\ [!?]+)+ | (?<=\.)(?:\ \.){{2,}})?)
    (?P<close>(?:[{_CLOSERS}] | \[\d{{1,3}}\] | \s?{_EMOJI}\ufe0f?)*)
    (?=(?P<gap>\s*)(?P<open>[\s{_OPENING_MARKS}]*)(?P<word>[\w'’]{{0,40}})(?P<then>.{{0,24}}))""",
    re.VERBOSE | re.DOTALL,
)
_COMMAS = frozenset(",;:、，")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_NOT_IN_WORDS = re.compile(r"[^\w.&'’]")
_LAST_WORD_REACH = 40
_ENUMERATOR = re.compile(r"\s*[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{2,5})[.)]\s*")
_ADDRESS = re.compile(r"https?|www|pic")
_SPEAKERS = frozenset(("I", "Mr", "Mrs", "Ms"))
_SPEAKER = re.compile(
    r"(?:[\"“]?[A-Z][\w.'’-]*[\"”]?,?\s+|(?:of|the|for|and|de|van|von|bin|al|host|leader)\s+){1,9}"
    rf"(?:{'|'.join(sorted(_SPEECH_VERBS))})\b"
    r"(?!\s+(?:that|I|he|she|it|we|they|the|an?|his|her|its|our|their|no|there)\b)"
)
_WITHIN_NAMES = frozenset("/@._\\#=")
_GLUED_WORD = re.compile(r"[A-Z][a-z]+|[AI]")
_QUOTE_REACH = 2000


def spans(block: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence of a block, possibly with blanks at its ends."""
    brackets = _bracketed(block)
    start = searched = 0
    has_word = False  # whether block[start:searched] holds a letter or digit
    for match in _TERMINATOR.finditer(block):
        if match.end() == len(block):
            break
        if not has_word:
            has_word = _WORD_CHARACTER.search(block, searched, match.start()) is not None
            searched = match.start()
        if not has_word or _enclosed(brackets, match.start(), match.end()):
            continue
        short = match.end() - start < 12
        if short and _ENUMERATOR.fullmatch(block, start, match.end()):
            continue
        if not _ends(match, start):
            continue
        cut = _end(match, start)
        if not _WORD_CHARACTER.search(block, cut):
            break
        yield start, cut
        start = searched = cut
        has_word = False
    yield start, len(block)


def _ends(stop: re.Match[str], start: int) -> bool:
    """Say whether a terminator ends the sentence that begins at `start`."""
    word, then, close = stop["word"], stop["then"], stop["close"]
    if not _OTHER_SCRIPTS.isdisjoint(stop["run"]):
        # The sentence continues after a Japanese particle or a comma.
        return not (close and word[:1] in ("と", "っ")) and then[:1] not in _COMMAS
    if not stop["gap"]:
        return _ends_glued(stop)
    if not word and then[:1] in _COMMAS:
        return False
    if _ADDRESS.fullmatch(word):
        return True
    continues = word[:1].islower()
    if continues and (close or not _DASHES.isdisjoint(stop["open"])):
        return False
    if not _CRIES.isdisjoint(stop["run"]):
        return _cry_ends(stop, start, continues)
    if stop["run"] != ".":
        return _ellipsis_ends(stop)
    if word[:1].isupper() and not _QUOTES.isdisjoint(close):
        return True  # also after an abbreviation: otherwise there would be a comma
    return ends_sentence(_word_before(stop), word, then)


def _cry_ends(stop: re.Match[str], start: int, continues: bool) -> bool:
    """Say whether an exclamation or question mark ends the sentence."""
    block, word, then = stop.string, stop["word"], stop["then"]
    if continues:
        # "Yahoo! said" continues, but case means nothing in a paragraph that starts in lower case.
        first = _LETTER.search(block)
        return first is not None and first.group().islower()
    if not word[:1].isupper():
        return True
    if ")" in stop["close"] and "(" not in block[start : start + 3]:
        return opens_sentence(word, then)
    if not _QUOTES.isdisjoint(stop["close"]):
        by_name = word in _SPEAKERS or not opens_sentence(word, then)
        return not (by_name and _SPEAKER.match(block, stop.start("word")))
    return True


def _ellipsis_ends(stop: re.Match[str]) -> bool:
    """Say whether an ellipsis ends the sentence: before a capital, but not before "I"."""
    word, at = stop["word"], stop.start()
    if not word[:1].isupper() or word.startswith(("I'", "I’")) or word == "I":
        return False
    # An omission: "the ... Senate".
    apart = stop.string[at - 1 : at].isspace() and not stop["close"]
    return not apart or opens_sentence(word, stop["then"])


def _ends_glued(stop: re.Match[str]) -> bool:
    """Say whether a sentence ends without a space after it: "Monday.The", but not "Node.js"."""
    following, then, at = stop["word"], stop["then"], stop.start()
    if stop["run"] not in (".", "!", "?") or not _GLUED_WORD.fullmatch(following):
        return False
    word = _word_before(stop)
    before = stop.string[at - len(word) - 1 : at - len(word)]
    if word and (before in _WITHIN_NAMES or not (word.isalpha() or word.isdecimal())):
        return False
    if opens_sentence(following, then):
        return before in (")", "]") if not word else len(word) > 1 and word.lower() != "www"
    return (
        then[:1].isspace()
        and len(word) > 2
        and word[-1].islower()
        and word.lower() not in ABBREVIATIONS
        and following.lower() not in _NAME_ENDINGS
    )


def _word_before(stop: re.Match[str]) -> str:
    """Return the word before a terminator, "Ariz" for "R-Ariz"; may be empty."""
    block, at = stop.string, stop.start()
    if not block[at - 1].isalnum():
        return ""
    chunk = block[max(0, at - _LAST_WORD_REACH) : at].split()[-1]
    return chunk if chunk.isalnum() else _NOT_IN_WORDS.split(chunk)[-1].lstrip(".'’&")


def _end(stop: re.Match[str], start: int) -> int:
    """Return the end of the sentence; a straight quote closes it if an odd number precedes."""
    at, end, following = stop.start(), stop.end(), stop["open"]
    quoted = stop.string.count('"', max(start, at - _QUOTE_REACH), at) % 2 == 1
    if stop["gap"]:
        loose = following[:1] == '"' and following[1:2].isspace()
        return end + len(stop["gap"]) + 1 if loose and quoted else end
    opens_next = stop["close"][-1:] == "'" or (stop["close"][-1:] == '"' and not quoted)
    return end - 1 if opens_next and not following else end
