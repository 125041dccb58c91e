"""Which candidates become statements: each fact once, in its best wording."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.narratives.logistic import Floats
from commonground.narratives.reading import Readings
from commonground.narratives.statements.candidates import Candidate
from commonground.reader import PreparedText, Reader
from commonground.wording import contains

_CONTRADICTED = 0.3  # a statement is dropped if a narrative contradicts it this likely
_POINTING = 0.8  # factor on the worth of a wording for each word that refers to another sentence
_SAME = 0.72  # cosine from which two statements say the same ...
_SAME_EVIDENCE = 0.45  # ... and if the same sentences show both
_SAID = 0.5  # minimum probability that the chosen statements already state a candidate
_NEAREST = 4  # of these that are read; in 78 cases, all of them decide the same
_SAME_WORDS = 0.3  # share of words from which two cuts of one sentence say the same


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A candidate that was read again against every other narrative.

    Attributes:
        candidate: The wording.
        probabilities: The probability that each narrative states it in full; 1 for its own.
        contradicted: The probability that each narrative contradicts it.
        shown: For each narrative the index of the sentence that shows it.
        through: The background statement that bridged the wordings, by narrative.
        features: The features of the probabilities, by narrative.
        vector: The vector of the text.
    """

    candidate: Candidate
    probabilities: Floats
    contradicted: Floats
    shown: tuple[int | None, ...]
    through: dict[int, str]
    features: dict[int, Floats]
    vector: np.ndarray

    @property
    def text(self) -> str:
        """Its words."""
        return self.candidate.text

    def probability(self, wanted: int) -> float:
        """Return the lowest probability among the `wanted` surest other narratives."""
        others = np.delete(self.probabilities, self.candidate.narrative)
        return float(np.sort(others)[-wanted])

    def worth(self, wanted: int) -> float:
        """Return the score of the wording: how sure, well formed and rich in content it is."""
        content = np.log1p(len(self.candidate.kept)) * _POINTING**self.candidate.pointers
        return float(self.probability(wanted) * np.sqrt(self.candidate.form) * content)


class Chooser:
    """Chooses statements among judged candidates.

    Args:
        readings: The narratives.
        reader: Decides whether chosen statements already state a candidate.
        wanted: The number of other narratives that must agree.
    """

    def __init__(self, readings: Readings, reader: Reader, wanted: int) -> None:
        self._readings = readings
        self._reader = reader
        self._wanted = wanted

    def chosen(self, judged: Sequence[Judged], strictness: float) -> list[Judged]:
        """Return each shared fact once, the best first."""
        chosen: list[Judged] = []
        for candidate in self._likely(judged, strictness):
            said = any(self._same(candidate, other) for other in chosen)
            if not said and not any(self._said_by([candidate], chosen)):
                chosen.append(candidate)
        return chosen

    def less_likely(
        self, judged: Sequence[Judged], least: float, strictness: float, chosen: Sequence[Judged]
    ) -> list[Judged]:
        """Return facts from `least` to below the strictness that no chosen statement tells.

        The reader is asked once for all of them, so two of them may tell the same in different
        words.
        """
        facts: list[Judged] = []
        for candidate in self._likely(judged, least, strictness):
            if not any(self._same(candidate, other) for other in (*chosen, *facts)):
                facts.append(candidate)
        said = self._said_by(facts, chosen)
        return [fact for fact, is_said in zip(facts, said, strict=True) if not is_said]

    def _likely(
        self, judged: Sequence[Judged], least: float, below: float = math.inf
    ) -> list[Judged]:
        """Return the candidates with a probability in this range, the best first."""
        likely = [
            candidate
            for candidate in judged
            if candidate.contradicted.max() < _CONTRADICTED
            and least <= candidate.probability(self._wanted) < below
        ]
        return sorted(
            likely,
            key=lambda candidate: (-round(candidate.worth(self._wanted), 6), candidate.text),
        )

    def _said_by(self, candidates: Sequence[Judged], chosen: Sequence[Judged]) -> list[bool]:
        """Say which candidates the statements chosen so far state."""
        if not (chosen and candidates):
            return [False] * len(candidates)
        readings = self._reader.read_each(
            [candidate.text for candidate in candidates],
            [self._nearest(candidate, chosen) for candidate in candidates],
            np.array([candidate.vector for candidate in candidates]),
            cache=False,
        )
        return [
            (reading.shared if self._is_beside(candidate, chosen) else reading.stated) >= _SAID
            for candidate, reading in zip(candidates, readings, strict=True)
        ]

    def _nearest(self, candidate: Judged, chosen: Sequence[Judged]) -> PreparedText:
        """Return the nearest chosen statements, in order, as a text."""
        vectors = np.array([other.vector for other in chosen])
        cosines = np.round(vectors @ candidate.vector, 5)
        near = np.sort(np.argsort(-cosines, kind="stable")[:_NEAREST])
        return PreparedText([chosen[index].text for index in near], vectors[near])

    def _is_beside(self, candidate: Judged, chosen: Sequence[Judged]) -> bool:
        return any(self._same_evidence(candidate, other) for other in chosen)

    def _same(self, judged: Judged, other: Judged) -> bool:
        mine, theirs = judged.candidate, other.candidate
        if (mine.narrative, mine.row) == (theirs.narrative, theirs.row):
            both = len({*mine.kept} & {*theirs.kept})
            return both >= _SAME_WORDS * min(len(mine.kept), len(theirs.kept))
        cosine = float(judged.vector @ other.vector)
        if cosine >= _SAME or contains(judged.text, other.text):
            return True
        return cosine >= _SAME_EVIDENCE and self._same_evidence(judged, other)

    def _same_evidence(self, judged: Judged, other: Judged) -> bool:
        """Say whether the same sentences of both narratives show two candidates."""
        return all(
            self._evidence(judged, narrative) == self._evidence(other, narrative)
            for narrative in (judged.candidate.narrative, other.candidate.narrative)
        )

    def _evidence(self, judged: Judged, narrative: int) -> str | None:
        """Return the text of the sentence that shows it; a sentence may occur twice."""
        index = judged.shown[narrative]
        return None if index is None else self._readings.narratives[narrative].sentences[index].text
