"""Distinct segments ("pieces"), numbered by content, and which of them are still free.

Builders work on pieces, not on the nodes of the graph. Pieces are numbered by their words, so a
result cannot depend on the order of texts or nodes. A segment that several segmentations of a
sentence share is one piece: a unit of four such segments would otherwise be sixteen candidates of
equal worth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.pyramid.builders.graph import GRID, Floats, Ints, SegmentGraph


@dataclass(frozen=True, slots=True)
class Option:
    """One segmentation of a sentence, as nodes of the graph and as pieces."""

    nodes: tuple[int, ...]
    pieces: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of a graph and their edges.

    Attributes:
        text: For each piece the number of its text; pieces of a text are consecutive.
        sentence: The number of its sentence; pieces of a sentence are consecutive.
        options: For each sentence its segmentations, the finest first, then by text.
        mask: For each piece the options of its sentence that contain it, as bits.
        coarseness: For each piece, how many segments its sentence loses by using it.
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
        """Number of texts."""
        return int(self.text[-1]) + 1 if len(self) else 0

    def edges(self) -> tuple[Ints, Ints]:
        """Return the two pieces of each edge."""
        first, second = np.divmod(self.keys, max(1, len(self)))
        return first.astype(np.int32), second.astype(np.int32)

    def strengths(self, first: Ints, second: Ints) -> Floats:
        """Return the similarities of joined pairs."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        return self.strength[np.searchsorted(self.keys, low.astype(np.int64) * len(self) + high)]

    def attraction(self, unit: Sequence[int]) -> float:
        """Return the mean similarity of the pairs of a unit of two or more pieces."""
        members = np.array(unit)
        first, second = np.triu_indices(len(unit), k=1)
        return float(self.strengths(members[first], members[second]).sum()) / len(first)

    def allowed(self, used: Iterable[int]) -> list[int]:
        """Return for each sentence the options that contain all its used pieces, as bits."""
        allowed = [(1 << len(options)) - 1 for options in self.options]
        for piece in used:
            allowed[self.sentence[piece]] &= self.mask[piece]
        return allowed


def finest(mask: int) -> int:
    """Return the finest of the options in a mask: the index of its lowest bit."""
    return (mask & -mask).bit_length() - 1


def pieces_of(graph: SegmentGraph) -> Pieces:
    """Number the segments of a graph by content.

    Texts are sorted by their sentences, sentences by their segmentations. Identical texts, or
    identical sentences of a text, may come in either order: they have the same edges.
    """
    fingerprint = _fingerprints(graph)
    numbers: dict[tuple[int, str, int, int], int] = {}
    options = []
    for sentence, segmentations in enumerate(_sentences(graph)):
        of_sentence = []
        for nodes in segmentations:
            words = [graph.words[node] for node in nodes]
            # A segmentation may contain the same words twice.
            repeats = [words[:index].count(segment) for index, segment in enumerate(words)]
            keys = zip(words, repeats, fingerprint[list(nodes)].tolist(), strict=True)
            pieces = tuple(numbers.setdefault((sentence, *key), len(numbers)) for key in keys)
            of_sentence.append(Option(nodes, pieces))
        options.append(tuple(of_sentence))
    return _assemble(graph, tuple(options), len(numbers))


def _assemble(graph: SegmentGraph, options: tuple[tuple[Option, ...], ...], count: int) -> Pieces:
    sentence_of = np.zeros(count, dtype=np.int64)
    piece_of = np.zeros(len(graph), dtype=np.int32)
    # One node represents its piece: all nodes of a piece have the same edges.
    node_of = np.zeros(count, dtype=np.int64)
    mask = [0] * count
    for sentence, of_sentence in enumerate(options):
        for bit, option in enumerate(of_sentence):
            piece_of[list(option.nodes)] = option.pieces
            node_of[list(option.pieces)] = option.nodes
            sentence_of[list(option.pieces)] = sentence
            for piece in option.pieces:
                mask[piece] |= 1 << bit
    represents = np.zeros(len(graph), dtype=np.bool_)
    represents[node_of] = True
    kept = represents[graph.first] & represents[graph.second]
    first, second = piece_of[graph.first[kept]], piece_of[graph.second[kept]]
    keys = np.minimum(first, second).astype(np.int64) * count + np.maximum(first, second)
    order = np.argsort(keys)
    text = graph.text[node_of]
    coarseness = [
        len(options[sentence][0].nodes) - len(options[sentence][finest(bits)].nodes)
        for sentence, bits in zip(sentence_of, mask, strict=True)
    ]
    return Pieces(
        np.concatenate([text[:1] * 0, np.cumsum(np.diff(text) != 0)]),
        sentence_of,
        options,
        tuple(mask),
        np.array(coarseness, int),
        keys[order],
        graph.strength[kept][order],
    )


