"""Soft presence: a unit counts with the probability that the summary states it.

Judged on the unit's label, the wording nearest to all its contributors. A hard yes or no at one
half loses a good part of the agreement with people, since most of a student's wordings lie near
the line.
"""

from collections.abc import Sequence

from commonground._score import Signature
from commonground.encoders import DEFAULT, Encoder
from commonground.text import SegmentedSentence, segment
from commonground.units._denial import Check, may_deny
from commonground.units._pyramid_score import STATED, PyramidScore, Text, UnitMatch, signed
from commonground.units._unit import Unit
from commonground.units.evidence import MODEL, Evidence, Presence


class SoftScorer:
    """Scores many summaries by the probability of each unit.

    Args:
        units: The pyramid's units.
        references: How many references it was built from.
        pyramid: The pyramid's signature, which becomes part of the score's.
        encoder: For the evidence; it must have token vectors.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        references: int,
        pyramid: Signature,
        encoder: str | Encoder = DEFAULT,
    ) -> None:
        self._evidence = Evidence(encoder)
        self._units = tuple(units)
        self._references = references
        self._read = self._evidence.read_units([unit.label for unit in units])
        self._signature = signed(pyramid, self._evidence.encoder, presence=f"soft-{MODEL}")

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        found = self._evidence.judge_read(self._read, self._evidence.read_text(summary))
        sentences = segment(summary)
        matches = [
            UnitMatch(
                unit.label,
                unit.weight,
                p.probability,
                p.sentence,
                p.text,
                check=_check(unit.label, p, sentences),
            )
            for unit, p in zip(self._units, found, strict=True)
        ]
        return PyramidScore.of(matches, _clauses(sentences), self._references, self._signature)


def _check(label: str, found: Presence, sentences: Sequence[SegmentedSentence]) -> Check | None:
    if found.sentence is None or found.probability < STATED:
        return None
    clauses = [part.text for part in sentences[found.sentence].finest]
    return "negation" if may_deny(label, clauses) else None


def clause_count(summary: Text) -> int:
    """How many clauses a summary has, cut as finely as they can be."""
    return _clauses(segment(summary))


def _clauses(sentences: Sequence[SegmentedSentence]) -> int:
    return sum(len(found.finest) for found in sentences)
