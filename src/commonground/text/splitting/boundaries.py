"""Where sentences end inside a block of running text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from commonground.text.splitting.full_stop import (
    ABBREVIATIONS,
    NAME_ENDINGS,
    SPEECH_VERBS,
    ends_sentence,
    opens_sentence,
)

_BRACKET = re.compile(r"[()\[\]{}（）［］【】]")
_OPENING = {")": "(", "]": "[", "}": "{", "）": "（", "］": "［", "】": "【"}
# A bracket counts only where it closes within so many characters, so that one which never does
# cannot swallow the text.
_REACH = 300


class Brackets:
    """The outermost bracketed stretches of a block, asked about from left to right."""

    def __init__(self, block: str) -> None:
        self._stretches = _stretches(block)
        self._next = 0

    def shelter(self, start: int, end: int) -> bool:
        """Say whether the terminator at `start:end`, its closing marks included, is inside one.

        One at the end of a bracket ("(It is old.)") reaches beyond it and is not.
        """
        while self._next < len(self._stretches) and self._stretches[self._next][1] < start:
            self._next += 1
        if self._next == len(self._stretches):
            return False
        opened, closed = self._stretches[self._next]
        return opened < start and end <= closed


def _stretches(block: str) -> list[tuple[int, int]]:
    pending: dict[str, list[int]] = {opening: [] for opening in _OPENING.values()}
    found: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(block):
        opening = _OPENING.get(match.group())
        if opening is None:
            pending[match.group()].append(match.start())
        elif pending[opening]:
            opened = pending[opening].pop()
            if match.start() - opened <= _REACH:
                while found and found[-1][0] > opened:
                    found.pop()
                found.append((opened, match.start()))
    return found


_QUOTES = frozenset("\"'”’»›」』")
_DASHES = frozenset("-–—")
_CLOSERS = re.escape("\"'”’»›」』)]}）］】》〉*_")
_OPENERS = re.escape("\"'“‘„‚«‹([{「『（［【《〈¿¡*_-–—")
_EMOJI = r"[\u2600-\u27bf\U0001f000-\U0001faff]"
_CRIES = frozenset("!?‽‼⁇⁈⁉")
# These end a sentence with or without a space after them: CJK, Arabic, Urdu, Devanagari,
# Ethiopic, Armenian, Myanmar, Khmer, Greek.
_OTHER_SCRIPTS = frozenset("。！？｡؟۔।॥።፧։။។៕\u037e")
_ANY = "".join(sorted({".", "…", *_CRIES, *_OTHER_SCRIPTS}))

# Matches at every terminator, and what follows it is only looked at: so the scan stays linear.
# It begins with a plain set of characters (not with a choice, nor a "+"), which is ten times as
# fast: the engine then skips to the next of them.
_TERMINATOR = re.compile(
    rf"""(?P<run>[{_ANY}][{_ANY}]*(?:(?<=[!?])(?:\ [!?]+)+ | (?<=\.)(?:\ \.){{2,}})?)
    (?P<close>(?:[{_CLOSERS}] | \[\d{{1,3}}\] | \s?{_EMOJI}\ufe0f?)*)
    (?=(?P<gap>\s*)(?P<open>[\s{_OPENERS}]*)(?P<word>[\w'’]{{0,40}})(?P<then>.{{0,24}}))""",
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
    rf"(?:{'|'.join(sorted(SPEECH_VERBS))})\b"
    r"(?!\s+(?:that|I|he|she|it|we|they|the|an?|his|her|its|our|their|no|there)\b)"
)
_WITHIN_NAMES = frozenset("/@._\\#=")
_GLUED_WORD = re.compile(r"[A-Z][a-z]+|[AI]")
_QUOTE_REACH = 2000


class _Stop(NamedTuple):
    """A terminator and what stands around it."""

    run: str
    close: str
    gap: str
    open: str
    word: str
    then: str


def spans(block: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a block starts and ends; there may be blanks at its edges."""
    brackets = Brackets(block)
    start = searched = 0
    has_word = False  # whether block[start:searched] holds a letter or digit
    for match in _TERMINATOR.finditer(block):
        if match.end() == len(block):
            break
        if not has_word:
            has_word = _WORD_CHARACTER.search(block, searched, match.start()) is not None
            searched = match.start()
        if not has_word or brackets.shelter(match.start(), match.end()):
            continue
        stop = _Stop(*match.groups())
        if _is_enumerator(block, start, match.end()) or not _ends(
            block, match.start(), stop, start
        ):
            continue
        cut = _end(block, match.start(), stop, start)
        if not _WORD_CHARACTER.search(block, cut):
            break
        yield start, cut
        start = searched = cut
        has_word = False
    yield start, len(block)


def _ends(block: str, at: int, stop: _Stop, start: int) -> bool:
    """Whether the terminator at `at` ends the sentence that begins at `start`."""
    if not _OTHER_SCRIPTS.isdisjoint(stop.run):
        # A Japanese particle or a comma after a closing bracket carries the sentence on.
        return not (stop.close and stop.word[:1] in ("と", "っ")) and stop.then[:1] not in _COMMAS
    if not stop.gap:
        return _ends_glued(block, at, stop)
    if not stop.word and stop.then[:1] in _COMMAS:
        return False
    if _ADDRESS.fullmatch(stop.word):
        return True
    continues = stop.word[:1].islower()
    if continues and (stop.close or not _DASHES.isdisjoint(stop.open)):
        return False
    if not _CRIES.isdisjoint(stop.run):
        return _cry_ends(block, at, stop, start, continues)
    if stop.run != ".":
        return _ellipsis_ends(block, at, stop)
    if stop.word[:1].isupper() and not _QUOTES.isdisjoint(stop.close):
        return True  # after an abbreviation too: a comma would stand there otherwise
    return ends_sentence(_word_before(block, at), stop.word, stop.then)


def _cry_ends(block: str, at: int, stop: _Stop, start: int, continues: bool) -> bool:
    """Whether an exclamation or question mark ends the sentence."""
    if continues:
        # "Yahoo! said" goes on, but in a paragraph that begins in lower case, case says nothing.
        first = _LETTER.search(block)
        return first is not None and first.group().islower()
    if not stop.word[:1].isupper():
        return True
    if ")" in stop.close and "(" not in block[start : start + 3]:
        return opens_sentence(stop.word, stop.then)
    if not _QUOTES.isdisjoint(stop.close):
        after = at + len(stop.run + stop.close + stop.gap + stop.open)
        by_name = stop.word in _SPEAKERS or not opens_sentence(stop.word, stop.then)
        return not (by_name and _SPEAKER.match(block, after))
    return True


def _ellipsis_ends(block: str, at: int, stop: _Stop) -> bool:
    """Whether an ellipsis ends the sentence: before a capital, and not before "I"."""
    if not stop.word[:1].isupper() or stop.word.startswith(("I'", "I’")) or stop.word == "I":
        return False
    apart = block[at - 1 : at].isspace() and not stop.close  # left out: "the ... Senate"
    return not apart or opens_sentence(stop.word, stop.then)


def _ends_glued(block: str, at: int, stop: _Stop) -> bool:
    """Whether a sentence ends though no space follows: "on Monday.The" but not "Node.js"."""
    if stop.run not in (".", "!", "?") or not _GLUED_WORD.fullmatch(stop.word):
        return False
    word = _word_before(block, at)
    before = block[at - len(word) - 1 : at - len(word)]
    if word and (before in _WITHIN_NAMES or not (word.isalpha() or word.isdecimal())):
        return False
    if opens_sentence(stop.word, stop.then):
        return before in (")", "]") if not word else len(word) > 1 and word.lower() != "www"
    return (
        stop.then[:1].isspace()
        and len(word) > 2
        and word[-1].islower()
        and word.lower() not in ABBREVIATIONS
        and stop.word.lower() not in NAME_ENDINGS
    )


def _word_before(block: str, at: int) -> str:
    """The word that the terminator at `at` belongs to, "Ariz" for "R-Ariz"; maybe none."""
    if not block[at - 1].isalnum():
        return ""
    chunk = block[max(0, at - _LAST_WORD_REACH) : at].split()[-1]
    return chunk if chunk.isalnum() else _NOT_IN_WORDS.split(chunk)[-1].lstrip(".'’&")


def _is_enumerator(block: str, start: int, end: int) -> bool:
    return end - start < 12 and _ENUMERATOR.fullmatch(block, start, end) is not None


def _end(block: str, at: int, stop: _Stop, start: int) -> int:
    """Where the sentence ends: straight quotes close it or open the next one by their number."""
    end = at + len(stop.run) + len(stop.close)
    if stop.gap:
        loose = stop.open[:1] == '"' and stop.open[1:2].isspace()
        return end + len(stop.gap) + 1 if loose and _in_quotes(block, start, at) else end
    if stop.open:
        return end
    if stop.close[-1:] == '"' and not _in_quotes(block, start, at):
        return end - 1
    return end - 1 if stop.close[-1:] == "'" else end


def _in_quotes(block: str, start: int, at: int) -> bool:
    return block.count('"', max(start, at - _QUOTE_REACH), at) % 2 == 1
