"""`Reader`: which words of a sentence does a text state?"""

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonground import encoders, models, settings
from commonground.encoders import Encoder, VectorCache
from commonground.errors import InputError
from commonground.reader.calibration import Calibration, features
from commonground.reader.network import Answer, Encoded, Network, OnnxNetwork, Question, pieces_of
from commonground.reader.result import Reading, Shown, Word
from commonground.reader.text import PreparedText, encode_texts
from commonground.reading import Document
from commonground.text import sentences as split_sentences
from commonground.text import warn_unless_english

Floats = NDArray[np.float32]

MODEL = "reader"
"""The name of the weights in the manifest."""

EVIDENCE = 0.3
"""Minimum probability of evidence; the best sentence is always shown."""

_BATCH = 256  # sentences between two writes to the cache
_MAX_EVIDENCE = 4
_ABSENT = (0.0, 0.0, 0.0, 1.0)

_loaded: dict[tuple[Path, str, str], Network] = {}
_lock = threading.Lock()


class Reader:
    """Reads sentences against a text, word by word.

    Args:
        encoder: Finds the nearest sentences of long texts: a name or an encoder.
        cache: Cache answers on disk, with the vectors.
        threads: Maximum threads (default: all cores).
        device: `cpu`, `cuda`, `cuda:1` (default: the setting, else `cpu`).
        weights: Another network, such as one trained without some events; its answers are not
            cached.

    Example:
        >>> (found,) = Reader().read(["The dam broke at night."], "Rain fell. Then the dam burst.")
        >>> found.label
        'partly'
        >>> found.evidence[0].text
        'Then the dam burst.'
    """

    def __init__(
        self,
        encoder: str | Encoder = encoders.DEFAULT,
        *,
        cache: bool = True,
        threads: int | None = None,
        device: str | None = None,
        weights: Path | None = None,
    ) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads must be at least 1, not {threads}")
        self.device = encoders.check_device(device or settings.setting("device") or "cpu")
        located = models.locate(MODEL)
        # The answers depend on the weights and on the calibration.
        hashes = "".join(file.sha256 for file in models.manifest()[MODEL].files)
        self.fingerprint = hashlib.sha256(hashes.encode()).hexdigest()
        if isinstance(encoder, str):
            encoder = encoders.load(encoder, device=self.device)
        self.encoder = encoders.as_encoder(encoder)
        self._threads = settings.thread_count() if threads is None else threads
        own = weights or located.paths["reader.onnx"]
        self._network = _open(own, located.fingerprint, self.device)
        self._weights = weights
        self._calibration = Calibration.read(located.paths["calibration.json"])
        self._use_cache = cache
        cached = cache and self.device == "cpu" and weights is None
        self._cache = self._open_cache() if cached else None

    def __reduce__(self) -> tuple[object, ...]:
        # A worker process loads the weights from their file instead of unpickling them.
        make = partial(
            Reader,
            cache=self._use_cache,
            threads=self._threads,
            device=self.device,
            weights=self._weights,
        )
        return make, (self.encoder,)

    def __repr__(self) -> str:
        return f"<reader {self.shown}>"

    @property
    def shown(self) -> str:
        """The reader in signatures: eight digits, and the device unless it is the CPU."""
        device = self.device.partition(":")[0]
        return self.fingerprint[:8] + ("" if device == "cpu" else f"+{device}")

    def prepare(
        self, text: str | Sequence[str] | Document | PreparedText, vectors: Floats | None = None
    ) -> PreparedText:
        """Prepare a text (a list of sentences is not split) for several calls of `read`.

        A prepared text keeps its encoding. `vectors` are those of the sentences, if this reader's
        encoder has already computed them.
        """
        if isinstance(text, PreparedText):
            return text
        if isinstance(text, Document):
            vectors, text = self.vectors(text), text.texts
        prepared = PreparedText(split_sentences(text), vectors)
        warn_unless_english(prepared.sentences)
        return prepared

    def vectors(self, document: Document) -> Floats:
        """Return the vectors of a document's sentences by this reader's encoder."""
        known = document.encoder is self.encoder
        return document.vectors if known else self.encoder.encode(document.texts)

    def read(
        self,
        sentences: Sequence[str],
        text: str | Sequence[str] | PreparedText,
        vectors: Floats | None = None,
    ) -> list[Reading]:
        """Read each sentence against the text.

        Args:
            sentences: The sentences; each is read independently.
            text: A `str`, which is split; a list of sentences; or a prepared text.
            vectors: Vectors of the sentences, if this reader's encoder has computed them.
        """
        asked = _checked(sentences)
        prepared = self.prepare(text)
        rows = prepared.vectors(self.encoder)
        own = self.encoder.encode(asked) if vectors is None else vectors
        readings: list[Reading] = []
        with self._pool() as pool:
            for start in range(0, len(asked), _BATCH):
                batch = slice(start, start + _BATCH)
                texts = [prepared] * len(asked[batch])
                readings += self._read(asked[batch], texts, own[batch] @ rows.T, pool)
        return readings

    def read_each(
        self,
        sentences: Sequence[str],
        texts: Sequence[PreparedText],
        vectors: Floats,
        *,
        cache: bool = True,
    ) -> list[Reading]:
        """Read each sentence against its own text, as `read` would one by one, but faster.

        Args:
            sentences: The sentences.
            texts: A prepared text for each.
            vectors: The vectors of the sentences.
            cache: Use the cache on disk, if the reader has one; without it, a few short texts are
                read faster.
        """
        asked = _checked(sentences)
        rows = [text.vectors(self.encoder) for text in texts]
        readings: list[Reading] = []
        with self._pool() as pool:
            for start in range(0, len(asked), _BATCH):
                batch = slice(start, start + _BATCH)
                pairs = zip(vectors[batch], rows[batch], strict=True)
                cosines = [vector @ own.T for vector, own in pairs]
                readings += self._read(asked[batch], texts[batch], cosines, pool, cache=cache)
        return readings

    def _pool(self) -> AbstractContextManager[Executor | None]:
        parallel = self._threads > 1 and self.device == "cpu"
        return ThreadPoolExecutor(self._threads) if parallel else nullcontext()

    def _read(
        self,
        sentences: Sequence[str],
        texts: Sequence[PreparedText],
        exact: Sequence[Floats] | Floats,
        pool: Executor | None,
        *,
        cache: bool = True,
    ) -> list[Reading]:
        """Read each sentence against its text, given the cosines to the text's sentences."""
        # Rounded, since the last digits depend on the machine.
        cosines = [np.round(row, 5) for row in exact]
        near = [
            text.near(row) if sentence.split() else []
            for sentence, text, row in zip(sentences, texts, cosines, strict=True)
        ]
        keys = [
            f"{' '.join(sentence.split())}\x1e{text.context(indices)}" if indices else ""
            for sentence, text, indices in zip(sentences, texts, near, strict=True)
        ]
        stored = self._cache if cache else None
        known = stored.get([key for key in keys if key]) if stored else {}
        missing = [n for n, key in enumerate(keys) if key and key not in known]
        encoded = encode_texts(self._network, [(texts[n], near[n]) for n in missing], pool)
        pasts = [texts[n].past(near[n], encoded) for n in missing]
        rows = raw_answers(self._network, [sentences[n] for n in missing], pasts, pool)
        if stored and missing:
            stored.put([keys[n] for n in missing], rows)
        raw = {**known, **{keys[n]: row for n, row in zip(missing, rows, strict=True)}}
        return [
            self._reading(sentence, raw.get(key), text, row)
            for sentence, key, text, row in zip(sentences, keys, texts, cosines, strict=True)
        ]

    def _reading(
        self, sentence: str, raw: Floats | None, text: PreparedText, cosines: Floats
    ) -> Reading:
        spans = pieces_of(sentence).spans
        worded = np.array(text.sizes, dtype=bool)
        nearest = int(np.where(worded, cosines, -2).argmax()) if worded.any() and spans else None
        if raw is None or not len(raw):  # nothing is near, or nothing can be read
            words = tuple(Word(sentence[start:end], start, end, 0.0, 0.0) for start, end in spans)
            return Reading(sentence, *_ABSENT, words, (), nearest)
        values, near = raw.astype(np.float64), cosines.astype(np.float64)
        label = self._calibration.label(features(values[:4], values[4:], float(near.max())))
        support = self._calibration.support(values[4:], label)
        part = self._calibration.part(values[4:])
        words = tuple(
            Word(sentence[start:end], start, end, *map(float, pair))
            for (start, end), *pair in zip(spans, support, part, strict=True)
        )
        stated, partly, contradicted, absent = label.tolist()
        chances = np.where(worded, self._calibration.shown(near), 0)
        shown = () if absent == label.max() else _shown(chances, text)
        return Reading(sentence, stated, partly, contradicted, absent, words, shown, nearest)

    def _open_cache(self) -> VectorCache | None:
        limit = settings.vector_cache_bytes()
        if limit == 0:
            return None
        name = f"reader-2-{self._network.version}-{self.fingerprint[:16]}"
        return VectorCache(settings.cache_folder() / "vectors", name, None, limit)


