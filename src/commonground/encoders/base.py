"""The base class of all encoders: each text is encoded once and cached on disk."""

import contextlib
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

import numpy as np

from commonground import settings
from commonground.encoders.cache import VectorCache
from commonground.encoders.protocol import Vectors
from commonground.errors import InputError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

S = TypeVar("S")
T = TypeVar("T")

_blas = threading.RLock()

_SURROGATE = re.compile("[\ud800-\udfff]")


class Options(TypedDict, total=False):
    """Options of every encoder."""

    cache: bool
    threads: int | None


class BaseEncoder(ABC):
    """Encodes unique texts, sorted by length, with several threads and a cache on disk.

    The vector of a text does not depend on the other texts, to the last bit: texts are never
    padded. A subclass changes `recipe` when it computes vectors from the weights in another way,
    so that old cached vectors are not used.
    """

    recipe: str = "1"
    cached: bool = True
    device: str = "cpu"
    texts_at_once: int = 512  # between two writes to the cache

    def __init__(
        self, name: str, fingerprint: str, dimension: int, **options: Unpack[Options]
    ) -> None:
        self._name = name
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._threads = options.get("threads") or settings.thread_count()
        self._use_cache = options.get("cache", True)
        self._cache = self._open_cache() if self._use_cache and self.cached else None

    @property
    def name(self) -> str:
        """The name for `load`."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """The sha256 of the weights."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._dimension

    def __repr__(self) -> str:
        return f"<encoder {self._name}@{self._fingerprint[:8]}, {self._dimension} dimensions>"

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # A worker process loads the weights from their file.
        from commonground.encoders.registry import reload

        return reload, (self._name, self._use_cache, self._threads, self.device)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each text; a row of zeros for a text without content.

        Any white space counts as one space, so line breaks do not change a vector.
        """
        normal = [" ".join(text.split()) for text in readable_texts(texts)]
        unique = sorted(set(normal), key=lambda text: (len(text), text))
        rows = {text: row for row, text in enumerate(unique)}
        vectors = np.zeros((len(unique), self._dimension), dtype=np.float32)
        known = self._cache.get(unique) if self._cache else {}
        for text, vector in known.items():
            vectors[rows[text]] = vector
        missing = [text for text in unique if text and text not in known]
        for start in range(0, len(missing), self.texts_at_once):
            batch = missing[start : start + self.texts_at_once]
            fresh = unit_rows(self._encode_unique(batch))
            vectors[[rows[text] for text in batch]] = fresh
            if self._cache:
                self._cache.put(batch, fresh)
        return vectors[[rows[text] for text in normal]]

    @abstractmethod
    def _encode_unique(self, texts: list[str]) -> Vectors:
        """Return a row for each text; zeros if the model finds no content."""

    def _on_threads(self, work: Callable[[S], T], parts: Sequence[S]) -> list[T]:
        """Apply `work` to each part; the parts are sorted from short to long."""
        if self._threads == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(self._threads) as pool:
            # Longest first, so that no thread is still busy with it at the end.
            return list(pool.map(work, reversed(parts)))[::-1]

    def _open_cache(self) -> VectorCache | None:
        limit = settings.vector_cache_bytes()
        if limit == 0:
            return None
        model = f"{type(self).__name__.lower()}-{self.recipe}-{self._fingerprint[:16]}"
        folder = settings.cache_folder() / "vectors"
        return VectorCache(folder, model, self._dimension, limit)


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread.

    The limit holds for the whole process, so only one block at a time may set and restore it.
    """
    with _blas, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController  # few encoders need it

    # Cached: scanning the loaded libraries takes milliseconds, setting a limit microseconds.
    return ThreadpoolController()


def readable_texts(texts: Sequence[str]) -> list[str]:
    """Return `readable_text` of each text; raise InputError for a single string."""
    if isinstance(texts, str):
        raise InputError("an encoder takes a list of texts, got one string; write [text]")
    return [readable_text(text, number) for number, text in enumerate(texts)]


def readable_text(text: str, number: int = 0) -> str:
    """Replace lone surrogates, which tokenizers reject, by U+FFFD."""
    if not isinstance(text, str):
        raise InputError(f"text {number} is not a string but {type(text).__name__}")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def unit_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units
