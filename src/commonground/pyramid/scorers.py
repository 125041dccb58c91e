"""Two ways to score a summary with a pyramid: soft presence and hard matches.

Soft presence is judged on the unit's label, the contributor nearest to all others. A threshold at
one half would lose much of the agreement with people, since most of a student's wordings are near
it.

For hard matches, the similarity of a segment to a unit is the mean cosine to the unit's
contributors; `matching` chooses which segments state which units.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

import numpy as np

from commonground import encoders
from commonground.encoders import Encoder
from commonground.errors import InputError, unknown_name
from commonground.pyramid.builders.graph import Floats, gridded
from commonground.pyramid.evidence.checks import checks
from commonground.pyramid.evidence.presence import MODEL, Evidence
from commonground.pyramid.matching import MATCHERS, Cut, Graph, Matching
from commonground.pyramid.presets import prepared, preset, preset_of
from commonground.pyramid.pyreval import matching as pyreval
from commonground.pyramid.pyreval.segments import segment_all
from commonground.pyramid.score import (
    PARTLY,
    PyramidScore,
    Text,
    UnitMatch,
    presence_of,
    pyreval_scores,
    scores,
    signed,
)
from commonground.pyramid.unit import Unit
from commonground.score import Signature
from commonground.text import SegmentedSentence, segment


class SoftScorer:
    """Scores summaries by the probability of each unit; `pyramid` is the pyramid's signature."""

    def __init__(
        self, units: Sequence[Unit], references: int, pyramid: Signature, encoder: str | Encoder
    ) -> None:
        self._evidence = Evidence(encoder)
        self._units = tuple(units)
        self._references = references
        self._read = self._evidence.read_units([unit.judged for unit in units])
        self._signature = signed(pyramid, self._evidence.encoder, f"soft-{MODEL}-{PARTLY:g}")

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        document = self._evidence.read_text(summary)
        judged = self._evidence.judge_read(self._read, document)
        clauses = [[part.text for part in parsed.clauses] for parsed in document.parsed]
        matches = []
        for unit, presence in zip(self._units, judged, strict=True):
            label, probability, sentence = unit.label, presence.probability, presence.sentence
            text = presence.text or ""
            counts = sentence is not None and presence_of(probability) != "no"
            why = checks(label, unit.judged, clauses[sentence or 0], text) if counts else ()
            matches.append(
                UnitMatch(label, unit.weight, probability, sentence, presence.text, checks=why)
            )
        count = sum(map(len, clauses))
        return PyramidScore.of(matches, count, self._references, self._signature)


# A segment beside a unit: similarity, sentence, text.
_Segment = tuple[float, int | None, str | None]


class HardScorer:
    """Scores summaries by matches of segments with units; `method` is one of `MATCHERS`."""

    _scores = staticmethod(scores)

    def __init__(
        self,
        units: Sequence[Unit],
        references: int,
        pyramid: Signature,
        method: str,
        encoder: str | Encoder | None,
        threshold: float | None,
    ) -> None:
        self._encoder = _load(encoder, pyramid, method)
        chosen = preset(PYREVAL) if method == PYREVAL else preset_of(pyramid)
        if threshold is None and chosen is not None:
            threshold = chosen.threshold
        self._threshold = _checked(threshold, self._encoder.name)
        self._method = method
        self._tags_numbers = chosen is not None and chosen.tags_numbers
        self._units = tuple(units)
        self._weights = [unit.weight for unit in self._units]
        self._references = references
        texts = [[c.text for c in unit.contributors] or [unit.judged] for unit in self._units]
        self._contributors = self._encode([text for of_unit in texts for text in of_unit])
        self._sizes = np.array([len(of_unit) for of_unit in texts])
        self._signature = signed(pyramid, self._encoder, f"{method}-{self._threshold:g}")

    def score(self, summary: Text) -> PyramidScore:
        """Score one summary: a `str`, or a list of sentences."""
        sentences = self._cuts(self._segment(summary))
        matching = self._matching(sentences)
        stating: dict[int, _Segment] = {}
        for match in matching.matches:
            text = sentences[match.sentence][match.segmentation].texts[match.segment]
            stating[match.unit] = match.similarity, match.sentence, text
        matches = []
        for index, nearest in enumerate(_nearest(sentences, len(self._units))):
            unit, stated = self._units[index], index in stating
            similarity, sentence, words = stating.get(index, nearest)
            shown, weight = words or "", self._weights[index]
            why = checks(unit.label, unit.judged, [shown], shown) if stated else ()
            matches.append(
                UnitMatch(unit.label, weight, float(stated), sentence, words, similarity, why)
            )
        count, signature = matching.unit_count, self._signature
        return PyramidScore.of(matches, count, self._references, signature, self._scores)

    def _segment(self, summary: Text) -> list[SegmentedSentence]:
        return segment(summary)

    def _matching(self, sentences: Sequence[Sequence[Cut]]) -> Matching:
        judged = [unit.judged for unit in self._units]
        graph = Graph.of(sentences, self._weights, judged, self._threshold)
        return graph.matching(MATCHERS[self._method](graph))

    def _encode(self, texts: Sequence[str]) -> Floats:
        given = prepared(texts, self._encoder) if self._tags_numbers else texts
        return self._encoder.encode(given).astype(np.float64)

    def _mean(self, cosines: Floats) -> Floats:
        """Return segments x units: the mean over the contributors of each unit."""
        starts = np.cumsum(self._sizes) - self._sizes
        return np.asarray(np.add.reduceat(cosines, starts, axis=1) / self._sizes)

    def _cuts(self, segmented: Sequence[SegmentedSentence]) -> list[list[Cut]]:
        texts = [
            [tuple(part.text for part in parts) for parts in sentence.segmentations]
            for sentence in segmented
        ]
        distinct = sorted({text for ways in texts for way in ways for text in way})
        if not distinct:
            return []
        row = {text: index for index, text in enumerate(distinct)}
        # Rounding hides the order of contributors and segments, which affects sums.
        cosines = self._encode(distinct) @ self._contributors.T
        mean = gridded(self._mean(cosines))
        deviation = np.sqrt(np.maximum(self._mean(cosines**2) - self._mean(cosines) ** 2, 0))
        rows = [[[row[text] for text in way] for way in ways] for ways in texts]
        return [
            [Cut(way, mean[r], deviation[r]) for way, r in zip(ways, of_sentence, strict=True)]
            for ways, of_sentence in zip(texts, rows, strict=True)
        ]


