"""Statements: the longest cuts of sentences that enough narratives state, each read again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.narratives.conflicts.disputed import Details, Disputed
from commonground.narratives.knowledge import Knowledge
from commonground.narratives.reading import Readings, Stages
from commonground.narratives.statements.belief import belief, bound, features
from commonground.narratives.statements.candidates import Candidate, candidates
from commonground.narratives.statements.choose import Chooser, Judged
from commonground.narratives.statements.evidence import Sought, evidence_of, unread_evidence
from commonground.narratives.texts import speaks_of_self
from commonground.reader import Reader, Reading
from commonground.wording import flat, stems

STRICTNESS = 0.5
"""Default minimum probability that every narrative states a statement in full."""

LEAST_LIKELY = 0.3
"""Minimum probability of the statements that a result keeps below its strictness."""

_BRIDGED = 0.05  # a rewording by background knowledge may be this much less probable
_SAME_NARRATOR = 0.93  # minimum probability for a statement that says "I"


class Finder:
    """Finds the statements of one event.

    Args:
        readings: The narratives.
        reader: Reads sentences and cuts against the narratives.
        at_least: The number of narratives that must state a statement.
        disputed: What the narratives contradict each other on.
        knowledge: Background statements that may bridge wordings.
        stages: Reports progress.

    Attributes:
        read: For each narrative, by other narrative, the readings of its closely read sentences.
    """

    def __init__(
        self,
        readings: Readings,
        reader: Reader,
        at_least: int,
        disputed: Disputed,
        knowledge: Knowledge | None = None,
        stages: Stages | None = None,
    ) -> None:
        self._stages = stages or Stages()
        self._readings = readings
        self._reader = reader
        self._knowledge = knowledge
        self._wanted = at_least - 1  # the number of other narratives that must agree
        self._disputed = disputed
        self._texts = list(map(reader.prepare, readings.narratives))
        self._details = [Details.of(document.texts) for document in readings.narratives]
        joined = [" ".join(document.texts) for document in readings.narratives]
        self._stems = list(map(stems, joined))
        self._flat = [f" {flat(text)} " for text in joined]
        self.read = [self._read_all(narrative) for narrative in range(len(readings))]

    def statements(
        self, strictness: float, most: int | None = None
    ) -> tuple[list[Judged], list[Judged]]:
        """Return shared facts, each once, the best first: the likely ones, and less likely ones.

        Less likely ones are among those that might have reached the default strictness: to read
        more of them again would take time.

        Args:
            strictness: Minimum probability of the likely ones.
            most: Maximum number of each.
        """
        judged, count = [], len(self._readings)
        for narrative in range(count):
            self._stages.report("choose", "Choosing shared statements", narrative, count)
            judged += self.judged(narrative, min(strictness, STRICTNESS))
        chooser = Chooser(self._readings, self._reader, self._wanted)
        likely = chooser.chosen(judged, strictness)
        less = chooser.less_likely(judged, LEAST_LIKELY, strictness, likely)[:most]
        return self._with_evidence(likely[:most]), self._with_evidence(less, read=False)

    def judged(self, narrative: int, strictness: float = 0.0) -> list[Judged]:
        """Read the candidates of a narrative that may reach the strictness again."""
        read = self.read[narrative]
        parsed = self._readings.narratives[narrative].parsed
        known = [bool(self._rewordings(sentence.text)) for sentence in parsed]
        promising = [
            candidate
            for candidate in candidates(self._readings, narrative, read, self._wanted, known)
            if self._may_reach(candidate, strictness)
        ]
        vectors = self._vectors(narrative, [candidate.text for candidate in promising])
        again = {other: self._read_again(promising, vectors, other) for other in read}
        return [
            self._judge(candidate, {other: again[other][n] for other in again}, vectors[n])
            for n, candidate in enumerate(promising)
        ]

    def _vectors(self, narrative: int, texts: Sequence[str]) -> np.ndarray:
        """Return the vectors of wordings; those of whole sentences are known."""
        own, encoder = self._texts[narrative], self._reader.encoder
        known = dict(zip(own.sentences, own.vectors(encoder), strict=True))
        fresh = [text for text in texts if text not in known]
        known.update(zip(fresh, encoder.encode(fresh), strict=True))
        return np.array([known[text] for text in texts])

    def _read_all(self, narrative: int) -> dict[int, list[Reading]]:
        document, count = self._readings.narratives[narrative], len(self._readings)
        message = f"Comparing narrative {narrative + 1} of {count}"
        self._stages.report("compare", message, narrative, count)
        sentences = [parsed.text for parsed in document.parsed]
        vectors = self._texts[narrative].vectors(self._reader.encoder)[document.close]
        return {
            other: self._reader.read(sentences, self._texts[other], vectors)
            for other in self._readings.others(narrative)
        }

    def _may_reach(self, candidate: Candidate, strictness: float) -> bool:
        """Say whether enough narratives may state a candidate; reading again is the slow step."""
        if self._rewordings(candidate.text):
            return True
        read = self.read[candidate.narrative]
        words = len(candidate.text.split())
        bounds = [
            bound(by_row[candidate.row], candidate.kept, candidate.form, words)
            for by_row in read.values()
        ]
        enough = sorted(bounds)[-self._wanted] >= strictness
        return enough or any(self._has_words(other, candidate) for other in read)

    def _has_words(self, narrative: int, candidate: Candidate) -> bool:
        """Say whether a narrative contains a candidate word for word."""
        return f" {flat(candidate.text)} " in self._flat[narrative]

    def _rewordings(self, text: str) -> list[tuple[str, str]]:
        return self._knowledge.rewordings(text) if self._knowledge else []

    def _read_again(
        self, wordings: Sequence[Candidate], vectors: np.ndarray, other: int
    ) -> list[tuple[Reading, str | None]]:
        """Return the best reading of each candidate, and the background statement it needed."""
        text, said = self._texts[other], self._stems[other]
        # Whole sentences have been read before.
        best: list[tuple[Reading, str | None]] = [
            (self.read[candidate.narrative][other][candidate.row], None) for candidate in wordings
        ]
        unread = [n for n, (reading, _) in enumerate(best) if reading.sentence != wordings[n].text]
        again = self._reader.read([wordings[n].text for n in unread], text, vectors[unread])
        for n, reading in zip(unread, again, strict=True):
            best[n] = reading, None
        bridges = [
            (n, reworded, through)
            for n, candidate in enumerate(wordings)
            for reworded, through in self._rewordings(candidate.text)
            if len(stems(reworded) & said) > len(stems(candidate.text) & said)
        ]
        readings = self._reader.read([reworded for _, reworded, _ in bridges], text)
        for (n, _, through), reading in zip(bridges, readings, strict=True):
            if reading.stated > best[n][0].stated - _BRIDGED:
                best[n] = reading, through
        return best

    def _judge(
        self,
        candidate: Candidate,
        again: dict[int, tuple[Reading, str | None]],
        vector: np.ndarray,
    ) -> Judged:
        count, narrative, row = len(self._readings), candidate.narrative, candidate.row
        stated, contradicted = np.ones(count), np.zeros(count)
        evidence: list[int | None] = [None] * count
        evidence[narrative] = int(self._readings.narratives[narrative].close[row])
        held = self._disputed.held(candidate.text, (narrative, row))
        values = {}
        for other, (reading, bridge) in again.items():
            sentence = reading if bridge else self.read[narrative][other][row]
            kept = range(len(reading.words)) if bridge else candidate.kept
            fits = self._details[other].bear(candidate.text)
            values[other] = features(sentence, reading, kept, candidate.form, fits)
            contradicted[other] = reading.contradicted
            index = reading.evidence[0].sentence if reading.evidence else reading.nearest
            evidence[other] = index
            verbatim = self._has_words(other, candidate)
            denied = not (bridge or verbatim) and self._denied(candidate, other, index)
            sure = 1.0 if verbatim else belief(values[other])
            # "I did" in two narratives may be two persons, unless the wording is about the same.
            other_narrator = speaks_of_self(candidate.text) and sure < _SAME_NARRATOR
            stated[other] = 0.0 if held or denied or other_narrator else sure
        through = {other: bridge for other, (_, bridge) in again.items() if bridge}
        return Judged(candidate, stated, contradicted, tuple(evidence), through, values, vector)

    def _denied(self, candidate: Candidate, other: int, index: int | None) -> bool:
        """Say whether the rules find that the evidence may contradict a candidate."""
        rows = np.flatnonzero(self._readings.narratives[other].close == index)
        source = candidate.narrative, candidate.row
        return bool(len(rows)) and self._disputed.denied(
            candidate.text, source, other, int(rows[0])
        )

    def _with_evidence(self, chosen: Sequence[Judged], *, read: bool = True) -> list[Judged]:
        """Add the closely read sentences that show each best.

        Others stay as they are: where background knowledge bridged, and where the reader found a
        sentence that is not closely read. `read` says whether close calls are read, which takes
        time.
        """
        documents = self._readings.narratives
        places = [
            (n, narrative)
            for n, judged in enumerate(chosen)
            for narrative, index in enumerate(judged.shown)
            if index in documents[narrative].close
            and narrative != judged.candidate.narrative
            and narrative not in judged.through
        ]
        sought = [
            Sought(
                chosen[n].text,
                chosen[n].vector,
                documents[chosen[n].candidate.narrative],
                chosen[n].candidate.row,
                chosen[n].candidate.kept,
                documents[narrative],
            )
            for n, narrative in places
        ]
        found = evidence_of(self._reader, sought) if read else map(unread_evidence, sought)
        shown = [list(judged.shown) for judged in chosen]
        for (n, narrative), index in zip(places, found, strict=True):
            shown[n][narrative] = index
        return [
            replace(judged, shown=tuple(own)) for judged, own in zip(chosen, shown, strict=True)
        ]
