"""The similarity graph between the segments of different texts, from which units are built."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array

from commonground.errors import InputError

PERCENTILE: Final = 83.0

# Similarities are kept as multiples of 2**-40. Sums over a unit are then exact in double
# precision, and so the same in whatever order the texts came.
GRID: Final = 2.0**40

# Similarities looked at in one go.
_BLOCK: Final = 1 << 22

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
# The similarities of nodes start to stop (rows) with the nodes from start on (columns).
_Rows = Callable[[int, int], Floats]


class _Labels(NamedTuple):
    text: Ints
    sentence: Ints
    segmentation: Ints
    segment: Ints


@dataclass(frozen=True, slots=True, eq=False)
class SegmentGraph:
    """All segments of all segmentations of several texts, and which of them resemble each other.

    Nodes are segments. An edge joins two segments of different texts whose similarity is at least
    `threshold`; only edges are kept (`first`, `second`, `strength`), so that memory grows with
    their number and not with the square of the nodes. Make one with `of` (from a matrix of
    similarities) or `from_vectors`. Similarities should depend on the words alone: what a builder
    makes of the graph then does not depend on the order of texts or nodes.

    Attributes:
        text: For each node, the text it belongs to.
        sentence: Its sentence, numbered over all texts.
        segmentation: The segmentation of that sentence that it belongs to.
        segment: Its place in the segmentation.
        words: The segment itself.
        threshold: The least similarity that makes an edge.
        first: One end of each edge; edges are in order of `first`, then `second`.
        second: The other end, always the larger node number.
        strength: The similarity of the two, to a multiple of 2**-40.
    """

    text: Ints
    sentence: Ints
    segmentation: Ints
    segment: Ints
    words: tuple[str, ...]
    threshold: float
    first: Ints
    second: Ints
    strength: Floats

    @classmethod
    def of(
        cls,
        text: ArrayLike,
        sentence: ArrayLike,
        segmentation: ArrayLike,
        segment: ArrayLike,
        words: Sequence[str],
        similarity: ArrayLike,
        *,
        percentile: float = PERCENTILE,
        threshold: float | None = None,
    ) -> "SegmentGraph":
        """The graph of a matrix of similarities.

        Where rounding made the two halves of the matrix differ, the larger value counts.

        Args:
            text: For each node, its text.
            sentence: Its sentence, numbered over all texts.
            segmentation: Its segmentation.
            segment: Its place in the segmentation.
            words: The segments themselves.
            similarity: Nodes x nodes, between -1 and 1.
            percentile: Sets the threshold, over the pairs of segments of different texts.
            threshold: Sets the threshold itself.
        """
        labels = _labels(text, sentence, segmentation, segment, words)
        matrix = np.asarray(similarity)
        if matrix.shape != (len(words), len(words)):
            raise InputError(
                f"{len(words)} segments need a square matrix of similarities, "
                f"not one of shape {matrix.shape}"
            )

        def rows(start: int, stop: int) -> Floats:
            below = matrix[start:, start:stop].T
            return np.asarray(np.maximum(matrix[start:stop, start:], below))

        order = np.arange(len(words))
        return cls._of_rows(labels, tuple(words), rows, order, percentile, threshold)

    @classmethod
    def from_vectors(
        cls,
        text: ArrayLike,
        sentence: ArrayLike,
        segmentation: ArrayLike,
        segment: ArrayLike,
        words: Sequence[str],
        vectors: ArrayLike,
        *,
        percentile: float = PERCENTILE,
        threshold: float | None = None,
    ) -> "SegmentGraph":
        """The graph of segment vectors by their cosine; that with a vector of zeros is 0.

        The cosines are computed in blocks, each pair of distinct segments once and in an order
        set by the segments, so the last digit does not depend on the order of the texts.

        Args:
            text: For each node, its text.
            sentence: Its sentence, numbered over all texts.
            segmentation: Its segmentation.
            segment: Its place in the segmentation.
            words: The segments themselves.
            vectors: One row a node.
            percentile: Sets the threshold, over the pairs of segments of different texts.
            threshold: Sets the threshold itself.
        """
        labels = _labels(text, sentence, segmentation, segment, words)
        given = np.ascontiguousarray(vectors)
        if given.ndim != 2 or len(given) != len(words):
            raise InputError(
                f"{len(words)} segments need as many vectors, not an array of shape {given.shape}"
            )
        keys = [(said, row.tobytes()) for said, row in zip(words, given, strict=True)]
        rank = {key: place for place, key in enumerate(sorted(set(keys)))}
        distinct = np.array([rank[key] for key in keys], dtype=np.int64)
        order = np.argsort(distinct, kind="stable")
        distinct = distinct[order]
        unit = _normalised(given[order[np.unique(distinct, return_index=True)[1]]])

        def rows(start: int, stop: int) -> Floats:
            low, high = distinct[start], distinct[stop - 1] + 1
            cosines = np.clip(unit[low:high] @ unit[low:].T, -1, 1)
            # Exactly, or rounding would decide which of the segments that texts share are joined.
            np.fill_diagonal(cosines, unit[low:high].any(axis=1))
            return np.asarray(cosines[distinct[start:stop] - low][:, distinct[start:] - low])

        return cls._of_rows(labels, tuple(words), rows, order, percentile, threshold)

    @classmethod
    def _of_rows(
        cls,
        labels: _Labels,
        words: tuple[str, ...],
        rows: _Rows,
        order: Ints,
        percentile: float,
        threshold: float | None,
    ) -> "SegmentGraph":
        """Two passes over the similarities, whose nodes stand in `order`: threshold, then edges."""
        text = labels.text[order]
        if threshold is None:
            threshold = _percentile(rows, text, percentile)
        order = order.astype(np.int32)
        parts = [(order[:0], order[:0], np.empty(0))]
        for start, similarity, apart in _blocks(rows, text):
            row, column = np.nonzero(apart & (similarity >= threshold))
            ends = order[start + row], order[start + column]
            strength = np.round(similarity[row, column].astype(np.float64) * GRID) / GRID
            parts.append((np.minimum(*ends), np.maximum(*ends), strength))
        first, second, strength = map(np.concatenate, zip(*parts, strict=True))
        del parts
        place = np.argsort(first.astype(np.int64) * len(words) + second)
        return cls(*labels, words, threshold, first[place], second[place], strength[place])

    def __len__(self) -> int:
        return len(self.words)

    @property
    def similarity(self) -> csr_array:
        """The similarities of joined segments, nodes x nodes; what is not stored is no edge."""
        ends = (
            np.concatenate([self.first, self.second]),
            np.concatenate([self.second, self.first]),
        )
        both = np.concatenate([self.strength, self.strength])
        return coo_array((both, ends), shape=(len(self), len(self))).tocsr()

    def attraction(self, unit: Sequence[int]) -> float:
        """The mean similarity of a unit's pairs, AS in the paper; 1 for a unit of one segment."""
        pairs = list(combinations(sorted(unit), 2))
        if not pairs:
            return 1.0
        total = 0.0
        for first, second in pairs:
            # Of the same type as the haystack, which would be converted otherwise.
            ends = np.array([first, first + 1], dtype=self.first.dtype)
            start, stop = np.searchsorted(self.first, ends)
            place = start + int(np.searchsorted(self.second[start:stop], second))
            if place == stop or self.second[place] != second:
                raise InputError(f"segments {first} and {second} of a unit are not joined")
            total += float(self.strength[place])
        return total / len(pairs)