class PyrEvalScorer(HardScorer):
    """Scores summaries as PyrEval's code does: its segments, its matching, its scores."""

    _scores = staticmethod(pyreval_scores)

    def _segment(self, summary: Text) -> list[SegmentedSentence]:
        return segment_all([summary])[0]

    def _matching(self, sentences: Sequence[Sequence[Cut]]) -> Matching:
        return pyreval.match(sentences, self._weights, self._threshold)


def _nearest(sentences: Sequence[Sequence[Cut]], units: int) -> list[_Segment]:
    """Return the most similar segment for each unit; of equals the first by its words."""
    segments = [
        (text, sentence, row)
        for sentence, cuts in enumerate(sentences)
        for cut in cuts
        for text, row in zip(cut.texts, cut.similarity, strict=True)
    ]
    if not segments:
        return [(0.0, None, None)] * units
    segments.sort(key=lambda segment: segment[:2])
    rows = np.array([row for _, _, row in segments])
    return [
        (float(rows[best, unit]), segments[best][1], segments[best][0])
        for unit, best in enumerate(rows.argmax(axis=0))
    ]


def _load(encoder: str | Encoder | None, pyramid: Signature, method: str) -> Encoder:
    if encoder is not None:
        return encoders.load(encoder) if isinstance(encoder, str) else encoder
    default = preset(PYREVAL).encoder if method == PYREVAL else encoders.DEFAULT
    name = pyramid.to_dict().get("enc", default).split("@")[0]
    if name not in encoders.NAMES:
        raise InputError(
            f"the pyramid was built with the encoder {name!r}, which is not built in: "
            "give its folder or name as encoder"
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
    """Return the minimum cosine of a match by encoder, from `bench/match_threshold.py`."""
    path = resources.files("commonground.pyramid").joinpath("data/match_thresholds.json")
    known = json.loads(path.read_text("utf-8"))["encoders"]
    return {name: float(row["threshold"]) for name, row in known.items()}


Scorer = SoftScorer | HardScorer
SOFT: Final = "soft"
PYREVAL: Final = "pyreval"
METHODS: Final = (SOFT, *MATCHERS, PYREVAL)


def scorer(
    units: Sequence[Unit],
    references: int,
    pyramid: Signature,
    method: str | None,
    encoder: str | Encoder | None,
    threshold: float | None,
) -> Scorer:
    """Return a scorer; `Pyramid.scorer` describes the choices."""
    if not units:
        raise InputError("a pyramid without units cannot score")
    chosen = preset_of(pyramid)
    if method is None:
        method = chosen.method if chosen else SOFT
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if method != SOFT:
        hard = PyrEvalScorer if method == PYREVAL else HardScorer
        return hard(units, references, pyramid, method, encoder, threshold)
    if threshold is not None:
        raise InputError(f"the method {SOFT!r} has no threshold; {', '.join(METHODS[1:])} have")
    return SoftScorer(units, references, pyramid, encoder or encoders.DEFAULT)