def _open(path: Path, sha256: str, device: str) -> Network:
    """Load the network once for all readers of the process."""
    key = (path, sha256, device)
    with _lock:
        if key not in _loaded:
            if device == "cpu":
                _loaded[key] = OnnxNetwork(path)
            else:
                from commonground.reader.torch_network import TorchNetwork  # torch is an extra

                _loaded[key] = TorchNetwork(path, device)
        return _loaded[key]


def raw_answers(
    network: Network,
    sentences: Sequence[str],
    pasts: Sequence[Sequence[Encoded]],
    pool: Executor | None = None,
) -> list[Floats]:
    """Return a row for each sentence: four class logits, then a logit for each word.

    A long sentence is read in several windows.
    """
    cut = [pieces_of(sentence) for sentence in sentences]
    windows = [(number, *window) for number, own in enumerate(cut) for window in own.windows()]
    asked = [Question(ids, pasts[number]) for number, ids, _ in windows]
    rows: list[list[tuple[Answer, NDArray[np.int64]]]] = [[] for _ in sentences]
    for (number, _, words), answer in zip(windows, network.read(asked, pool), strict=True):
        rows[number].append((answer, words))
    return [_row(len(own.spans), answers) for own, answers in zip(cut, rows, strict=True)]


def _row(size: int, answers: Sequence[tuple[Answer, NDArray[np.int64]]]) -> Floats:
    if not answers:  # a sentence of control characters
        return np.zeros(0, dtype=np.float32)
    words, counts = np.zeros(size), np.zeros(size)
    for answer, own in answers:
        np.add.at(words, own, answer.pieces)
        np.add.at(counts, own, 1)
    fill = words.sum() / counts.sum()  # for a word without pieces
    words = np.where(counts > 0, words / np.maximum(counts, 1), fill)
    classes = _joined([answer.classes for answer, _ in answers])
    return np.concatenate([classes, words]).astype(np.float32)


