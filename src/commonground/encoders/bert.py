"""Encoders of the BERT family: the vector of a text is the mean of its token vectors."""

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
from commonground.models import open_session, runtime_name

Ids = NDArray[np.int64]
Mask = NDArray[np.bool_]

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

    Attributes:
        step: Texts are padded to a multiple of this many word pieces.
    """

    step: int = 1

    def __init__(self, name: str, fingerprint: str, **options: Unpack[Options]) -> None:
        super().__init__(name, fingerprint, _DIMENSION, **options)
        self._tokenizer = wordpiece_tokenizer()

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the contextual vectors of each text's word pieces."""
        encodings = self._encodings(readable_texts(texts))
        empty = np.zeros((0, _DIMENSION), dtype=np.float32)
        zero = np.zeros(_DIMENSION, dtype=np.float32)
        result = [_token_vectors(encoding, empty, zero) for encoding in encodings]
        for index, vectors in self._each(encodings, lambda hidden: hidden):
            mean = unit_rows(vectors.mean(axis=0, keepdims=True))[0]
            result[index] = _token_vectors(encodings[index], vectors[1:-1], mean)
        return result

    def _encode_unique(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for index, mean in self._each(self._encodings(texts), lambda hidden: hidden.mean(axis=0)):
            vectors[index] = mean
        return vectors

    def _encodings(self, texts: Sequence[str]) -> list[Encoding]:
        # Not encode_batch, which starts threads of its own.
        return [self._tokenizer.encode(text) for text in texts]

    def _each(
        self, encodings: Sequence[Encoding], reduce: Callable[[Vectors], Vectors]
    ) -> Iterator[tuple[int, Vectors]]:
        """Yield the index of each text with its reduced last layer; empty texts have none."""
        groups = equally_long(encodings, _PIECES_AT_ONCE, self.step)

        def work(group: list[int]) -> list[Vectors]:
            ids = stacked_ids(encodings, group, self.step)
            sizes = [len(encodings[index].ids) for index in group]
            hidden = self._hidden(ids, np.arange(ids.shape[1]) < np.array(sizes)[:, None])
            return [reduce(own[:size]) for own, size in zip(hidden, sizes, strict=True)]

        for group, reduced in zip(groups, self._on_threads(work, groups), strict=True):
            yield from zip(group, reduced, strict=True)

    @abstractmethod
    def _hidden(self, ids: Ids, mask: Mask) -> Vectors:
        """Return the last layer for texts in rows: texts x word pieces x dimensions.

        The mask is true for the pieces of the texts and false for padding.
        """


def _token_vectors(encoding: Encoding, vectors: Vectors, whole: Vectors) -> TokenVectors:
    return TokenVectors(
        tokens=tuple(encoding.tokens[1:-1]),
        offsets=np.array(encoding.offsets[1:-1], dtype=np.int64).reshape(-1, 2),
        vectors=unit_rows(vectors),
        whole=whole,
    )


def stacked_ids(encodings: Sequence[Encoding], group: Sequence[int], step: int = 1) -> Ids:
    """Return the token ids of equally long texts as a matrix, padded to a multiple of `step`."""
    longest = max(len(encodings[index].ids) for index in group)
    ids = np.zeros((len(group), _padded(longest, step)), dtype=np.int64)
    for row, index in enumerate(group):
        ids[row, : len(encodings[index].ids)] = encodings[index].ids
    return ids


def equally_long(encodings: Sequence[Encoding], pieces: int, step: int = 1) -> list[list[int]]:
    """Group the indices of texts of the same length in steps of word pieces, shortest first.

    A group has about `pieces` word pieces. The padding of a text depends on its own length alone,
    so its vector does not depend on the others (a test checks every bit). Empty texts are in no
    group.
    """
    by_length: dict[int, list[int]] = {}
    for index, encoding in enumerate(encodings):
        if len(encoding.ids) > 2:  # not only the two markers
            by_length.setdefault(_padded(len(encoding.ids), step), []).append(index)
    groups = []
    for length, indices in sorted(by_length.items()):
        size = max(1, pieces // length)
        groups += [indices[start : start + size] for start in range(0, len(indices), size)]
    return groups


def _padded(length: int, step: int) -> int:
    return -(-length // step) * step


class OnnxBert(BertEncoder):
    """`minilm`: 8-bit weights, run by onnxruntime."""

    # Larger groups multiply faster: an eighth of the time, more than the padding costs.
    step = 4

    def __init__(self, name: str, fingerprint: str, path: Path, **options: Unpack[Options]) -> None:
        # Versions differ in the last digits, so they do not share cached vectors.
        self.recipe = f"{runtime_name()}-3"
        super().__init__(name, fingerprint, **options)
        # This fusion is slower than the operators that it replaces: a tenth of the time.
        self._session = open_session(path, disabled=["SkipLayerNormFusion"])

    def _hidden(self, ids: Ids, mask: Mask) -> Vectors:
        inputs = {
            "input_ids": ids,
            "attention_mask": mask.astype(np.int64),
            "token_type_ids": np.zeros_like(ids),
        }
        hidden: Vectors = self._session.run(["last_hidden_state"], inputs)[0]
        return hidden
