"""Claims of a summary's sentences, without frames, and the offsets of their words.

Frames are phrases about the texts instead of the event. Language models write "Both documents
mention that the bridge was closed"; the claim to check is "the bridge was closed".
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from commonground.narratives.word_lists import list_lines
from commonground.text import Sentence, parse, places
from commonground.text.clauses import Loose, loose_parts

if TYPE_CHECKING:
    from spacy.tokens import Doc

_GAP = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,;:!?](?:\s|$))")
_GAP_AT_STOP = re.compile(r" (?=[.,;:!?](?:\s|$))")
_WORD = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")
_MIN_WORDS = 2  # of a claim; otherwise the sentence stays unchanged

_NOUNS: Final = (
    r"(?:news )?(?:documents?|articles?|narratives?|texts?|passages?|sources?|reports?"
    r"|stor(?:y|ies)|accounts?|pieces?|outlets?|authors?|paragraphs?|summar(?:y|ies))"
)
_NUMBER: Final = r"(?:[12ab]|one|two)"

# Phrases that can only mean the input texts.
_SURELY: Final = (
    rf"(?:both(?: of)?(?: the(?:se)?)?(?: two)? {_NOUNS}"
    rf"|(?:the|these) (?:two|first|second) {_NOUNS}"
    rf"|{_NOUNS} {_NUMBER}(?:(?:,? and|/| &|,? as well as) (?:{_NOUNS} )?{_NUMBER})?)"
)
# Phrases that may also belong to the event, such as leaked documents; see `speaks_of`.
_MAYBE: Final = r"(?:(?:the|these) (?:documents?|articles?|narratives?|texts?|passages?)|they both)"

_VERBS, _LINKS, _OPENERS = (
    f"(?:{'|'.join(list_lines(f'frame_{name}'))})" for name in ("verbs", "links", "openers")
)
_SAY: Final = (
    r"(?:(?:also|both|each|further|all|specifically|then|briefly|again) )*"
    rf"{_VERBS}(?:s|es|ing|ed|d)?"
)
_THAT: Final = rf"(?: {_LINKS})*"
_OPENING: Final = rf"(?:{_OPENERS}\s*,?\s+)*"
_SHARED: Final = (
    r"(?:the|a|some|one|another)?\s*(?:main |only |key )?"
    r"(?:common|overlap(?:ping)?|shared|similar|same|commonalit(?:y|ies)|similarit(?:y|ies)"
    r"|(?:subjects?|events?|topics?|themes?|information) (?:that (?:is|are) )?(?:common|shared))"
    r"(?: (?!is\b|are\b|includes?\b)[\w']+){0,8}? (?:is|are|includes?|was|were)"
)
_HEADING: Final = (
    r"[*_#\s-]*(?:common |overlapping |shared |main )?(?:subjects?|events?|locations?|topics?"
    r"|themes?|people|summary|overlap|answer|response|places|title)"
    r"(?: (?:of|in|between|mentioned)[^:]{0,40})?\s*\**:\**\s+"
)
_ITEM: Final = re.compile(r"(?:[-*•]|\(?\d{1,2}[.)])\s+")


def _patterns(texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            _HEADING,
            rf"{_OPENING}{_SHARED}{_THAT}\s*:?\s+",
            rf"{_OPENING}(?:in|according to|based on) {texts},?\s+(?:(?:it|there) is \w+ that )?",
            rf"{_OPENING}{texts} {_SAY}{_THAT}:?,?\s+",
        )
    )


_CAREFUL: Final = _patterns(_SURELY)
_FREE: Final = _patterns(rf"(?:{_SURELY}|{_MAYBE})")
_EVENT_TEXTS: Final = re.compile(r"\b(?:document|article|narrative|text|passage)s?\b", re.I)


def speaks_of(narratives: Collection[str]) -> bool:
    """Whether narratives themselves mention documents, articles or the like."""
    return any(_EVENT_TEXTS.search(text) for text in narratives)


def claim(sentence: str, event_has_texts: bool = False) -> str:
    """Return a sentence without its frame.

    Args:
        sentence: A sentence of a summary.
        event_has_texts: The result of `speaks_of`; if true, "the documents say" is not a frame,
            but "both documents say" still is.

    Example:
        >>> claim("Additionally, both articles mention that the bridge was closed.")
        'The bridge was closed.'
        >>> claim("The police report says that nobody was hurt.")
        'The police report says that nobody was hurt.'
    """
    patterns = _CAREFUL if event_has_texts else _FREE
    left = _without(_ITEM, sentence)
    for pattern in patterns * 3:  # frames are nested: "The overlap is that both documents say"
        left = _without(pattern, left)
    left = left.strip()
    if left == sentence or len(left.split()) < _MIN_WORDS:
        return sentence
    return left[:1].upper() + left[1:]


def _without(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text[match.end() :] if match else text


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A sentence of a summary and what it claims.

    Attributes:
        sentence: The sentence in the summary; markup is blank.
        text: The claim.
        doc: The parse of `text`.
        loose: The optional parts of the claim.
    """

    sentence: Sentence
    text: str
    doc: "Doc"
    loose: tuple[Loose, ...]

    def words_of(self, part: Loose) -> list[int]:
        """Return the indices of the claim's words in an optional part."""
        inner = self.doc[part.inner_first : part.inner_last]
        if not len(inner):
            return []
        offsets = places(self.text)
        start, end = offsets[inner[0].idx], offsets[inner[-1].idx] + len(inner[-1])
        words = enumerate(_WORD.finditer(self.text))
        return [index for index, word in words if word.start() < end and word.end() > start]

    def words(self) -> list[tuple[int, int, int | None]]:
        """Return start, end and index in the claim of each word of the sentence.

        The index of a word of the frame is None.
        """
        words, offset = list(_WORD.finditer(self.sentence.text)), self.sentence.start
        ours, theirs = [_bare(word[0]) for word in words], [_bare(w) for w in self.text.split()]
        index_of: dict[int, int] = {}
        for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
            index_of |= {block.a + k: block.b + k for k in range(block.size)}
        return [
            (word.start() + offset, word.end() + offset, index_of.get(index))
            for index, word in enumerate(words)
        ]


def claims_of(sentences: Sequence[Sentence], event_has_texts: bool) -> list[Claim]:
    """Return the claims of a summary's sentences, parsed."""
    texts = [claim(_closed(sentence.text), event_has_texts) for sentence in sentences]
    return [
        Claim(sentence, text, doc, tuple(loose_parts(doc)))
        for sentence, text, doc in zip(sentences, texts, parse(texts), strict=True)
    ]


def _closed(sentence: str) -> str:
    """Close the gaps that markup leaves; a sentence without gaps stays as it is."""
    return _GAP_AT_STOP.sub("", _GAP.sub(" ", sentence)) if _GAP.search(sentence) else sentence


def _bare(word: str) -> str:
    return _EDGE.sub("", word).casefold()
