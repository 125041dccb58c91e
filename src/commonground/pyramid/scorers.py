"""The ways to score a summary with a pyramid: soft presence, hard matches.

Soft presence is judged on the unit's label, the wording nearest to all its contributors. A hard
yes or no at one half loses a good part of the agreement with people, since most of a student's
wordings lie near the line.

For hard matches, how near a segment is to a unit is the mean cosine to the unit's contributors;
`matching.graph` says which segments may state which units, and a matcher chooses.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

import numpy as np

from commonground import encoders
from commonground.encoders import DEFAULT, Encoder
from commonground.errors import InputError, unknown_name
from commonground.pyramid.builders.graph import GRID, Floats
from commonground.pyramid.evidence.denial import Check, may_deny
from commonground.pyramid.evidence.presence import MODEL, Evidence, Presence
from commonground.pyramid.matching.graph import Cut, Matching
from commonground.pyramid.matching.wmin import wmin, wmin_exact
from commonground.pyramid.presets import number_tagged, preset_of
from commonground.pyramid.score import STATED, PyramidScore, Scorer, Text, UnitMatch, signed
from commonground.pyramid.unit import Unit
from commonground.score import Signature
from commonground.text import SegmentedSentence, segment


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


Matcher = Callable[[Sequence[Sequence[Cut]], Sequence[int], Sequence[str], float], Matching]

MATCHERS: Final[dict[str, Matcher]] = {"wmin": wmin, "exact": wmin_exact}


@dataclass(frozen=True, slots=True)
class _Shown:
    """A segment beside a unit."""

    similarity: float
    sentence: int | None = None
    text: str | None = None


class HardScorer:
    """Scores many summaries by matches of segments with units.

    Args:
        units: The pyramid's units.
        references: How many references it was built from.
        pyramid: The pyramid's signature, which becomes part of the score's.
        method: One of `MATCHERS`.
        encoder: For the segments and the contributors; the pyramid's own by default.
        threshold: The least similarity that makes a match; the encoder's own by default.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        references: int,
        pyramid: Signature,
        method: str,
        encoder: str | Encoder | None = None,
        threshold: float | None = None,
    ) -> None:
        self._encoder = _opened(encoder, pyramid)
        self._threshold = _checked(threshold, self._encoder.name)
        self._matcher = MATCHERS[method]
        chosen = preset_of(pyramid)
        self._tags_numbers = chosen is not None and chosen.tags_numbers
        self._units = tuple(units)
        self._references = references
        self._centres = self._read(units)
        presence = f"{method}-{self._threshold:g}"
        self._signature = signed(pyramid, self._encoder, presence=presence)

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        sentences = self._cuts(segment(summary))
        weights = [unit.weight for unit in self._units]
        labels = [unit.label for unit in self._units]
        found = self._matcher(sentences, weights, labels, self._threshold)
        stating = {
            match.unit: _Shown(
                match.similarity,
                match.sentence,
                sentences[match.sentence][match.segmentation].texts[match.segment],
            )
            for match in found.matches
        }
        nearest = _nearest(sentences, len(self._units))
        matches = [
            _matched(unit, stating.get(place), nearest[place])
            for place, unit in enumerate(self._units)
        ]
        return PyramidScore.of(matches, found.unit_count, self._references, self._signature)

    def _encoded(self, texts: Sequence[str]) -> Floats:
        given = number_tagged(texts) if self._tags_numbers else texts
        return self._encoder.encode(given).astype(np.float64)

    def _read(self, units: Sequence[Unit]) -> Floats:
        """The mean vector of each unit's contributors, whose cosines are then means too."""
        said = [[one.text for one in unit.contributors] or [unit.label] for unit in units]
        vectors = self._encoded([text for texts in said for text in texts])
        starts = np.cumsum([0, *map(len, said)])
        return np.array([vectors[start:end].mean(axis=0) for start, end in pairwise(starts)])

    def _cuts(self, found: Sequence[SegmentedSentence]) -> list[list[Cut]]:
        texts = [
            [tuple(part.text for part in parts) for parts in sentence.segmentations]
            for sentence in found
        ]
        distinct = sorted({text for ways in texts for way in ways for text in way})
        if not distinct:
            return []
        place = {text: number for number, text in enumerate(distinct)}
        # On the grid the order of contributors and segments, which sets that of sums, is lost.
        similarity = np.rint(self._encoded(distinct) @ self._centres.T * GRID) / GRID
        return [
            [Cut(way, similarity[[place[text] for text in way]]) for way in ways] for ways in texts
        ]


