"""Encode once: what all encoders share."""

import contextlib
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, TypeVar

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


class BaseEncoder(ABC):
    """Unique texts, sorted by length, on every thread, cached on disk.

    The vector of a text is independent of its company, to the last bit: texts are never padded
    to a common length.

    A subclass says in `recipe` how it makes vectors out of weights; a changed recipe must
    change that text, since it keeps old cached vectors from being used.
    """

    recipe: str = "1"
    cached: bool = True
    device: str = "cpu"
    texts_at_once: int = 512  # between two writes to the cache: what a kill can lose

    def __init__(
        self, name: str, fingerprint: str, dimension: int, *, cache: bool, threads: int | None
    ) -> None:
        self._name = name
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._threads = settings.thread_count() if threads is None else threads
        self._use_cache = cache
        self._cache = self._open_cache() if cache and self.cached else None

    @property
    def name(self) -> str:
        """The name that `load` knows."""
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
        # A worker process loads the weights from their file; they never travel.
        from commonground.encoders.registry import reload

        return reload, (self._name, self._use_cache, self._threads, self.device)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit row for each text; a text without content has a row of zeros.

        Any white space counts as one space, so that wrapping a line changes no vector.
        """
        readable = [
            " ".join(readable_text(text, number).split())
            for number, text in enumerate(checked(texts))
        ]
        unique = sorted(set(readable), key=lambda text: (len(text), text))
        rows = {text: row for row, text in enumerate(unique)}
        vectors = np.zeros((len(unique), self._dimension), dtype=np.float32)
        known = self._cache.get(unique) if self._cache else {}
        for text, vector in known.items():
            vectors[rows[text]] = vector
        missing = [text for text in unique if text and text not in known]
        for start in range(0, len(missing), self.texts_at_once):
            some = missing[start : start + self.texts_at_once]
            fresh = unit_rows(self._encode_unique(some))
            vectors[[rows[text] for text in some]] = fresh
            if self._cache:
                self._cache.put(some, fresh)
        return vectors[[rows[text] for text in readable]]

    @abstractmethod
    def _encode_unique(self, texts: list[str]) -> Vectors:
        """A row for each text; zeros where the model sees nothing in it."""

    def _on_threads(self, work: Callable[[S], T], parts: Sequence[S]) -> list[T]:
        """Do the work on each part; the parts go from short to long."""
        if self._threads == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(self._threads) as pool:
            # The longest first, so that no thread is left alone with it at the end.
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
    """Keep BLAS from starting threads inside ours.

    The limit holds for the whole process, so only one block at a time may set and lift it:
    overlapping blocks would restore each other's limit.
    """
    with _blas, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController  # here, since few encoders need it

    # To look through the loaded libraries takes milliseconds, to set a limit microseconds.
    return ThreadpoolController()


def checked(texts: Sequence[str]) -> Sequence[str]:
    """Refuse one bare string, which Python would take for a list of its characters."""
    if isinstance(texts, str):
        raise InputError("an encoder takes a list of texts, got one string; write [text]")
    return texts


def readable_text(text: str, number: int = 0) -> str:
    """The text with each lone surrogate, which no tokenizer takes, replaced by U+FFFD."""
    if not isinstance(text, str):
        raise InputError(f"text {number} is not a string but {type(text).__name__}")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def unit_rows(vectors: Vectors) -> Vectors:
    """The rows at length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units
