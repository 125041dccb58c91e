"""A text that sentences are read against, in chunks that are encoded on first use."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.encoders import Encoder
from commonground.reader.network import END, START, Encoded, Network, pieces_of

SENTENCES = 16
"""Maximum sentences of a text that a sentence is read against."""

PIECES = 512
"""Maximum word pieces of these sentences."""


def fits(pieces: Sequence[int]) -> bool:
    """Say whether a text, given by the pieces of each sentence, is read as a whole."""
    return len(pieces) <= SENTENCES and sum(pieces) <= PIECES


def nearest(similarities: NDArray[np.float32], pieces: Sequence[int]) -> list[int]:
    """Return the indices of the most similar sentences within both limits, best first.

    Args:
        similarities: Of the sentence with each sentence of the text.
        pieces: The number of word pieces of each sentence of the text.

    Example:
        >>> nearest(np.array([0.1, 0.9, 0.4], dtype=np.float32), [300, 300, 200])
        [1, 2]
    """
    chosen: list[int] = []
    room = PIECES
    # Rounded, since the last digits depend on the machine.
    for index in np.argsort(-np.round(similarities, 5), kind="stable")[:SENTENCES]:
        if pieces[index] <= room or not chosen:
            chosen.append(int(index))
            room -= pieces[index]
    return chosen


CHUNK = 384
"""Maximum word pieces of a chunk, the unit of encoding."""

LONGEST_SENTENCE = 256
"""Maximum word pieces of a sentence of the text; the rest is ignored."""

NEAR = 0.05
"""Minimum cosine to the nearest sentence of a long text; below it, a sentence is absent."""

_KEPT = 16  # chunks of a text that stay encoded between calls, about 7 MB each

Floats = NDArray[np.float32]
Chunks = Mapping[int, Encoded]


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Sentences `first` to `last`, and where the tokens of each start in the chunk."""

    first: int
    last: int
    ids: NDArray[np.int64]
    starts: tuple[int, ...]


class PreparedText:
    """Sentences of a text, ready to be read against; safe to share between threads.

    Args:
        sentences: The sentences, in order.
        vectors: Vectors of the sentences, if the reader's encoder has computed them.

    Attributes:
        sentences: The sentences.
        sizes: The number of word pieces read of each.
    """

    def __init__(self, sentences: Sequence[str], vectors: Floats | None = None) -> None:
        self.sentences = tuple(sentences)
        ids = [pieces_of(sentence).ids[:LONGEST_SENTENCE] for sentence in self.sentences]
        self.sizes = list(map(len, ids))
        self._chunks = _chunks(ids)
        self._chunk_of = [
            number
            for number, chunk in enumerate(self._chunks)
            for _ in range(chunk.first, chunk.last + 1)
        ]
        self._lock = threading.Lock()
        self._network: Network | None = None
        self._encoded: dict[int, Encoded] = {}
        self._encoder: Encoder | None = None
        self._vectors = vectors

    def vectors(self, encoder: Encoder) -> Floats:
        """Return the vectors of the sentences, computed once."""
        with self._lock:
            if self._vectors is None or self._encoder not in (None, encoder):
                self._vectors = encoder.encode(list(self.sentences))
            self._encoder = encoder
            return self._vectors

    def near(self, cosines: Floats) -> list[int]:
        """Return the indices of the sentences to read against, given the cosine to each."""
        near = list(range(len(self.sizes)))
        if not fits(self.sizes):
            near = nearest(cosines, self.sizes)
            if cosines[near[0]] < NEAR:
                return []
        return [index for index in near if self.sizes[index]]

    def encode(self, network: Network, indices: Sequence[int], pool: Executor | None) -> Chunks:
        """Encode the chunks of these sentences; a short text keeps them."""
        wanted = sorted({self._chunk_of[index] for index in indices})
        with self._lock:
            known = dict(self._encoded) if self._network is network else {}
        missing = [number for number in wanted if number not in known]
        encoded = network.encode([self._chunks[number].ids for number in missing], pool)
        known.update(zip(missing, encoded, strict=True))
        if len(self._chunks) <= _KEPT:
            with self._lock:
                self._network, self._encoded = network, known
        return known

    def context(self, indices: Sequence[int]) -> str:
        """Return a cache key: everything the encoding of these sentences depends on."""
        texts = []
        for number in sorted({self._chunk_of[index] for index in indices}):
            chunk = self._chunks[number]
            own = [str(i - chunk.first) for i in sorted(indices) if self._chunk_of[i] == number]
            sentences = self.sentences[chunk.first : chunk.last + 1]
            lines = [" ".join(sentence.split()) for sentence in sentences]
            texts.append("\x1f".join([*lines, ",".join(own)]))
        return "\x1d".join(texts)

    def past(self, indices: Sequence[int], chunks: Chunks) -> list[Encoded]:
        """Return the encoding of these sentences, in consecutive parts."""
        if len(indices) == len(self.sentences):
            return [chunks[number] for number in range(len(self._chunks))]
        parts = []
        for index in sorted(indices):
            number = self._chunk_of[index]
            first = index - self._chunks[number].first
            start, end = self._chunks[number].starts[first : first + 2]
            parts.append(chunks[number].part(slice(start, end)))
        return parts


def _chunks(sentences: Sequence[NDArray[np.int64]]) -> list[_Chunk]:
    """Cut a text into chunks of whole sentences; the markers belong to the first and the last."""
    groups: list[list[int]] = []
    filled = 0
    for index, ids in enumerate(sentences):
        if not groups or (filled and filled + len(ids) > CHUNK):
            groups.append([])
            filled = 0
        groups[-1].append(index)
        filled += len(ids)
    chunks = []
    for group in groups:
        sizes = np.array([len(sentences[index]) for index in group])
        sizes[0] += 1
        sizes[-1] += 1
        ids = np.concatenate([[START], *(sentences[index] for index in group), [END]])
        starts = (0, *np.cumsum(sizes).tolist())
        chunks.append(_Chunk(group[0], group[-1], ids.astype(np.int64), starts))
    return chunks