def _matched(unit: Unit, stating: _Shown | None, nearest: _Shown) -> UnitMatch:
    shown = stating or nearest
    denied = stating is not None and may_deny(unit.label, [stating.text or ""])
    return UnitMatch(
        unit.label,
        unit.weight,
        float(stating is not None),
        shown.sentence,
        shown.text,
        shown.similarity,
        "negation" if denied else None,
    )


def _nearest(sentences: Sequence[Sequence[Cut]], units: int) -> list[_Shown]:
    """For each unit the most similar of all segments; of equals the first by its words."""
    segments = [
        (text, sentence, row)
        for sentence, cuts in enumerate(sentences)
        for cut in cuts
        for text, row in zip(cut.texts, cut.similarity, strict=True)
    ]
    if not segments:
        return [_Shown(0.0)] * units
    segments.sort(key=lambda one: one[:2])
    rows = np.array([row for _, _, row in segments])
    best = rows.argmax(axis=0)
    return [
        _Shown(float(rows[place, unit]), segments[place][1], segments[place][0])
        for unit, place in enumerate(best)
    ]


def _opened(encoder: str | Encoder | None, pyramid: Signature) -> Encoder:
    if encoder is not None:
        return encoders.load(encoder) if isinstance(encoder, str) else encoder
    name = pyramid.to_dict().get("enc", encoders.DEFAULT).split("@")[0]
    if name not in encoders.NAMES:
        raise InputError(
            f"the pyramid was built with the encoder {name!r}, which is none of the built-in "
            "ones: give its folder or name as encoder"
        )
    return encoders.load(name)


def _checked(threshold: float | None, encoder: str) -> float:
    if threshold is None:
        known = thresholds()
        if encoder not in known:
            raise InputError(
                f"no match threshold is known for the encoder {encoder!r} (known for: "
                f"{', '.join(sorted(known))}): give one as threshold, above 0 and up to 1"
            )
        return known[encoder]
    if not 0 < threshold <= 1:
        raise InputError(f"a match threshold is above 0 and up to 1, not {threshold}")
    return float(threshold)


@cache
def thresholds() -> dict[str, float]:
    """The least cosine that makes a match, by encoder; `bench/match_threshold.py` found them."""
    path = resources.files("commonground.pyramid").joinpath("data/match_thresholds.json")
    known = json.loads(path.read_text("utf-8"))["encoders"]
    return {name: float(row["threshold"]) for name, row in known.items()}


SOFT: Final = "soft"
METHODS: Final = (SOFT, *MATCHERS)


def scorer(
    units: Sequence[Unit],
    references: int,
    pyramid: Signature,
    method: str | None,
    encoder: str | Encoder | None,
    threshold: float | None,
) -> Scorer:
    """What scores summaries against units; `Pyramid.scorer` says what the choices are."""
    if not units:
        raise InputError("a pyramid without units cannot score")
    chosen = preset_of(pyramid)
    if method is None:
        method = chosen.method if chosen else SOFT
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if method != SOFT:
        return HardScorer(units, references, pyramid, method, encoder, threshold)
    if threshold is not None:
        raise InputError(f"the method {SOFT!r} has no threshold; {' and '.join(MATCHERS)} have")
    return SoftScorer(units, references, pyramid, encoder or encoders.DEFAULT)
