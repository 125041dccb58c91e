"""Group articles by event, so that a pile of them becomes a data set.

Articles are similar by their vectors, and by the rare words that they share.
"""

import hashlib
import importlib.util
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from commonground import encoders, settings
from commonground.encoders import Encoder
from commonground.errors import InputError, MissingExtraError
from commonground.reading import word_weight
from commonground.text import stem

Vectors = NDArray[np.float32]
Indices = NDArray[np.int64]

PAIR = 0.35
GROUP = 0.55

NEIGHBOURS = 20  # with which each article is compared
_WORD_FACTOR = 2  # weight of words relative to vectors; measured by bench/group.py
_SHARPNESS = 2  # exponent of a word's weight: two rare words tell more than ten common ones
_WORD = re.compile(r"\w+")
_LINKS = 16  # of a vector in the HNSW graph
_EXPANSION = 200  # candidates of the HNSW search
_PAIRS = 50_000  # pairs at once, which bounds the memory
_BATCH = 128  # texts encoded between two progress reports: some seconds of work


@dataclass(frozen=True, slots=True)
class Article:
    """A narrative whose event is not known; the fields are those of a data set."""

    id: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Articles about one event, sorted by source and id."""

    articles: tuple[Article, ...]

    @property
    def id(self) -> str:
        """A hash of the texts; the rest of the pile does not change it."""
        texts = "\0".join(sorted(article.text for article in self.articles))
        return f"event-{hashlib.sha256(texts.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"

    def to_dict(self) -> dict[str, Any]:
        """Return a row of the data-set format; a narrative also has the `id` of its article."""
        narratives = [
            {"source": article.source, "text": article.text, "id": article.id}
            for article in self.articles
        ]
        return {"id": self.id, "narratives": narratives, "references": []}


def check_library() -> None:
    """Raise MissingExtraError without the extra `[group]`, before anything takes long."""
    if importlib.util.find_spec("faiss") is None:
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
        for start in range(0, len(left), _PAIRS):
            part = slice(start, start + _PAIRS)
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
        import faiss

        nonzero = np.flatnonzero(self.meanings.any(axis=1))
        if len(nonzero) < 2:
            return nonzero[:0], nonzero[:0]
        vectors = np.ascontiguousarray(self.meanings[nonzero], dtype=np.float32)
        index = faiss.IndexHNSWFlat(vectors.shape[1], _LINKS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = index.hnsw.efSearch = _EXPANSION
        count = min(NEIGHBOURS + 1, len(nonzero))  # each is its own nearest
        threads = faiss.omp_get_max_threads()
        try:
            faiss.omp_set_num_threads(1)  # with more, the index would not be reproducible
            index.add(vectors)
            faiss.omp_set_num_threads(settings.thread_count())
            _, nearest = index.search(vectors, count)
        finally:
            faiss.omp_set_num_threads(threads)
        queries = np.repeat(np.arange(len(nonzero)), count)
        ends = np.sort(np.stack([queries, nearest.ravel()]), axis=0)
        # Fewer than asked for may be found; -1 marks the rest.
        left, right = np.unique(ends[:, (ends[0] >= 0) & (ends[0] < ends[1])], axis=1)
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


def group(
    articles: Iterable[Article],
    encoder: str | Encoder = encoders.DEFAULT,
    *,
    pair: float = PAIR,
    more: float = GROUP,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Group, ...]:
    """Group articles by event; an article without a match is a group of its own.

    Two articles are joined if each is the other's nearest neighbour and they are similar enough.
    Then groups are joined in the same way, by average linkage, until no two are. Copies of one
    text, ignoring white space, are always together. The order of the articles changes nothing.

    Args:
        articles: The pile.
        encoder: Gives an article's vector; most encoders read only its first 200 words or so.
        pair: Minimum similarity of two single articles, from 0 to 1.
        more: Minimum similarity of two groups that are joined.
        progress: Called with a description of the step, and the counts done and in all.

    Returns:
        The groups, sorted by their first article's source and id.

    Example:
        >>> pile = [
        ...     Article("1", "left", "The dam at Marwell broke on Friday night."),
        ...     Article("2", "left", "Chess clubs have more members than ever."),
        ...     Article("3", "right", "On Friday the dam at Marwell gave way."),
        ... ]
        >>> [[article.id for article in event.articles] for event in group(pile)]
        [['1', '3'], ['2']]
    """
    check_library()
    for name, value in (("pair", pair), ("more", more)):
        if not 0 <= value <= 1:
            raise InputError(f"{name} must be from 0 to 1, not {value}")
    model = encoders.load(encoder) if isinstance(encoder, str) else encoder
    copies: dict[bytes, list[Article]] = {}
    for article in articles:
        copies.setdefault(same_text(article.text), []).append(article)
    if not copies:
        return ()
    # Sorted, so that the order they came in cannot matter.
    by_text = sorted((min(copy.text for copy in same), same) for same in copies.values())
    texts = [text for text, _ in by_text]
    vectors = []
    for start in range(0, len(texts), _BATCH):
        if progress:
            progress("Encoding articles", start, len(texts))
        vectors.append(model.encode(texts[start : start + _BATCH]))
    if progress:
        progress("Comparing articles", 0, len(texts))
    labels = _labels(Alike.of(texts, np.concatenate(vectors)), pair, more)
    members: dict[int, list[Article]] = {}
    for (_, same), label in zip(by_text, labels.tolist(), strict=True):
        members.setdefault(label, []).extend(same)
    groups = [Group(tuple(sorted(articles, key=_order))) for articles in members.values()]
    return tuple(sorted(groups, key=lambda event: _order(event.articles[0])))


def same_text(text: str) -> bytes:
    """Return a hash that is the same for copies of a text, ignoring white space."""
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).digest()


def _order(article: Article) -> tuple[str, str, str]:
    return article.source, article.id, article.text


def _labels(singles: Alike, pair: float, more: float) -> Indices:
    """Return the group of each text, numbered from 0."""
    labels = np.arange(len(singles.meanings))
    left, right = singles.neighbours()
    close = singles.pairs(left, right) >= min(pair, more)
    left, right = left[close], right[close]
    groups, threshold = singles, pair
    while True:
        ends = np.unique(np.sort(np.stack([labels[left], labels[right]]), axis=0), axis=1)
        ends = ends[:, ends[0] != ends[1]]
        joined = _mutual(groups, ends, threshold)
        if not joined.size:
            return labels
        merged = np.arange(len(groups.meanings))
        merged[joined[1]] = joined[0]
        labels = np.unique(merged, return_inverse=True)[1][labels]
        groups, threshold = singles.means(labels), more


def _mutual(groups: Alike, ends: Indices, threshold: float) -> Indices:
    """Return the pairs of groups that are each other's nearest, and similar enough."""
    similarity = groups.pairs(*ends)
    left, right = np.concatenate([ends, ends[::-1]], axis=1)
    nearest = np.full(len(groups.meanings), -1)
    # The last to be written stays: the most similar, and of equals the first.
    order = np.lexsort((-right, np.tile(similarity, 2)))
    nearest[left[order]] = right[order]
    mutual = (nearest[ends[0]] == ends[1]) & (nearest[ends[1]] == ends[0])
    return ends[:, mutual & (similarity >= threshold)]
