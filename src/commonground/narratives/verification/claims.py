"""Claims of a summary's sentences, without frames, and the offsets of their words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from commonground.narratives.verification.frames import claim
from commonground.text import Sentence, parse, places
from commonground.text.clauses import Loose, loose_parts

if TYPE_CHECKING:
    from spacy.tokens import Doc

_GAP = re.compile(r"[ \t]{2,}|[ \t]+(?=[.,;:!?](?:\s|$))")
_GAP_AT_STOP = re.compile(r" (?=[.,;:!?](?:\s|$))")
_WORD = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")


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
        at = places(self.text)
        inner = self.doc[part.inner_first : part.inner_last]
        if not len(inner):
            return []
        start, end = at[inner[0].idx], at[inner[-1].idx] + len(inner[-1])
        spans = [found.span() for found in _WORD.finditer(self.text)]
        return [n for n, (first, last) in enumerate(spans) if first < end and last > start]

    def placed(self) -> list[tuple[int, int, int | None]]:
        """Return start, end and index in the claim of each word of the sentence.

        The index of a word of the frame is None.
        """
        spans = [found.span() for found in _WORD.finditer(self.sentence.text)]
        ours = [_bare(self.sentence.text[start:end]) for start, end in spans]
        theirs = [_bare(word) for word in _WORD.findall(self.text)]
        numbers: dict[int, int] = {}
        for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
            numbers |= {block.a + k: block.b + k for k in range(block.size)}
        offset = self.sentence.start
        return [
            (start + offset, end + offset, numbers.get(place))
            for place, (start, end) in enumerate(spans)
        ]


def claims_of(sentences: Sequence[Sentence], event_has_texts: bool) -> list[Claim]:
    """The claims of a summary's sentences, parsed."""
    texts = [claim(_written(one.text), event_has_texts) for one in sentences]
    return [
        Claim(sentence, text, doc, tuple(loose_parts(doc)))
        for sentence, text, doc in zip(sentences, texts, parse(texts), strict=True)
    ]


def _written(sentence: str) -> str:
    """Close the gaps that markup leaves; a sentence without gaps stays as it is."""
    return _GAP_AT_STOP.sub("", _GAP.sub(" ", sentence)) if _GAP.search(sentence) else sentence


def _bare(word: str) -> str:
    return _EDGE.sub("", word).casefold()
