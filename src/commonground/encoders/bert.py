"""Encoders of the BERT family: the mean of the token vectors is the text's vector."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from commonground.encoders.base import BaseEncoder, checked, readable_text, unit_rows
from commonground.encoders.protocol import TokenVectors, Vectors
from commonground.encoders.wordpiece import wordpiece_tokenizer

Ids = NDArray[np.int64]

_DIMENSION = 384
_PIECES_AT_ONCE = 512


class BertEncoder(BaseEncoder):
    """What the two forms of all-MiniLM-L6-v2 share: word pieces in, their mean out.

    A text is read up to 256 word pieces, about 200 words; what follows does not count.
    """

    def __init__(
        self, name: str, fingerprint: str, *, cache: bool = True, threads: int | None = None
    ) -> None:
        super().__init__(name, fingerprint, _DIMENSION, cache=cache, threads=threads)
        self._tokenizer = wordpiece_tokenizer()

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The contextual vectors of each text's word pieces."""
        readable = [readable_text(text, number) for number, text in enumerate(checked(texts))]
        encodings = self._encodings(readable)
        nothing = np.zeros((0, _DIMENSION), dtype=np.float32)
        zero = np.zeros(_DIMENSION, dtype=np.float32)
        found = [_token_vectors(encoding, nothing, zero) for encoding in encodings]
        for group, hidden in self._by_length(encodings, lambda hidden: hidden):
            wholes = unit_rows(hidden.mean(axis=1))
            for place, vectors, whole in zip(group, hidden, wholes, strict=True):
                found[place] = _token_vectors(encodings[place], vectors[1:-1], whole)
        return found

    def _encode_unique(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for group, means in self._by_length(self._encodings(texts), lambda h: h.mean(axis=1)):
            vectors[group] = means
        return vectors

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        # Not encode_batch, whose threads are not ours to count.
        return [self._tokenizer.encode(text) for text in texts]

    def _by_length(
        self, encodings: Sequence[Encoding], reduce: Callable[[Vectors], Vectors]
    ) -> Iterator[tuple[list[int], Vectors]]:
        """Places of equally long texts, and what `reduce` makes of their hidden states."""
        groups = equally_long(encodings, _PIECES_AT_ONCE)

        def work(group: list[int]) -> Vectors:
            ids = np.array([encodings[place].ids for place in group], dtype=np.int64)
            return reduce(self._hidden(ids))

        return zip(groups, self._on_threads(work, groups), strict=True)

    @abstractmethod
    def _hidden(self, ids: Ids) -> Vectors:
        """The last layer for equally long texts: texts x word pieces x dimensions."""


def _token_vectors(encoding: Encoding, vectors: Vectors, whole: Vectors) -> TokenVectors:
    inner = slice(1, -1)
    return TokenVectors(
        tokens=tuple(encoding.tokens[inner]),
        offsets=np.array(encoding.offsets[inner], dtype=np.int64).reshape(-1, 2),
        vectors=unit_rows(vectors),
        whole=whole,
    )


def equally_long(encodings: Sequence[Encoding], pieces: int) -> list[list[int]]:
    """Places of texts with the same number of word pieces, shortest first, in groups of so many.

    Without padding a group costs what its texts cost alone, less the overhead; and no kernel we
    know lets a text's vector depend on the others (a test holds it to the last bit). A text with
    nothing between its two markers is in no group.
    """
    by_length: dict[int, list[int]] = {}
    for place, encoding in enumerate(encodings):
        by_length.setdefault(len(encoding.ids), []).append(place)
    by_length.pop(2, None)
    groups = []
    for length, places in sorted(by_length.items()):
        size = max(1, pieces // length)
        groups += [places[start : start + size] for start in range(0, len(places), size)]
    return groups


class OnnxBert(BertEncoder):
    """`minilm`: weights of 8 bits, run by onnxruntime."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        path: Path,
        *,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        # onnxruntime reports to its makers unless this stands before its import.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime  # here, since it is slow and no other encoder needs it

        # Versions differ in the last digits, so they do not share cached vectors.
        self.recipe = f"onnxruntime-{onnxruntime.__version__}"
        super().__init__(name, fingerprint, cache=cache, threads=threads)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # each text has a thread of its own
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def _hidden(self, ids: Ids) -> Vectors:
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(["last_hidden_state"], inputs)[0]
        return hidden
