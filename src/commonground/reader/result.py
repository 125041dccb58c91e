"""The result of reading a sentence against a text."""

from dataclasses import dataclass
from typing import Literal

from commonground.plain import Plain

Label = Literal["stated", "partly", "contradicted", "absent"]
LABELS: tuple[Label, ...] = ("stated", "partly", "contradicted", "absent")


@dataclass(frozen=True, slots=True)
class Word(Plain):
    """A word of the sentence, from `start` to `end`.

    Attributes:
        support: The probability that the text states it.
        within: The same probability, given that the text states only part of the sentence.
    """

    text: str
    start: int
    end: int
    support: float
    within: float


@dataclass(frozen=True, slots=True)
class Shown(Plain):
    """A sentence of the text by index, and the probability that it is evidence for the label."""

    sentence: int
    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Reading(Plain):
    """How a text treats a sentence: four probabilities that add up to 1, words, and evidence.

    Attributes:
        sentence: The sentence that was read.
        stated: The text states everything that it asserts.
        partly: The text states at least one complete proposition of it, but not all.
        contradicted: The text says something that cannot be true together with it.
        absent: None of these.
        words: The words of the sentence, each with its support.
        evidence: The sentences of the text that show the label, best first; empty if absent.
        nearest: The index of the most similar sentence of the text; None without words.
    """

    also = ("label",)

    sentence: str
    stated: float
    partly: float
    contradicted: float
    absent: float
    words: tuple[Word, ...]
    evidence: tuple[Shown, ...]
    nearest: int | None

    @property
    def probabilities(self) -> tuple[float, float, float, float]:
        """The four, in the order of `LABELS`."""
        return self.stated, self.partly, self.contradicted, self.absent

    @property
    def label(self) -> Label:
        """The most probable of the four."""
        return max(zip(self.probabilities, LABELS, strict=True), key=lambda pair: pair[0])[1]

    @property
    def shared(self) -> float:
        """The probability that the text states at least a part."""
        return self.stated + self.partly