def _checked(sentences: Sequence[str]) -> list[str]:
    if isinstance(sentences, str):
        raise InputError("sentences must be a list of texts, got one string; write [text]")
    try:
        checked = list(sentences)
    except TypeError:
        kind = type(sentences).__name__
        raise InputError(f"sentences must be a list of texts, got {kind}") from None
    for index, sentence in enumerate(checked):
        if not isinstance(sentence, str):
            kind = type(sentence).__name__
            raise InputError(f"sentences[{index}] must be a text, got {kind}")
    return checked


def _shown(chances: NDArray[np.float64], text: PreparedText) -> tuple[Shown, ...]:
    """Return the best sentence and others that are likely evidence, best first."""
    order = np.argsort(-chances, kind="stable")
    return tuple(
        Shown(int(index), text.sentences[index], float(chances[index]))
        for rank, index in enumerate(order[:_MAX_EVIDENCE])
        if rank == 0 or chances[index] >= EVIDENCE
    )


def _joined(classes: Sequence[Floats]) -> Floats:
    """Combine the logits of windows: stated if all are, contradicted if one is."""
    if len(classes) == 1:
        return classes[0]
    rows = np.array(classes)
    stated, partly, contradicted, absent = (rows - rows.mean(axis=1, keepdims=True)).T
    joined = [stated.min(), partly.max(), contradicted.max(), absent.min()]
    return np.array(joined, dtype=np.float32)
