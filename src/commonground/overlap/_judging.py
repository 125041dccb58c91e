"""Units judged in narratives, also by what background knowledge lets them say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.overlap._knowledge import Knowledge
from commonground.units.evidence import Compared, Evidence, ReadText, ReadUnit


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Units judged in one narrative.

    Attributes:
        compared: A row for each unit, that of its best wording.
        through: The background statement behind that wording, by unit; absent for its own.
    """

    compared: Compared
    through: dict[int, str]


class Judge:
    """The judge of evidence, with background knowledge.

    Args:
        evidence: What judges.
        knowledge: What is known beside the narratives.
    """

    def __init__(self, evidence: Evidence, knowledge: Knowledge | None = None) -> None:
        self.evidence = evidence
        self.knowledge = knowledge

    def judge(self, units: Sequence[ReadUnit], texts: Sequence[ReadText]) -> list[Judged]:
        """Judge units in each of the texts."""
        plain = [Judged(self.evidence.compare(units, text), {}) for text in texts]
        if not self.knowledge:
            return plain
        reworded = [
            (place, text, statement)
            for place, unit in enumerate(units)
            for text, statement in self.knowledge.rewordings(unit.text)
        ]
        others = self.evidence.read_units([text for _, text, _ in reworded])
        sources = [(place, statement) for place, _, statement in reworded]
        return [
            _better(found, sources, self.evidence.compare(others, text))
            for found, text in zip(plain, texts, strict=True)
        ]


def _better(plain: Judged, sources: Sequence[tuple[int, str]], other: Compared) -> Judged:
    """Take over the rows of rewordings that are more likely stated."""
    features = plain.compared.features.copy()
    probabilities = plain.compared.probabilities.copy()
    shown = plain.compared.shown.copy()
    through: dict[int, str] = {}
    for row, (place, statement) in enumerate(sources):
        if other.probabilities[row] > probabilities[place]:
            features[place] = other.features[row]
            probabilities[place] = other.probabilities[row]
            shown[place] = other.shown[row]
            through[place] = statement
    compared = replace(plain.compared, features=features, probabilities=probabilities, shown=shown)
    return Judged(compared, through)


def least_sure(probabilities: np.ndarray, needed: int) -> float:
    """The probability of the least sure narrative among the surest so many."""
    return float(np.sort(probabilities)[::-1][needed - 1])
