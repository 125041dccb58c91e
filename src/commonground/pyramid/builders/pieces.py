"""Segments in an order set by their content, those that segmentations share counted once.

Builders work on pieces, not on nodes. Pieces are numbered by what the texts say, so nothing a
builder does can depend on the order in which texts or nodes were given. And where two
segmentations of a sentence share a segment, the two nodes are one piece: a unit of four such
segments would otherwise be sixteen candidates of the same worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.builders.graph import GRID, Floats, Ints, SegmentGraph

# What is compared: fineness first (more segments come first), then the words.
_OptionKey = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Option:
    """One segmentation of a sentence: its segments as nodes of the graph and as pieces."""

    nodes: tuple[int, ...]
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The graph as builders see it.

    Attributes:
        text: For each piece the number of its text; pieces of a text are neighbours.
        sentence: The number of its sentence; pieces of a sentence are neighbours.
        options: For each sentence its segmentations, the finest first, then by text.
        mask: For each piece the options of its sentence that have it, a bit each.
        coarseness: For each piece, how many segments its sentence goes without for its sake.
        keys: `first * len(pieces) + second` of each edge, ascending, first < second.
        strength: The similarity of each edge.
    """

    text: Ints
    sentence: Ints
    options: tuple[tuple[Option, ...], ...]
    mask: tuple[int, ...]
    coarseness: Ints
    keys: Ints
    strength: Floats

    def __len__(self) -> int:
        return len(self.mask)

    @property
    def texts(self) -> int:
        """How many texts there are."""
        return int(self.text[-1]) + 1 if len(self) else 0

    def edges(self) -> tuple[Ints, Ints]:
        """The two pieces of each edge."""
        first, second = np.divmod(self.keys, max(1, len(self)))
        return first.astype(np.int32), second.astype(np.int32)

    def strengths(self, first: Ints, second: Ints) -> Floats:
        """The similarity of pairs that are joined."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        return self.strength[np.searchsorted(self.keys, low.astype(np.int64) * len(self) + high)]

    def attraction(self, unit: Sequence[int]) -> float:
        """The mean similarity of the pairs of a unit of two or more pieces."""
        members = np.array(unit)
        first, second = np.triu_indices(len(unit), k=1)
        return float(self.strengths(members[first], members[second]).sum()) / len(first)

    def allowed(self, used: Iterable[int]) -> list[int]:
        """For each sentence the options, a bit each, that have all of its used pieces."""
        allowed = [(1 << len(options)) - 1 for options in self.options]
        for piece in used:
            allowed[self.sentence[piece]] &= self.mask[piece]
        return allowed


def finest(mask: int) -> int:
    """The finest of some options: the place of the lowest bit."""
    return (mask & -mask).bit_length() - 1


def pieces_of(graph: SegmentGraph) -> Pieces:
    """Number the segments of a graph by content.

    Texts are in the order of their sentences, sentences in the order of their segmentations.
    Where two texts or two sentences of a text say the very same, either may come first: what
    they can join is the same.
    """
    signature = _signatures(graph)
    numbers: dict[tuple[int, str, int, int], int] = {}
    options = []
    for place, segmentations in enumerate(_sentences(graph)):
        of_sentence = []
        for nodes in segmentations:
            said = [graph.words[node] for node in nodes]
            keys = zip(said, _occurrences(said), signature[list(nodes)].tolist(), strict=True)
            numbered = tuple(numbers.setdefault((place, *key), len(numbers)) for key in keys)
            of_sentence.append(Option(nodes, numbered))
        options.append(tuple(of_sentence))
    return _assemble(graph, tuple(options), len(numbers))


def _assemble(graph: SegmentGraph, options: tuple[tuple[Option, ...], ...], count: int) -> Pieces:
    sentence = np.zeros(count, dtype=np.int64)
    piece_of = np.zeros(len(graph), dtype=np.int32)
    # One node stands for its piece: the nodes of a piece have the same edges.
    stands = np.zeros(count, dtype=np.int64)
    mask = [0] * count
    for place, of_sentence in enumerate(options):
        for bit, option in enumerate(of_sentence):
            piece_of[list(option.nodes)] = option.pieces
            stands[list(option.pieces)] = option.nodes
            sentence[list(option.pieces)] = place
            for piece in option.pieces:
                mask[piece] |= 1 << bit
    standing = np.zeros(len(graph), dtype=np.bool_)
    standing[stands] = True
    kept = standing[graph.first] & standing[graph.second]
    one, other = piece_of[graph.first[kept]], piece_of[graph.second[kept]]
    keys = np.minimum(one, other).astype(np.int64) * count + np.maximum(one, other)
    order = np.argsort(keys)
    text = graph.text[stands]
    return Pieces(
        np.concatenate([text[:1] * 0, np.cumsum(np.diff(text) != 0)]),
        sentence,
        options,
        tuple(mask),
        np.array([_coarseness(options[s], m) for s, m in zip(sentence, mask, strict=True)], int),
        keys[order],
        graph.strength[kept][order],
    )


def _coarseness(options: tuple[Option, ...], mask: int) -> int:
    return len(options[0].nodes) - len(options[finest(mask)].nodes)


def _sentences(graph: SegmentGraph) -> list[list[tuple[int, ...]]]:
    """The segmentations of each sentence as nodes, sentences and segmentations in order."""
    grouped: dict[int, dict[int, list[int]]] = {}
    for node in np.lexsort((graph.segment, graph.segmentation, graph.sentence)).tolist():
        of_sentence = grouped.setdefault(int(graph.sentence[node]), {})
        of_sentence.setdefault(int(graph.segmentation[node]), []).append(node)
    texts: dict[int, list[tuple[list[_OptionKey], list[tuple[int, ...]]]]] = {}
    for of_sentence in grouped.values():
        ranked = sorted((_key(graph, nodes), tuple(nodes)) for nodes in of_sentence.values())
        text = int(graph.text[ranked[0][1][0]])
        pair = [key for key, _ in ranked], [nodes for _, nodes in ranked]
        texts.setdefault(text, []).append(pair)
    for of_text in texts.values():
        of_text.sort(key=lambda pair: pair[0])
    ordered = sorted(texts.values(), key=lambda of_text: [key for key, _ in of_text])
    return [nodes for of_text in ordered for _, nodes in of_text]


def _key(graph: SegmentGraph, nodes: Sequence[int]) -> _OptionKey:
    return -len(nodes), tuple(graph.words[node] for node in nodes)


def _occurrences(said: Sequence[str]) -> list[int]:
    """How often each segment was there before: a segmentation may say the same thing twice."""
    return [said[:place].count(segment) for place, segment in enumerate(said)]


def _signatures(graph: SegmentGraph) -> NDArray[np.uint64]:
    """A fingerprint of the edges of each node, whatever their order.

    Segments with the same words should have the same edges, and then count as one. If they
    do not, because their similarities came from elsewhere, they stay apart.
    """
    marks = np.random.default_rng(0).integers(1, 2**63, size=len(graph), dtype=np.uint64)
    signature = np.zeros(len(graph), dtype=np.uint64)
    step = 1 << 20
    for start in range(0, len(graph.first), step):
        first, second = graph.first[start : start + step], graph.second[start : start + step]
        worth = (graph.strength[start : start + step] * GRID).astype(np.int64).astype(np.uint64)
        np.add.at(signature, first, marks[second] * (2 * worth + 1))
        np.add.at(signature, second, marks[first] * (2 * worth + 1))
    return signature