def _sentences(graph: SegmentGraph) -> list[list[tuple[int, ...]]]:
    """Return the segmentations of each sentence as nodes, all sorted by content."""
    grouped: dict[int, dict[int, list[int]]] = {}
    for node in np.lexsort((graph.segment, graph.segmentation, graph.sentence)).tolist():
        of_sentence = grouped.setdefault(int(graph.sentence[node]), {})
        of_sentence.setdefault(int(graph.segmentation[node]), []).append(node)
    # Sorted by fineness (more segments first), then by words.
    texts: dict[int, list[tuple[list[tuple[int, tuple[str, ...]]], list[tuple[int, ...]]]]] = {}
    for of_sentence in grouped.values():
        ranked = sorted(
            ((-len(nodes), tuple(graph.words[node] for node in nodes)), tuple(nodes))
            for nodes in of_sentence.values()
        )
        text = int(graph.text[ranked[0][1][0]])
        pair = [key for key, _ in ranked], [nodes for _, nodes in ranked]
        texts.setdefault(text, []).append(pair)
    for of_text in texts.values():
        of_text.sort(key=lambda pair: pair[0])
    ordered = sorted(texts.values(), key=lambda of_text: [key for key, _ in of_text])
    return [nodes for of_text in ordered for _, nodes in of_text]


def _fingerprints(graph: SegmentGraph) -> NDArray[np.uint64]:
    """Return a hash of the edges of each node, independent of their order.

    Segments with the same words and the same edges count as one piece; with similarities that do
    not depend on the words alone, they stay apart.
    """
    marks = np.random.default_rng(0).integers(1, 2**63, size=len(graph), dtype=np.uint64)
    fingerprint = np.zeros(len(graph), dtype=np.uint64)
    step = 1 << 20
    for start in range(0, len(graph.first), step):
        first, second = graph.first[start : start + step], graph.second[start : start + step]
        value = (graph.strength[start : start + step] * GRID).astype(np.int64).astype(np.uint64)
        np.add.at(fingerprint, first, marks[second] * (2 * value + 1))
        np.add.at(fingerprint, second, marks[first] * (2 * value + 1))
    return fingerprint


class Board:
    """The pieces that can still join a unit, given the units placed so far.

    Args:
        pieces: The pieces to place.
        commit: Whether the first unit that uses a sentence fixes its segmentation, to the finest
            possible. Otherwise all segmentations with the used pieces stay open.
    """

    def __init__(self, pieces: Pieces, *, commit: bool = False) -> None:
        self._pieces = pieces
        self._commit = commit
        self._allowed = pieces.allowed(())
        self._bounds = np.searchsorted(pieces.sentence, np.arange(len(pieces.options) + 1))
        # One more than the pieces: the padding of short candidate rows is always free.
        self.free: NDArray[np.bool_] = np.ones(len(pieces) + 1, dtype=np.bool_)

    def place(self, *units: Sequence[int]) -> None:
        """Place units that are compatible with each other and with those already placed."""
        touched = set()
        for piece in (piece for unit in units for piece in unit):
            sentence = int(self._pieces.sentence[piece])
            touched.add(sentence)
            self._allowed[sentence] &= self._pieces.mask[piece]
            self.free[piece] = False
        for sentence in touched:
            if self._commit:
                self._allowed[sentence] = 1 << finest(self._allowed[sentence])
            allowed = self._allowed[sentence]
            for piece in range(self._bounds[sentence], self._bounds[sentence + 1]):
                self.free[piece] &= bool(self._pieces.mask[piece] & allowed)

    def first(self, members: Ints, start: int = 0) -> int | None:
        """Return the first candidate from `start` on that is compatible with all units placed."""
        step = 64
        while start < len(members):
            fits = self.free[members[start : start + step]].all(axis=1)
            if fits.any():
                return start + int(fits.argmax())
            start += step
            step = min(4 * step, 1 << 16)
        return None

    def fill(self, members: Ints, limit: int | None = None) -> list[int]:
        """Place candidates in order wherever they fit, up to a limit; return their indices."""
        placed: list[int] = []
        index = self.first(members)
        while index is not None and (limit is None or len(placed) < limit):
            self.place([piece for piece in members[index].tolist() if piece < len(self._pieces)])
            placed.append(index)
            index = self.first(members, index + 1)
        return placed
