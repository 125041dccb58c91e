"""Parsed sentences of narratives, with offsets into the original text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.plain import Plain
from commonground.text import Sentence, parse, places, split, unmarked

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Mention(Plain):
    """The passage `narratives[narrative].text[start:end]`; markup in it is blank."""

    narrative: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class ParsedSentence:
    """A sentence of a narrative and its parse with entities."""

    narrative: int
    sentence: Sentence
    doc: "Doc"
    places: Sequence[int]

    @property
    def whole(self) -> Mention:
        """The sentence itself."""
        return Mention(self.narrative, self.sentence.text, self.sentence.start, self.sentence.end)

    def mention(self, start: int, end: int) -> Mention:
        """Return the passage for character offsets in the parsed sentence."""
        first, last = self.places[start], self.places[end - 1] + 1
        start, text = self.sentence.start, self.sentence.text[first:last]
        return Mention(self.narrative, text, start + first, start + last)


def parsed(texts: Sequence[str]) -> Iterator[list[ParsedSentence]]:
    """Yield the sentences of each narrative in turn; parses are large."""
    for narrative, text in enumerate(texts):
        sentences = split(unmarked(text))
        docs = parse([sentence.text for sentence in sentences], entities=True)
        yield [
            ParsedSentence(narrative, sentence, doc, places(sentence.text))
            for sentence, doc in zip(sentences, docs, strict=True)
        ]
