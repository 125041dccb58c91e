"""What a summary can state of a pyramid, as a graph whose independent sets are the matchings.

A node is a segmentation of a sentence with a set of units for its segments; nodes of one
sentence exclude each other, and so do nodes that share a unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from commonground.errors import InputError
from commonground.pyramid.builders.graph import GRID, Floats

# How many units are considered for a segment.
_BEST: Final = 2
# How many sets of units are kept for a segmentation, the heaviest: all of them for up to four
# segments with two units each. It bounds the graph where sentences are very long.
_SETS: Final = 81


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """One segmentation of a sentence.

    Attributes:
        texts: The segments.
        similarity: Segments x units: the mean similarity of the segment to the contributors of
            the unit. It should depend on the words alone; the matches then do not depend on the
            order of sentences, segmentations or units.
    """

    texts: tuple[str, ...]
    similarity: Floats


@dataclass(frozen=True, slots=True)
class Match:
    """A segment that states a unit: places in what was given, and how similar they are."""

    sentence: int
    segmentation: int
    segment: int
    unit: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Matching:
    """What a summary states of a pyramid.

    Attributes:
        matches: In order of the summary; no unit occurs twice.
        segmentations: For each sentence the segmentation that counts; the finest where nothing
            matched.
        raw: The sum of the weights of the matched units.
        unit_count: The segments of these segmentations, matched or not.
    """

    matches: tuple[Match, ...]
    segmentations: tuple[int, ...]
    raw: int
    unit_count: int


@dataclass(frozen=True, slots=True)
class Node:
    """A segmentation with one of the sets of units that its segments can state.

    Attributes:
        sentence: The sentence's place.
        segmentation: The segmentation's place.
        units: For each segment the place of its unit in `Graph.order`; -1 for none.
        weight: The sum of the weights of the units.
        similarity: The sum of the similarities.
    """

    sentence: int
    segmentation: int
    units: tuple[int, ...]
    weight: int
    similarity: float


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The nodes of a summary, in an order set by content.

    Attributes:
        sentences: The segmentations of each sentence.
        order: The units, in an order set by content.
        nodes: Those that match at least one unit; where all else is equal, the first is to be
            preferred: the most similar on average, then the finest, then by text.
    """

    sentences: Sequence[Sequence[Cut]]
    order: tuple[int, ...]
    nodes: tuple[Node, ...]

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[Cut]],
        weights: Sequence[int],
        labels: Sequence[str],
        threshold: float,
    ) -> "Graph":
        """The graph of a summary.

        Args:
            sentences: For each sentence of the summary its alternative segmentations.
            weights: The weight of each unit.
            labels: A text for each unit, which settles ties.
            threshold: The least similarity that makes a match.
        """
        _check(sentences, weights, labels)
        gridded = [[Cut(cut.texts, _gridded(cut.similarity)) for cut in cuts] for cuts in sentences]
        order = _order(gridded, weights, labels)
        ordered = [weights[unit] for unit in order]
        least = float(_gridded(np.array(threshold)))
        nodes = [
            Node(sentence, place, *found)
            for sentence, cuts in enumerate(gridded)
            for place, cut in enumerate(cuts)
            for found in _sets(cut.similarity[:, order], ordered, least)
        ]
        nodes.sort(key=lambda node: _content(gridded, node))
        return cls(gridded, order, tuple(nodes))

    def matching(self, chosen: Sequence[Node]) -> Matching:
        """What these nodes, of which no two exclude each other, say of the whole summary."""
        segmentations = [_finest(cuts) for cuts in self.sentences]
        for node in chosen:
            segmentations[node.sentence] = node.segmentation
        matches = [
            self._match(node, segment, unit)
            for node in sorted(chosen, key=lambda node: node.sentence)
            for segment, unit in enumerate(node.units)
            if unit >= 0
        ]
        count = sum(
            len(cuts[place].texts)
            for cuts, place in zip(self.sentences, segmentations, strict=True)
        )
        raw = sum(node.weight for node in chosen)
        return Matching(tuple(matches), tuple(segmentations), raw, count)

    def _match(self, node: Node, segment: int, place: int) -> Match:
        unit = self.order[place]
        cut = self.sentences[node.sentence][node.segmentation]
        similarity = float(cut.similarity[segment, unit])
        return Match(node.sentence, node.segmentation, segment, unit, similarity)


