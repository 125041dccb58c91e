"""The similarity of articles: by their vectors, and by the rare words that they share."""

import importlib.util
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from commonground import settings
from commonground.errors import MissingExtraError
from commonground.reading import word_weight
from commonground.text import stem

Vectors = NDArray[np.float32]
Indices = NDArray[np.int64]

NEIGHBOURS = 20  # with which each article is compared
_WORD_FACTOR = 2  # weight of words relative to vectors; measured by bench/group.py
_SHARPNESS = 2  # exponent of a word's weight: two rare words tell more than ten common ones
_WORD = re.compile(r"\w+")
_EXPANSION = 200  # candidates of the HNSW search; the library's default
_BATCH = 50_000  # pairs at once, which bounds the memory


def check_library() -> None:
    """Raise MissingExtraError without the extra `[group]`, before anything takes long."""
    if importlib.util.find_spec("voyager") is None:
        raise MissingExtraError("group", "group")


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Articles, or the means of groups of them, as two kinds of vectors.

    The similarity of two groups is the mean over the pairs between them, which is the dot
    product of their means.
    """

    meanings: Vectors
    words: csr_array

    @classmethod
    def of(cls, texts: Sequence[str], meanings: Vectors) -> "Alike":
        """Return texts with their unit vectors and word weights."""
        return cls(meanings, _words(texts))

    def pairs(self, left: Indices, right: Indices) -> NDArray[np.float64]:
        """Return the similarity of each pair, from 0 (-1/3 for opposite vectors) to 1."""
        similarity = np.empty(len(left))
        for start in range(0, len(left), _BATCH):
            part = slice(start, start + _BATCH)
            first, second = left[part], right[part]
            cosine = np.einsum("ij,ij->i", self.meanings[first], self.meanings[second])
            shared = self.words[first].multiply(self.words[second]).sum(axis=1)
            similarity[part] = (cosine + _WORD_FACTOR * shared) / (1 + _WORD_FACTOR)
        return similarity

    def means(self, groups: Indices) -> "Alike":
        """Return the means of groups; `groups` has each article's group, numbered from 0."""
        ones = np.ones(len(groups), dtype=np.float32)
        members = csr_array((ones, (groups, np.arange(len(groups)))))
        averaging = csr_array(diags_array(1 / np.bincount(groups).astype(np.float32)) @ members)
        means = np.asarray(averaging @ self.meanings, dtype=np.float32)
        return Alike(means, csr_array(averaging @ self.words))

    def neighbours(self) -> tuple[Indices, Indices]:
        """Return the pairs in which one article's vector is among the other's nearest."""
        from voyager import Index, Space

        nonzero = np.flatnonzero(self.meanings.any(axis=1))
        if len(nonzero) < 2:
            return nonzero[:0], nonzero[:0]
        vectors = self.meanings[nonzero]
        index = Index(Space.Cosine, vectors.shape[1], ef_construction=_EXPANSION, random_seed=0)
        index.add_items(vectors, num_threads=1)  # with more, the index would not be reproducible
        count = min(NEIGHBOURS + 1, len(nonzero))  # each is its own nearest
        threads = settings.thread_count()
        nearest, _ = index.query(vectors, k=count, num_threads=threads, query_ef=_EXPANSION)
        queries = np.repeat(np.arange(len(nonzero)), count)
        ends = np.sort(np.stack([queries, nearest.ravel().astype(np.int64)]), axis=0)
        left, right = np.unique(ends[:, ends[0] < ends[1]], axis=1)
        return nonzero[left], nonzero[right]


def _words(texts: Sequence[str]) -> csr_array:
    """Return texts x stems with unit rows: the rarer a word in general, the more it weighs."""
    columns: dict[str, int] = {}
    indices, values, ends = array("q"), array("f"), array("q", [0])
    for text in texts:
        weights = _weights(text)
        length = sum(weight * weight for weight in weights.values()) ** 0.5
        for word, weight in weights.items():
            indices.append(columns.setdefault(word, len(columns)))
            values.append(weight / length)
        ends.append(len(indices))
    parts = (np.array(values), np.array(indices), np.array(ends))
    matrix = csr_array(parts, shape=(len(texts), max(1, len(columns))))
    matrix.sort_indices()
    return matrix


def _weights(text: str) -> dict[str, float]:
    counts: Counter[str] = Counter()
    rarity: dict[str, float] = {}
    for word, count in Counter(_WORD.findall(text.lower())).items():
        key = stem(word) if len(word) > 3 else word
        counts[key] += count
        rarity[key] = max(rarity.get(key, 0.0), word_weight(word) ** _SHARPNESS)
    return {key: (1 + np.log(count)) * rarity[key] for key, count in counts.items()}
