"""Disputed values: what no statement may hold, because narratives contradict each other on it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from commonground.narratives.conflicts.contradiction import contradicts
from commonground.narratives.conflicts.find import Facts
from commonground.narratives.reading import Readings
from commonground.narratives.result import Conflict, Side
from commonground.narratives.texts import STOP_WORDS
from commonground.text import stem, written

Place = tuple[int, int]

_WORD = re.compile(r"[^\W\d_]{3,}")
# Numbers and dates stand for many things; elsewhere they are checked against the narrative's own.
_BY_PLACE = frozenset(("number", "date", "claim"))


class Disputed:
    """What is disputed, by sentence and anywhere.

    The values themselves are disputed where they stand. A name, place or quality that the other
    narrative has nowhere is disputed in every sentence, and so is a verb that one narrative denies:
    "the York talks" repeats that the talks were in York.

    Args:
        readings: The narratives.
        facts: What their closely read sentences say.
        conflicts: Between them, all that rules found.
    """

    def __init__(
        self, readings: Readings, facts: Sequence[Facts], conflicts: Iterable[Conflict]
    ) -> None:
        self._facts = facts
        self._values: defaultdict[Place, set[str]] = defaultdict(set)
        self._stems: set[str] = set()
        self._readings = readings
        self.add(conflicts)

    def add(self, conflicts: Iterable[Conflict]) -> None:
        """Dispute what these conflicts are about, too."""
        for conflict in conflicts:
            first, second = conflict.sides
            for side, other in ((first, second), (second, first)):
                self._values[self._place(side)].add(written(side.value))
                if conflict.kind not in _BY_PLACE:
                    told = _stems(side.value)
                    denied = conflict.kind == "negation"
                    self._stems |= told if denied else told - self._said(other.narrative)

    def held(self, text: str, place: Place) -> bool:
        """Whether a text, from the sentence at a place, holds something disputed."""
        if any(value in text for value in self._values.get(place, ())):
            return True
        return bool(self._stems) and not self._stems.isdisjoint(_stems(text))

    def denied(self, text: str, place: Place, other: int, shown: int) -> bool:
        """Whether the sentence that is to show a text in another narrative may contradict it."""
        narrative, number = place
        return contradicts(text, self._facts[narrative], number, self._facts[other], shown)

    def _place(self, side: Side) -> Place:
        narrated = self._readings.narratives[side.narrative]
        for number, sentence in enumerate(narrated.sentences[place] for place in narrated.close):
            if sentence.start <= side.value_start < sentence.end:
                return side.narrative, number
        return side.narrative, -1

    def _said(self, narrative: int) -> set[str]:
        sentences = self._readings.narratives[narrative].sentences
        return _stems(" ".join(sentence.text for sentence in sentences))


def _stems(text: str) -> set[str]:
    words: Sequence[str] = _WORD.findall(written(text).lower())
    return {stem(word) for word in words if word not in STOP_WORDS}
