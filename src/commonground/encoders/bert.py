"""Encoders of the BERT family: the vector of a text is the mean of its token vectors."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer, models, normalizers, pre_tokenizers, processors

from commonground.encoders.base import (
    BaseEncoder,
    Options,
    TokenVectors,
    Vectors,
    readable_texts,
    unit_rows,
)

Ids = NDArray[np.int64]

LONGEST_INPUT = 256  # word pieces of all-MiniLM-L6-v2, including special tokens
_DIMENSION = 384
_PIECES_AT_ONCE = 512


@cache
def wordpiece_tokenizer() -> Tokenizer:
    """Return the uncased BERT tokenizer, which truncates at `LONGEST_INPUT` and never pads."""
    file = resources.files(__package__).joinpath("data/bert-base-uncased-vocab.txt")
    lines = file.read_text("utf-8").split("\n")
    vocabulary = {piece: number for number, piece in enumerate(lines) if piece}
    tokenizer = Tokenizer(
        models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(marker, vocabulary[marker]) for marker in ("[CLS]", "[SEP]")],
    )
    tokenizer.enable_truncation(LONGEST_INPUT)
    return tokenizer


class BertEncoder(BaseEncoder):
    """All forms of all-MiniLM-L6-v2.

    A text is read up to 256 word pieces, about 200 words; the rest is ignored.
    """

    def __init__(self, name: str, fingerprint: str, **options: Unpack[Options]) -> None:
        super().__init__(name, fingerprint, _DIMENSION, **options)
        self._tokenizer = wordpiece_tokenizer()

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the contextual vectors of each text's word pieces."""
        encodings = self._encodings(readable_texts(texts))
        empty = np.zeros((0, _DIMENSION), dtype=np.float32)
        zero = np.zeros(_DIMENSION, dtype=np.float32)
        result = [_token_vectors(encoding, empty, zero) for encoding in encodings]
        for group, hidden in self._by_length(encodings, lambda hidden: hidden):
            means = unit_rows(hidden.mean(axis=1))
            for index, vectors, mean in zip(group, hidden, means, strict=True):
                result[index] = _token_vectors(encodings[index], vectors[1:-1], mean)
        return result

    def _encode_unique(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for group, means in self._by_length(self._encodings(texts), lambda h: h.mean(axis=1)):
            vectors[group] = means
        return vectors

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        # Not encode_batch, which starts threads of its own.
        return [self._tokenizer.encode(text) for text in texts]

    def _by_length(
        self, encodings: Sequence[Encoding], reduce: Callable[[Vectors], Vectors]
    ) -> Iterator[tuple[list[int], Vectors]]:
        """Yield the indices of equally long texts with their reduced hidden states."""
        groups = equally_long(encodings, _PIECES_AT_ONCE)

        def work(group: list[int]) -> Vectors:
            return reduce(self._hidden(stacked_ids(encodings, group)))

        return zip(groups, self._on_threads(work, groups), strict=True)

    @abstractmethod
    def _hidden(self, ids: Ids) -> Vectors:
        """Return the last layer for equally long texts: texts x word pieces x dimensions."""


def _token_vectors(encoding: Encoding, vectors: Vectors, whole: Vectors) -> TokenVectors:
    return TokenVectors(
        tokens=tuple(encoding.tokens[1:-1]),
        offsets=np.array(encoding.offsets[1:-1], dtype=np.int64).reshape(-1, 2),
        vectors=unit_rows(vectors),
        whole=whole,
    )


def stacked_ids(encodings: Sequence[Encoding], group: Sequence[int]) -> Ids:
    """Return the token ids of equally long texts as a matrix."""
    return np.array([encodings[index].ids for index in group], dtype=np.int64)


def equally_long(encodings: Sequence[Encoding], pieces: int) -> list[list[int]]:
    """Group the indices of texts with the same number of word pieces, shortest first.

    A group has about `pieces` word pieces. Without padding, the vector of a text does not depend
    on the others (a test checks every bit). Empty texts are in no group.
    """
    by_length: dict[int, list[int]] = {}
    for index, encoding in enumerate(encodings):
        by_length.setdefault(len(encoding.ids), []).append(index)
    by_length.pop(2, None)  # only the two markers
    groups = []
    for length, indices in sorted(by_length.items()):
        size = max(1, pieces // length)
        groups += [indices[start : start + size] for start in range(0, len(indices), size)]
    return groups


class OnnxBert(BertEncoder):
    """`minilm`: 8-bit weights, run by onnxruntime."""

    def __init__(self, name: str, fingerprint: str, path: Path, **options: Unpack[Options]) -> None:
        # Must be set before the import: onnxruntime has telemetry.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime  # slow

        # Versions differ in the last digits, so they do not share cached vectors.
        self.recipe = f"onnxruntime-{onnxruntime.__version__}-2"
        super().__init__(name, fingerprint, **options)
        session = onnxruntime.SessionOptions()
        session.intra_op_num_threads = session.inter_op_num_threads = 1  # one thread per text
        session.log_severity_level = 3
        # This fusion is slower than the operators that it replaces: a tenth of the time.
        slow = ["SkipLayerNormFusion"]
        self._session = onnxruntime.InferenceSession(
            str(path), session, providers=["CPUExecutionProvider"], disabled_optimizers=slow
        )

    def _hidden(self, ids: Ids) -> Vectors:
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(["last_hidden_state"], inputs)[0]
        return hidden
