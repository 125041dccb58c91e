"""Encoders of the sentence-transformers family, from a folder or the hub's cache."""

from pathlib import Path

import numpy as np

from commonground.encoders._base import BaseEncoder
from commonground.encoders._protocol import Vectors
from commonground.errors import MissingExtraError, ModelError


class HubEncoder(BaseEncoder):
    """Any sentence-transformers model whose weights are safetensors; needs `[hub]`."""

    def __init__(
        self,
        name: str,
        fingerprint: str,
        folder: Path,
        *,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtraError(f"the encoder {name!r}", "hub") from None
        try:
            self._model = SentenceTransformer(
                str(folder),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        except (OSError, ValueError, KeyError) as error:
            reason = str(error).splitlines()[0]
            raise ModelError(f"the encoder in {folder} does not load: {reason}") from error
        dimension = self._model.encode(["length"]).shape[1]
        super().__init__(name, fingerprint, dimension, cache=cache, threads=threads)

    @property
    def name(self) -> str:
        """The last part of a folder's path, since a signature should fit every machine."""
        return Path(self._name).name if Path(self._name).is_dir() else self._name

    def _encode_unique(self, texts: list[str]) -> Vectors:
        # One at a time: padding would make a vector depend on its company.
        vectors = self._model.encode(
            texts, batch_size=1, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