def _check(
    sentences: Sequence[Sequence[Cut]], weights: Sequence[int], labels: Sequence[str]
) -> None:
    if len(labels) != len(weights):
        raise InputError(f"{len(weights)} units have {len(labels)} labels")
    if any(weight < 1 for weight in weights):
        raise InputError(f"the weight of a unit must be at least 1, not {min(weights)}")
    for number, cuts in enumerate(sentences, 1):
        if not cuts:
            raise InputError(f"sentence {number} has no segmentation")
        for cut in cuts:
            shape = (len(cut.texts), len(weights))
            if cut.similarity.shape != shape or not np.isfinite(cut.similarity).all():
                raise InputError(
                    f"sentence {number} needs finite similarities of shape {shape} "
                    f"(segments, units), not of {cut.similarity.shape}"
                )


def _gridded(similarity: Floats) -> Floats:
    """As multiples of 2**-40, so that sums are exact and ties are ties."""
    return np.asarray(np.rint(similarity.astype(np.float64) * GRID) / GRID)


def _order(
    sentences: Sequence[Sequence[Cut]], weights: Sequence[int], labels: Sequence[str]
) -> tuple[int, ...]:
    """The units by weight and label; where two have the same, by what they resemble."""
    cuts = sorted((cut for cuts in sentences for cut in cuts), key=lambda cut: cut.texts)
    columns = np.vstack([np.zeros((0, len(weights))), *(cut.similarity for cut in cuts)]).T.tolist()
    places = range(len(weights))
    return tuple(sorted(places, key=lambda unit: (-weights[unit], labels[unit], columns[unit])))


def _sets(
    similarity: Floats, weights: Sequence[int], threshold: float
) -> list[tuple[tuple[int, ...], int, float]]:
    """The sets of units that the segments can state: unit of each segment, weight, similarity.

    A segment states one of its best units or none: one that only repeats what another sentence
    says must not keep its neighbours from counting. Of several ways to spread a set over the
    segments, the one with the greatest similarity is kept.
    """
    # By set: similarity and minus the unit of each segment, so that of equals the first units win.
    found: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {frozenset(): (0.0, ())}
    for row in similarity:
        best = [unit for unit in np.argsort(-row, kind="stable")[:_BEST] if row[unit] >= threshold]
        longer: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
        for units, (total, spread) in found.items():
            options = [(units, (total, (*spread, 1)))]
            for unit in set(best) - units:
                options.append((units | {unit}, (total + float(row[unit]), (*spread, -int(unit)))))
            for key, value in options:
                longer[key] = max(value, longer.get(key, value))
        found = _pruned(longer, weights)
    return [
        (tuple(-unit for unit in spread), sum(weights[unit] for unit in units), total)
        for units, (total, spread) in found.items()
        if units
    ]


def _pruned(
    found: dict[frozenset[int], tuple[float, tuple[int, ...]]], weights: Sequence[int]
) -> dict[frozenset[int], tuple[float, tuple[int, ...]]]:
    if len(found) <= _SETS:
        return found
    heavy = sorted(
        found.items(), key=lambda item: (sum(weights[unit] for unit in item[0]), item[1])
    )
    return dict(heavy[-_SETS:])


def _content(
    sentences: Sequence[Sequence[Cut]], node: Node
) -> tuple[float, int, tuple[str, ...], tuple[int, ...], list[tuple[str, ...]], int]:
    cuts = sentences[node.sentence]
    texts = cuts[node.segmentation].texts
    count = sum(unit >= 0 for unit in node.units)
    others = sorted(cut.texts for cut in cuts)
    # The place comes last: it parts only sentences that are word for word the same.
    return (-node.similarity / count, -len(texts), texts, node.units, others, node.sentence)


def _finest(cuts: Sequence[Cut]) -> int:
    return min(range(len(cuts)), key=lambda place: (-len(cuts[place].texts), cuts[place].texts))
