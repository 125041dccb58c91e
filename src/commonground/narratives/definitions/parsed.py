"""A narrative read sentence by sentence: parses, and the way back to its characters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.plain import Plain
from commonground.text import Sentence, parse, places, split, unmarked

if TYPE_CHECKING:
    from spacy.tokens import Doc


@dataclass(frozen=True, slots=True)
class Mention(Plain):
    """A stretch of `narratives[narrative].text[start:end]`, with blanks for markup in it."""

    narrative: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class ParsedSentence:
    """A sentence, its parse with entities, and its place in a narrative."""

    narrative: int
    sentence: Sentence
    doc: "Doc"
    places: Sequence[int]

    @property
    def whole(self) -> Mention:
        """The sentence itself."""
        return Mention(self.narrative, self.sentence.text, self.sentence.start, self.sentence.end)

    def mention(self, start: int, end: int) -> Mention:
        """The stretch of the narrative for characters of the parsed sentence."""
        first, last = self.places[start], self.places[end - 1] + 1
        offset = self.sentence.start
        text = self.sentence.text[first:last]
        return Mention(self.narrative, text, offset + first, offset + last)


def parsed(texts: Sequence[str]) -> Iterator[list[ParsedSentence]]:
    """The sentences of each narrative, one narrative at a time: parses are large."""
    for place, text in enumerate(texts):
        sentences = split(unmarked(text))
        docs = parse([one.text for one in sentences], entities=True)
        yield [
            ParsedSentence(place, one, doc, places(one.text))
            for one, doc in zip(sentences, docs, strict=True)
        ]
