"""Match segments with units as PyrEval's code does, which differs from the paper's WMIN.

A vertex is one segment with its two best units; segments of other segmentations of its sentence
exclude it. Vertices are taken greedily by their mean similarity. Then each unit, in the order of
the summary, goes to the segment with the median of its similarities, and a segment has one unit.
"""

from collections.abc import Sequence
from statistics import median_high
from typing import Final, NamedTuple

import numpy as np

from commonground.pyramid.builders.graph import Floats
from commonground.pyramid.matching import Cut, Match, Matching

_BEST: Final = 2  # units considered for each segment


class _Vertex(NamedTuple):
    sentence: int
    segmentation: int
    segment: int
    cosines: dict[int, float]  # by unit, the best first

    @property
    def value(self) -> float:
        return sum(self.cosines.values()) / len(self.cosines)


def match(sentences: Sequence[Sequence[Cut]], weights: Sequence[int], threshold: float) -> Matching:
    """Match a summary with the units of a pyramid.

    Args:
        sentences: The segmentations of each sentence.
        weights: The weight of each unit.
        threshold: Minimum mean cosine of a match.

    Example:
        >>> whole = Cut(("It rained and the river rose.",), np.array([[0.6, 0.7]]))
        >>> split = Cut(("It rained", "the river rose."), np.array([[0.9, 0.1], [0.2, 0.8]]))
        >>> match([[whole, split]], [3, 2], 0.5).raw
        5
    """
    chosen = _independent(_vertices(sentences, np.array(weights), threshold))
    by_unit: dict[int, dict[_Key, float]] = {}
    for vertex in sorted(chosen, key=lambda vertex: vertex.sentence):
        for unit, cosine in vertex.cosines.items():
            by_unit.setdefault(unit, {})[vertex[:3]] = cosine
    matched: dict[_Key, tuple[int, float]] = {}
    for unit, segments in by_unit.items():
        free = {key: cosine for key, cosine in segments.items() if key not in matched}
        if free:
            middle = median_high(free.values())
            key = next(key for key, cosine in free.items() if cosine == middle)
            matched[key] = unit, middle
    matches = tuple(Match(*key, *matched[key]) for key in sorted(matched))
    ways = [max(range(len(cuts)), key=lambda i: len(cuts[i].texts)) for cuts in sentences]
    for item in matches:
        ways[item.sentence] = item.segmentation
    count = sum(len(cuts[way].texts) for cuts, way in zip(sentences, ways, strict=True))
    return Matching(matches, tuple(ways), sum(weights[m.unit] for m in matches), count)


_Key = tuple[int, int, int]  # sentence, segmentation, segment


def _vertices(
    sentences: Sequence[Sequence[Cut]], weights: Floats, threshold: float
) -> list[_Vertex]:
    """Return the segments that may state a unit, with their best units.

    The best have the greatest cosine x weight x (1 - deviation).
    """
    vertices = []
    for sentence, cuts in enumerate(sentences):
        for segmentation, cut in enumerate(cuts):
            mean, deviation = cut.similarity, 0.0 if cut.deviation is None else cut.deviation
            rank = np.where(mean >= threshold, mean * weights * (1 - deviation), -1)
            for segment, row in enumerate(rank):
                best = [int(u) for u in np.argsort(-row, kind="stable")[:_BEST] if row[u] >= 0]
                if best:
                    cosines = {unit: float(mean[segment, unit]) for unit in best}
                    vertices.append(_Vertex(sentence, segmentation, segment, cosines))
    return vertices


def _independent(vertices: Sequence[_Vertex]) -> list[_Vertex]:
    """Choose vertices greedily; the first of a sentence decides its segmentation.

    Segments of different sentences exclude each other only if they have the same unit with the same
    cosine, that is, the same words.
    """
    way: dict[int, int] = {}
    taken: dict[tuple[int, float], int] = {}
    chosen = []
    for vertex in sorted(vertices, key=lambda vertex: -vertex.value):
        same = (taken.get(pair, vertex.sentence) for pair in vertex.cosines.items())
        if way.setdefault(vertex.sentence, vertex.segmentation) == vertex.segmentation and all(
            sentence == vertex.sentence for sentence in same
        ):
            chosen.append(vertex)
            taken |= dict.fromkeys(vertex.cosines.items(), vertex.sentence)
    return chosen
