"""The similarity graph of the segments of several texts, from which units are built."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array

from commonground.errors import InputError

PERCENTILE: Final = 83.0
# Multiples of 2**-40 add up exactly in double precision, so sums over a unit do not depend on the
# order of the texts.
GRID: Final = 2.0**40
# Similarities computed at once.
_BLOCK: Final = 1 << 22

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
# The similarities of nodes start to stop (rows) with the nodes from start on (columns).
_Rows = Callable[[int, int], Floats]


def gridded(similarity: Floats) -> Floats:
    """Round similarities to multiples of 2**-40, so that sums are exact and ties are ties."""
    return np.asarray(np.rint(similarity.astype(np.float64) * GRID) / GRID)


class _Labels(NamedTuple):
    text: Ints
    sentence: Ints
    segmentation: Ints
    segment: Ints


@dataclass(frozen=True, slots=True, eq=False)
class SegmentGraph:
    """All segments of all segmentations of several texts, with their similarities.

    Nodes are segments. An edge joins two segments of different texts whose similarity is at least
    `threshold`; only edges are stored, so memory grows with their number. Create a graph with `of`
    (from a similarity matrix) or `from_vectors`. If similarities depend on the words alone, the
    units that a builder finds do not depend on the order of texts or nodes.

    Attributes:
        text: For each node, its text.
        sentence: Its sentence, numbered over all texts.
        segmentation: Its segmentation of that sentence.
        segment: Its index in the segmentation.
        words: The segment itself.
        threshold: Minimum similarity of an edge.
        first: First node of each edge; edges are sorted by `first`, then `second`.
        second: Second node, always the greater number.
        strength: Similarity of the two nodes, rounded to a multiple of 2**-40.
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
        """Build the graph from a similarity matrix, nodes x nodes, between -1 and 1.

        The labels are those of the attributes. The threshold is a percentile of the similarities
        between segments of different texts, unless given. Where the two halves of the matrix differ
        by rounding, the larger value counts.
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
        """Build the graph from segment vectors (one row for each node) and their cosines.

        The cosine with a zero vector is 0. Each pair of distinct segments is computed once, in an
        order set by the segments, so the last digit does not depend on the order of the texts.
        The other arguments are those of `of`.
        """
        labels = _labels(text, sentence, segmentation, segment, words)
        rows_of = np.ascontiguousarray(vectors)
        if rows_of.ndim != 2 or len(rows_of) != len(words):
            raise InputError(
                f"{len(words)} segments need as many vectors, not an array of shape {rows_of.shape}"
            )
        keys = [(segment, row.tobytes()) for segment, row in zip(words, rows_of, strict=True)]
        rank = {key: number for number, key in enumerate(sorted(set(keys)))}
        distinct = np.array([rank[key] for key in keys], dtype=np.int64)
        order = np.argsort(distinct, kind="stable")
        distinct = distinct[order]
        unit = rows_of[order[np.unique(distinct, return_index=True)[1]]]
        length = np.linalg.norm(unit, axis=1, keepdims=True)
        unit = unit / np.where(length > 0, length, 1)

        def rows(start: int, stop: int) -> Floats:
            low, high = distinct[start], distinct[stop - 1] + 1
            cosines = np.clip(unit[low:high] @ unit[low:].T, -1, 1)
            # Exactly 1, or rounding would decide which identical segments are joined.
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
        """Find the threshold, then the edges; `order` lists the nodes of the rows."""
        text = labels.text[order]
        if threshold is None:
            threshold = _percentile(rows, text, percentile)
        order = order.astype(np.int32)
        parts: list[tuple[Ints, Ints, Floats]] = [(order[:0], order[:0], np.empty(0))]
        for start, similarity, apart in _blocks(rows, text):
            row, column = np.nonzero(apart & (similarity >= threshold))
            ends = order[start + row], order[start + column]
            parts.append((np.minimum(*ends), np.maximum(*ends), gridded(similarity[row, column])))
        first, second, strength = map(np.concatenate, zip(*parts, strict=True))
        del parts
        edge = np.argsort(first.astype(np.int64) * len(words) + second)
        return cls(*labels, words, threshold, first[edge], second[edge], strength[edge])

    def __len__(self) -> int:
        return len(self.words)

    @property
    def similarity(self) -> csr_array:
        """The similarities of the edges as a sparse symmetric matrix, nodes x nodes."""
        ends = (
            np.concatenate([self.first, self.second]),
            np.concatenate([self.second, self.first]),
        )
        both = np.concatenate([self.strength, self.strength])
        return coo_array((both, ends), shape=(len(self), len(self))).tocsr()

    def attraction(self, unit: Sequence[int]) -> float:
        """Return the mean similarity of a unit's pairs (AS in the paper); 1 for one segment."""
        pairs = list(combinations(sorted(unit), 2))
        if not pairs:
            return 1.0
        total = 0.0
        for first, second in pairs:
            # The same type as `first`, which would be converted otherwise.
            ends = np.array([first, first + 1], dtype=self.first.dtype)
            start, stop = np.searchsorted(self.first, ends)
            edge = start + int(np.searchsorted(self.second[start:stop], second))
            if edge == stop or self.second[edge] != second:
                raise InputError(f"segments {first} and {second} of a unit are not joined")
            total += float(self.strength[edge])
        return total / len(pairs)


def _labels(
    text: ArrayLike,
    sentence: ArrayLike,
    segmentation: ArrayLike,
    segment: ArrayLike,
    words: Sequence[str],
) -> _Labels:
    """Convert the labels to arrays; raise InputError unless they identify each segment."""
    columns = (text, sentence, segmentation, segment)
    labels = _Labels(*(np.asarray(column, dtype=np.int64) for column in columns))
    if any(label.shape != (len(words),) for label in labels):
        raise InputError(
            f"text, sentence, segmentation and segment need one number for each of the "
            f"{len(words)} segments"
        )
    if len(set(zip(*(label.tolist() for label in labels[1:]), strict=True))) < len(words):
        raise InputError("a segment is given twice: same sentence, segmentation and segment number")
    owners = set(zip(labels.sentence.tolist(), labels.text.tolist(), strict=True))
    if len(owners) > len({sentence for sentence, _ in owners}):
        raise InputError("a sentence is in two texts: number sentences over all texts")
    return labels


def _blocks(rows: _Rows, text: Ints) -> Iterator[tuple[int, Floats, NDArray[np.bool_]]]:
    """Yield blocks of similarities: first row, values, and which are pairs of different texts.

    Each pair is marked once.
    """
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
    """Return the percentile over pairs of different texts; 1 without such pairs."""
    if not isinstance(percentile, int | float) or not 0 <= percentile <= 100:
        raise InputError(f"a percentile lies between 0 and 100, not at {percentile}")
    sizes = np.unique(text, return_counts=True)[1]
    pairs = (len(text) ** 2 - int(np.sum(sizes**2))) // 2
    if not pairs:
        return 1.0
    # One array, filled block by block: an exact percentile needs all values.
    values = np.empty(pairs, rows(0, 1).dtype)
    filled = 0
    for _, similarity, apart in _blocks(rows, text):
        block = similarity[apart]
        values[filled : filled + len(block)] = block
        filled += len(block)
    return float(np.percentile(values, percentile, overwrite_input=True))
