"""What all encoders share: their protocols and their base class."""

import contextlib
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol, TypedDict, TypeVar, Unpack, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from commonground import settings
from commonground.encoders.vector_cache import VectorCache
from commonground.errors import InputError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Vectors = NDArray[np.float32]
S = TypeVar("S")
T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")

_blas = threading.RLock()


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The contextual vectors of one text's tokens, without special tokens.

    `vectors` has a unit row for each token, `offsets` its start and end in the text. `whole` is
    the vector of the text, as from `encode`.
    """

    tokens: tuple[str, ...]
    offsets: NDArray[np.int64]
    vectors: Vectors
    whole: Vectors


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """The name for `load`."""
        ...

    @property
    def fingerprint(self) -> str:
        """The sha256 of the weights; signatures show its first eight digits."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each text; a row of zeros for a text without content."""
        ...


@runtime_checkable
class TokenEncoder(Encoder, Protocol):
    """An encoder that also has a vector for each token in its context."""

    def tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the token vectors of each text, up to the model's longest input."""
        ...


def shown(encoder: Encoder) -> str:
    """Return an encoder's name in signatures: `minilm@8199be6f`, on a GPU `minilm@8199be6f+cuda`.

    The vectors of a GPU differ from those of the CPU in the last digits.
    """
    device = str(getattr(encoder, "device", "cpu")).partition(":")[0]
    suffix = "" if device == "cpu" else f"+{device}"
    return f"{encoder.name}@{encoder.fingerprint[:8]}{suffix}"


class Options(TypedDict, total=False):
    """Options of every encoder."""

    cache: bool
    threads: int | None


class BaseEncoder(ABC):
    """Encodes unique texts, sorted by length, with several threads and a cache on disk.

    The vector of a text does not depend on the other texts, to the last bit: texts are never
    padded. A subclass changes `recipe` when it computes vectors from the weights in another way,
    so that old cached vectors are not used.

    Attributes:
        name: The name in signatures.
        fingerprint: The sha256 of the weights.
        dimension: The length of a vector.
    """

    recipe: str = "1"
    cached: bool = True
    device: str = "cpu"
    texts_at_once: int = 512  # between two writes to the cache

    def __init__(
        self, name: str, fingerprint: str, dimension: int, **options: Unpack[Options]
    ) -> None:
        self.name = self._loaded_as = name
        self.fingerprint = fingerprint
        self.dimension = dimension
        self._threads = options.get("threads") or settings.thread_count()
        self._use_cache = options.get("cache", True)
        self._cache = self._open_cache() if self._use_cache and self.cached else None

    def __repr__(self) -> str:
        return f"<encoder {self.name}@{self.fingerprint[:8]}, {self.dimension} dimensions>"

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        # A worker process loads the weights from their file.
        from commonground.encoders.registry import load

        cache, threads, device = self._use_cache, self._threads, self.device
        return partial(load, self._loaded_as, cache=cache, threads=threads, device=device), ()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a unit row for each text; a row of zeros for a text without content.

        Any white space counts as one space, so line breaks do not change a vector.
        """
        normal = [" ".join(text.split()) for text in readable_texts(texts)]
        unique = sorted(set(normal), key=lambda text: (len(text), text))
        rows = {text: row for row, text in enumerate(unique)}
        vectors = np.zeros((len(unique), self.dimension), dtype=np.float32)
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
        model = f"{type(self).__name__.lower()}-{self.recipe}-{self.fingerprint[:16]}"
        folder = settings.cache_folder() / "vectors"
        return VectorCache(folder, model, self.dimension, limit)


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
