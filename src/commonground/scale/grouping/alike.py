"""How alike articles are: by their meaning, and by the telling words that they share."""

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
from commonground.pyramid.evidence import word_weight
from commonground.text import stem

Meanings = NDArray[np.float32]
Places = NDArray[np.int64]

NEIGHBOURS = 20  # that each article is compared with
_WORDS_TO_MEANING = 2  # how much words count beside meaning; measured by bench/group.py
_SHARPNESS = 2  # of a word's weight: two rare words tell more than ten everyday ones
_WORD = re.compile(r"\w+")
_EXPECTED = 200  # candidates that the index keeps in view; the library's own default
_PAIRS_AT_ONCE = 50_000  # bounds the memory


def check_library() -> None:
    """Complain if there is nothing to find neighbours with, before anything takes long.

    Raises:
        MissingExtraError: Without the extra `[group]`.
    """
    if importlib.util.find_spec("voyager") is None:
        raise MissingExtraError("group", "group")


@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Articles, or the means of groups of them, as two kinds of vectors.

    The likeness of two groups is the mean over the pairs between them: what the dot product of
    their means is.
    """

    meanings: Meanings
    words: csr_array

    @classmethod
    def of(cls, texts: Sequence[str], meanings: Meanings) -> "Alike":
        """Texts with their unit vectors; their words are read here."""
        return cls(meanings, _words(texts))

    def pairs(self, left: Places, right: Places) -> NDArray[np.float64]:
        """The likeness of each pair, from 0 (-1/3 for opposed meanings) to 1."""
        found = np.empty(len(left))
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            one, other = left[part], right[part]
            meaning = np.einsum("ij,ij->i", self.meanings[one], self.meanings[other])
            shared = self.words[one].multiply(self.words[other]).sum(axis=1)
            found[part] = (meaning + _WORDS_TO_MEANING * shared) / (1 + _WORDS_TO_MEANING)
        return found

    def means(self, groups: Places) -> "Alike":
        """The means of groups, which are numbered from 0; `groups` gives each article's."""
        ones = np.ones(len(groups), dtype=np.float32)
        members = csr_array((ones, (groups, np.arange(len(groups)))))
        averaging = csr_array(diags_array(1 / np.bincount(groups).astype(np.float32)) @ members)
        means = np.asarray(averaging @ self.meanings, dtype=np.float32)
        return Alike(means, csr_array(averaging @ self.words))

    def neighbours(self) -> tuple[Places, Places]:
        """Pairs of articles of which one is among the other's nearest in meaning, each once."""
        from voyager import Index, Space

        there = np.flatnonzero(self.meanings.any(axis=1))
        nothing = np.empty(0, dtype=np.int64)
        if len(there) < 2:
            return nothing, nothing
        vectors = self.meanings[there]
        index = Index(Space.Cosine, vectors.shape[1], ef_construction=_EXPECTED, random_seed=0)
        # On several threads the index, and so what is found, would be another each time.
        index.add_items(vectors, num_threads=1)
        count = min(NEIGHBOURS + 1, len(there))  # each is its own nearest
        threads = settings.thread_count()
        found, _ = index.query(vectors, k=count, num_threads=threads, query_ef=_EXPECTED)
        ends = np.stack([np.repeat(np.arange(len(there)), count), found.ravel().astype(np.int64)])
        ends.sort(axis=0)
        left, right = np.unique(ends[:, ends[0] < ends[1]], axis=1)
        return there[left], there[right]


def _words(texts: Sequence[str]) -> csr_array:
    """Texts x stems, a unit row each: the rarer a word in general, the more it weighs."""
    columns: dict[str, int] = {}
    places, values, ends = array("q"), array("f"), array("q", [0])
    for text in texts:
        weights = _weights(text)
        length = sum(weight * weight for weight in weights.values()) ** 0.5
        for word, weight in weights.items():
            places.append(columns.setdefault(word, len(columns)))
            values.append(weight / length)
        ends.append(len(places))
    parts = (
        np.array(values, dtype=np.float32),
        np.array(places, dtype=np.int64),
        np.array(ends, dtype=np.int64),
    )
    found = csr_array(parts, shape=(len(texts), max(1, len(columns))))
    found.sort_indices()
    return found


def _weights(text: str) -> dict[str, float]:
    counts: Counter[str] = Counter()
    telling: dict[str, float] = {}
    for word, count in Counter(_WORD.findall(text.lower())).items():
        common = stem(word) if len(word) > 3 else word
        counts[common] += count
        telling[common] = max(telling.get(common, 0.0), word_weight(word) ** _SHARPNESS)
    return {word: (1 + np.log(count)) * telling[word] for word, count in counts.items()}
