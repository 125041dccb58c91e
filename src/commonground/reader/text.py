"""A text that sentences are read against: cut into chunks, each encoded when it is first needed."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonground.reader.network import Encoded, Network
from commonground.reader.pieces import END, START, pieces_of

CHUNK = 384
"""Word pieces of a text that see each other when it is encoded."""

LONGEST_SENTENCE = 256
"""Word pieces of a text's sentence that are read; what follows does not count."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Sentences `first` to `last`, and where the tokens of each start in the chunk."""

    first: int
    last: int
    ids: NDArray[np.int64]
    starts: tuple[int, ...]


class PreparedText:
    """Sentences of a text, ready to be read against.

    Args:
        sentences: The sentences, in order.

    Attributes:
        sentences: As given.
        sizes: The number of word pieces of each that are read.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = tuple(sentences)
        ids = [pieces_of(sentence).ids[:LONGEST_SENTENCE] for sentence in self.sentences]
        self.sizes = [len(one) for one in ids]
        self._chunks = _chunks(ids)
        self._chunk_of = [
            number
            for number, chunk in enumerate(self._chunks)
            for _ in range(chunk.first, chunk.last + 1)
        ]
        self._encoded: dict[int, Encoded] = {}

    def encode(self, network: Network, places: Sequence[int], pool: Executor | None) -> None:
        """Encode the chunks of these sentences that are not encoded yet."""
        wanted = sorted({self._chunk_of[place] for place in places} - self._encoded.keys())
        ids = [self._chunks[number].ids for number in wanted]
        made = pool.map(network.encode, ids) if pool else map(network.encode, ids)
        self._encoded.update(zip(wanted, made, strict=True))

    def forget(self) -> None:
        """Drop what was encoded; it is made again when it is needed."""
        self._encoded.clear()

    def context(self, places: Sequence[int]) -> str:
        """All that the encoding of these sentences depends on, as a key for a cache."""
        chunks = sorted({self._chunk_of[place] for place in places})
        texts = [
            " ".join(sentence.split())
            for number in chunks
            for chunk in [self._chunks[number]]
            for sentence in self.sentences[chunk.first : chunk.last + 1]
        ]
        relative = _relative([self._chunks[number] for number in chunks], places)
        return "\x1f".join([*texts, ",".join(map(str, relative))])

    def past(self, places: Sequence[int]) -> Encoded:
        """The encoding of these sentences, which must be encoded, one after the other."""
        parts = [self._part(place) for place in sorted(places)]
        if len(parts) == len(self.sentences) and len(self._chunks) == 1:
            return self._encoded[0]
        return Encoded(
            np.concatenate([part.keys for part in parts], axis=2),
            np.concatenate([part.values for part in parts], axis=2),
        )

    def _part(self, place: int) -> Encoded:
        number = self._chunk_of[place]
        chunk, whole = self._chunks[number], self._encoded[number]
        own = slice(chunk.starts[place - chunk.first], chunk.starts[place - chunk.first + 1])
        return Encoded(whole.keys[:, :, own], whole.values[:, :, own])


def _chunks(sentences: Sequence[NDArray[np.int64]]) -> list[_Chunk]:
    """Cut a text into chunks of whole sentences; the markers belong to the first and the last."""
    groups: list[list[int]] = []
    filled = 0
    for place, ids in enumerate(sentences):
        if not groups or (filled and filled + len(ids) > CHUNK):
            groups.append([])
            filled = 0
        groups[-1].append(place)
        filled += len(ids)
    chunks = []
    for group in groups:
        sizes = np.array([len(sentences[place]) for place in group])
        sizes[0] += 1
        sizes[-1] += 1
        ids = np.concatenate([[START], *(sentences[place] for place in group), [END]])
        starts = (0, *np.cumsum(sizes).tolist())
        chunks.append(_Chunk(group[0], group[-1], ids.astype(np.int64), starts))
    return chunks


def _relative(chunks: Sequence[_Chunk], places: Sequence[int]) -> list[int]:
    """The places counted over the sentences of these chunks alone."""
    known = [place for chunk in chunks for place in range(chunk.first, chunk.last + 1)]
    numbers = {place: number for number, place in enumerate(known)}
    return [numbers[place] for place in sorted(places)]