def _labels(
    text: ArrayLike,
    sentence: ArrayLike,
    segmentation: ArrayLike,
    segment: ArrayLike,
    words: Sequence[str],
) -> _Labels:
    """The four labels as arrays, checked: one a segment, no segment twice, a text a sentence."""
    given = (text, sentence, segmentation, segment)
    labels = _Labels(*(np.asarray(label, dtype=np.int64) for label in given))
    if any(label.shape != (len(words),) for label in labels):
        raise InputError(
            f"text, sentence, segmentation and segment need one number for each of the "
            f"{len(words)} segments"
        )
    if len(set(zip(*(label.tolist() for label in labels[1:]), strict=True))) < len(words):
        raise InputError("a segment is given twice: same sentence, segmentation and segment number")
    owners = set(zip(labels.sentence.tolist(), labels.text.tolist(), strict=True))
    if len(owners) > len({owned for owned, _ in owners}):
        raise InputError("a sentence is in two texts: number sentences over all texts")
    return labels


def _normalised(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1))


def _blocks(rows: _Rows, text: Ints) -> Iterator[tuple[int, Floats, NDArray[np.bool_]]]:
    """Similarities from `start` on, and which of them are pairs of different texts, once each."""
    count = len(text)
    start = 0
    while start < count:
        stop = min(count, start + max(1, _BLOCK // (count - start)))
        similarity = rows(start, stop)
        if not np.all(np.abs(similarity) <= 1.001):  # false for nan as well
            raise InputError("similarities must lie between -1 and 1")
        apart = text[start:stop, np.newaxis] != text[np.newaxis, start:]
        yield start, similarity, np.triu(apart, k=1)
        start = stop


def _percentile(rows: _Rows, text: Ints, percentile: float) -> float:
    """The percentile of the similarities of pairs of different texts; 1 where there are none."""
    if not 0 <= percentile <= 100:
        raise InputError(f"a percentile lies between 0 and 100, not at {percentile:g}")
    sizes = np.unique(text, return_counts=True)[1]
    pairs = (len(text) ** 2 - int(np.sum(sizes**2))) // 2
    if not pairs:
        return 1.0
    # All in one array, filled block by block: the percentile must be exact, and half the cells
    # of the matrix are what it takes.
    values = np.empty(pairs, rows(0, 1).dtype)
    filled = 0
    for _, similarity, apart in _blocks(rows, text):
        found = similarity[apart]
        values[filled : filled + len(found)] = found
        filled += len(found)
    return float(np.percentile(values, percentile, overwrite_input=True))
