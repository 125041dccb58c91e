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

_KEPT = 16 * CHUNK  # word pieces of a text that stays encoded between calls, about 110 MB

Floats = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Chunk:
    """Sentences that are encoded together.

    Attributes:
        sentences: The sentences.
        ids: Their word pieces, with markers.
        starts: Where the tokens of each sentence start, and the end.
        kept: The encoding and the network that made it.
    """

    sentences: tuple[str, ...]
    ids: NDArray[np.int64]
    starts: tuple[int, ...]
    kept: tuple[Network, Encoded] | None = None


Encodings = Mapping[Chunk, Encoded]


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
        self._chunks = _chunks(self.sentences, ids)
        # The chunk of each sentence, and its index there.
        self._places = [(chunk, n) for chunk in self._chunks for n in range(len(chunk.sentences))]
        self._lock = threading.Lock()
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

    def chunks(self, indices: Sequence[int]) -> list[Chunk]:
        """Return the chunks of these sentences, in order."""
        wanted = {self._places[index][0] for index in indices}
        return [chunk for chunk in self._chunks if chunk in wanted]

    def encode(self, network: Network, indices: Sequence[int], pool: Executor | None) -> Encodings:
        """Encode the chunks of these sentences; a short text keeps them."""
        return encode_texts(network, [(self, indices)], pool)

    def context(self, indices: Sequence[int]) -> str:
        """Return a cache key: everything the encoding of these sentences depends on."""
        own: dict[Chunk, list[str]] = {}
        for index in sorted(indices):
            chunk, n = self._places[index]
            own.setdefault(chunk, []).append(str(n))
        texts = []
        for chunk, numbers in own.items():
            lines = [" ".join(sentence.split()) for sentence in chunk.sentences]
            texts.append("\x1f".join([*lines, ",".join(numbers)]))
        return "\x1d".join(texts)

    def past(self, indices: Sequence[int], encoded: Encodings) -> list[Encoded]:
        """Return the encoding of these sentences, in consecutive parts."""
        if len(indices) == len(self.sentences):
            return [encoded[chunk] for chunk in self._chunks]
        parts = []
        for index in sorted(indices):
            chunk, n = self._places[index]
            parts.append(encoded[chunk].part(slice(*chunk.starts[n : n + 2])))
        return parts

    def keeps(self) -> bool:
        """Say whether the text is short enough to stay encoded."""
        return sum(self.sizes) <= _KEPT


def encode_texts(
    network: Network,
    wanted: Sequence[tuple[PreparedText, Sequence[int]]],
    pool: Executor | None,
) -> Encodings:
    """Encode the chunks of these sentences of each text, all at once."""
    indices: dict[PreparedText, set[int]] = {}
    for text, own in wanted:
        indices.setdefault(text, set()).update(own)
    stays = {chunk: text.keeps() for text, own in indices.items() for chunk in text.chunks([*own])}
    kept = {chunk: chunk.kept for chunk in stays}  # read once: another thread may set it
    encoded = {chunk: one[1] for chunk, one in kept.items() if one and one[0] is network}
    missing = [chunk for chunk in stays if chunk not in encoded]
    fresh = network.encode([chunk.ids for chunk in missing], pool)
    for chunk, encoding in zip(missing, fresh, strict=True):
        encoded[chunk] = encoding
        if stays[chunk]:
            chunk.kept = network, encoding
    return encoded


def _chunks(sentences: Sequence[str], ids: Sequence[NDArray[np.int64]]) -> list[Chunk]:
    """Cut a text into chunks of whole sentences; the markers belong to the first and the last."""
    groups: list[list[int]] = []
    filled = 0
    for index, own in enumerate(ids):
        if not groups or (filled and filled + len(own) > CHUNK):
            groups.append([])
            filled = 0
        groups[-1].append(index)
        filled += len(own)
    chunks = []
    for group in groups:
        sizes = np.array([len(ids[index]) for index in group])
        sizes[0] += 1
        sizes[-1] += 1
        joined = np.concatenate([[START], *(ids[index] for index in group), [END]])
        starts = (0, *np.cumsum(sizes).tolist())
        texts = tuple(sentences[index] for index in group)
        chunks.append(Chunk(texts, joined.astype(np.int64), starts))
    return chunks
