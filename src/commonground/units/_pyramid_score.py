"""How well a summary states the units of a pyramid, unit by unit.

Presence is soft: a unit counts with the probability that the summary states it, judged on the
unit's label, the wording nearest to all its contributors. A hard yes or no at one half loses a
good part of the agreement with people, since most of a student's wordings lie near the line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from commonground._score import Signature
from commonground.encoders import DEFAULT, TokenEncoder
from commonground.errors import InputError
from commonground.text import PARSER, SPLITTERS, segment
from commonground.units._counts import scores
from commonground.units._unit import Unit
from commonground.units.evidence import MODEL, Evidence

STATED = 0.5
"""From this probability on, a unit is called stated where words are needed."""

Text = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """One unit of the pyramid and how likely the summary states it.

    `text` is the sentence of the summary that shows it best, None where it has no words.
    """

    label: str
    weight: int
    probability: float
    sentence: int | None
    text: str | None

    @property
    def stated(self) -> bool:
        """Whether it is more likely stated than not."""
        return self.probability >= STATED

    def to_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {
            "label": self.label,
            "weight": self.weight,
            "probability": self.probability,
            "stated": self.stated,
            "sentence": self.sentence,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, repr=False)
class PyramidScore:
    """The score of one summary, and what it comes from.

    Attributes:
        raw: The weights of the units, each times the probability that the summary states it.
        quality: `raw` beside the best that as many units as the summary has could weigh.
        coverage: `raw` beside the best that an average reference's number of units could weigh.
        comprehensive: The harmonic mean of quality and coverage.
        unit_count: The summary's clauses.
        matches: Every unit of the pyramid, in its order.
        signature: All that the numbers depend on.
    """

    raw: float
    quality: float
    coverage: float
    comprehensive: float
    unit_count: int
    matches: tuple[UnitMatch, ...]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "raw": self.raw,
            "quality": self.quality,
            "coverage": self.coverage,
            "comprehensive": self.comprehensive,
            "unit_count": self.unit_count,
            "matches": [match.to_dict() for match in self.matches],
            "signature": str(self.signature),
        }

    def __repr__(self) -> str:
        return (
            f"PyramidScore(raw={self.raw:.2f}, quality={self.quality:.3f}, "
            f"coverage={self.coverage:.3f}, comprehensive={self.comprehensive:.3f}, "
            f"signature='{self.signature}')"
        )

    def __str__(self) -> str:
        """What was said and what was missed, the heaviest first."""
        lines = [
            f"raw {self.raw:.1f}, quality {self.quality:.2f}, coverage {self.coverage:.2f}, "
            f"comprehensive {self.comprehensive:.2f}"
        ]
        for title, stated in (("Stated", True), ("Missed", False)):
            lines += ["", f"{title}:"]
            for match in self.matches:
                if match.stated is stated:
                    lines.append(f"  [{match.weight}] {match.probability:.2f}  {match.label}")
                    if stated and match.text:
                        lines.append(f"             by: {match.text}")
        return "\n".join(lines)


class Scorer:
    """Scores many summaries against one pyramid; the units are read once.

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
        encoder: str | TokenEncoder = DEFAULT,
    ) -> None:
        if not units:
            raise InputError("a pyramid without units cannot score")
        self._evidence = Evidence(encoder)
        self._units = tuple(units)
        self._references = references
        self._read = self._evidence.read_units([unit.label for unit in units])
        self._signature = self._signed(pyramid)

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        found = self._evidence.judge_read(self._read, self._evidence.read_text(summary))
        raw = fsum(
            unit.weight * presence.probability
            for unit, presence in zip(self._units, found, strict=True)
        )
        count = clause_count(summary)
        weights = [unit.weight for unit in self._units]
        four = scores(raw, count, weights, self._references)
        matches = tuple(
            UnitMatch(unit.label, unit.weight, p.probability, p.sentence, p.text)
            for unit, p in zip(self._units, found, strict=True)
        )
        return PyramidScore(
            four.raw,
            four.quality,
            four.coverage,
            four.comprehensive,
            count,
            matches,
            self._signature,
        )

    def _signed(self, pyramid: Signature) -> Signature:
        encoder = self._evidence.encoder
        fields = {key: value for key, value in pyramid.fields if key != "v"}
        fields |= {
            "presence": f"soft-{MODEL}",
            "judge": f"{encoder.name}@{encoder.fingerprint[:8]}",
            "split": SPLITTERS["layout"],
            "parse": PARSER,
        }
        return Signature.of(pyramid.measure, **fields)


def clause_count(summary: Text) -> int:
    """How many units a summary has: its clauses, cut as finely as they can be."""
    return sum(len(found.finest) for found in segment(summary))
