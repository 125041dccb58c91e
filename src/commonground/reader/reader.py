"""`Reader`: which words of a sentence does a text state?"""

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial

import numpy as np
from numpy.typing import NDArray

from commonground import _settings, encoders, models
from commonground.encoders import Encoder, VectorCache
from commonground.errors import InputError
from commonground.reader import language
from commonground.reader.calibration import features, shipped
from commonground.reader.nearest import fits, nearest
from commonground.reader.network import Network, OnnxNetwork
from commonground.reader.pieces import pieces_of
from commonground.reader.result import Reading, Shown, Word
from commonground.reader.text import PreparedText
from commonground.text import sentences as split_sentences

Floats = NDArray[np.float32]

MODEL = "reader"
"""The name of the weights in the manifest."""

NEAR = 0.05
"""A sentence whose nearest sentence in a long text is less similar than this is not read."""

EVIDENCE = 0.3
"""Sentences from this probability on are shown as evidence, the best one always."""

_AT_ONCE = 256  # sentences between two writes to the cache
_MOST_SHOWN = 4
_ABSENT = (0.0, 0.0, 0.0, 1.0)


class Reader:
    """Reads sentences against a text, word by word.

    Args:
        encoder: Finds the nearest sentences of long texts: a name or an encoder.
        cache: Keep answers on disk, as vectors are.
        threads: Threads to use at most (default: all cores).
        device: `cpu`, `cuda`, `cuda:1` (default: the setting, else `cpu`).

    Example:
        >>> (found,) = Reader().read(["The dam broke at night."], "Rain fell. Then the dam burst.")
        >>> found.label
        'partly'
        >>> [word.text for word in found.words if word.support > 0.5]
        ['The', 'dam', 'broke']
    """

    def __init__(
        self,
        encoder: str | Encoder = encoders.DEFAULT,
        *,
        cache: bool = True,
        threads: int | None = None,
        device: str | None = None,
    ) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads must be at least 1, not {threads}")
        self.device = encoders.check_device(device or _settings.setting("device") or "cpu")
        located = models.locate(MODEL)
        self.fingerprint = located.fingerprint
        self.encoder = encoders.load(encoder) if isinstance(encoder, str) else encoder
        self._threads = _settings.thread_count() if threads is None else threads
        self._network = _open(located, self.device)
        self._calibration = shipped()
        self._use_cache = cache
        self._cache = self._open_cache() if cache and self.device == "cpu" else None

    def __reduce__(self) -> tuple[object, ...]:
        # A worker process loads the weights from their file; they never travel.
        make = partial(Reader, cache=self._use_cache, threads=self._threads, device=self.device)
        return make, (self.encoder,)

    def __repr__(self) -> str:
        return f"<reader {self.fingerprint[:8]} on {self.device}>"

    def prepare(self, text: str | Sequence[str] | PreparedText) -> PreparedText:
        """Split a text, or take a list of sentences as given, so that it can be read against.

        A prepared text keeps what the network made of it for the next call of `read`.
        """
        if isinstance(text, PreparedText):
            return text
        prepared = PreparedText(split_sentences(text))
        language.warn_unless_english(prepared.sentences)
        return prepared

    def read(
        self, sentences: Sequence[str], text: str | Sequence[str] | PreparedText
    ) -> list[Reading]:
        """Read each sentence against the text.

        Args:
            sentences: What may be stated; each is read by itself.
            text: A `str`, which is split; a list of sentences; or what `prepare` made.
        """
        if isinstance(sentences, str):
            raise InputError("sentences must be a list of texts, got one string; write [text]")
        prepared = self.prepare(text)
        vectors = self.encoder.encode(list(prepared.sentences))
        found: list[Reading] = []
        with self._pool() as pool:
            for start in range(0, len(sentences), _AT_ONCE):
                some = list(sentences[start : start + _AT_ONCE])
                cosines = self.encoder.encode(some) @ vectors.T
                found += self._read(some, prepared, cosines, pool)
        return found

    def _pool(self) -> "ThreadPoolExecutor | nullcontext[None]":
        parallel = self._threads > 1 and self.device == "cpu"
        return ThreadPoolExecutor(self._threads) if parallel else nullcontext()

    def _read(
        self, sentences: list[str], text: PreparedText, cosines: Floats, pool: Executor | None
    ) -> list[Reading]:
        near = [
            _near(text, row) if sentence.split() else []
            for sentence, row in zip(sentences, cosines, strict=True)
        ]
        keys = [
            f"{' '.join(sentence.split())}\x1e{text.context(places)}" if places else ""
            for sentence, places in zip(sentences, near, strict=True)
        ]
        known = self._cache.get([key for key in keys if key]) if self._cache else {}
        missing = [n for n, key in enumerate(keys) if key and key not in known]
        text.encode(self._network, [place for n in missing for place in near[n]], pool)

        def work(number: int) -> Floats:
            return raw_answer(self._network, sentences[number], text, near[number])

        rows = list(pool.map(work, missing) if pool else map(work, missing))
        if self._cache and missing:
            self._cache.put([keys[n] for n in missing], rows)
        raw = {**known, **{keys[n]: row for n, row in zip(missing, rows, strict=True)}}
        return [
            self._reading(sentence, raw.get(key), row)
            for sentence, key, row in zip(sentences, keys, cosines, strict=True)
        ]

    def _reading(self, sentence: str, raw: Floats | None, cosines: Floats) -> Reading:
        spans = pieces_of(sentence).spans
        if raw is None or not len(raw):  # nothing is near, or nothing can be read
            words = tuple(Word(sentence[start:end], start, end, 0.0, 0.0) for start, end in spans)
            return Reading(sentence, *_ABSENT, words, ())
        values = raw.astype(np.float64)
        # Rounded, since the last digits of a cosine depend on the machine.
        near = np.asarray(np.round(cosines, 5), dtype=np.float64)
        label = self._calibration.label(features(values[:4], values[4:], float(near.max())))
        support = self._calibration.support(values[4:], label)
        part = self._calibration.part(values[4:])
        words = tuple(
            Word(sentence[start:end], start, end, *map(float, pair))
            for (start, end), *pair in zip(spans, support, part, strict=True)
        )
        stated, partly, contradicted, absent = label.tolist()
        shown = () if absent == label.max() else _shown(self._calibration.shown(near))
        return Reading(sentence, stated, partly, contradicted, absent, words, shown)

    def _open_cache(self) -> VectorCache | None:
        limit = _settings.vector_cache_bytes()
        if limit == 0:
            return None
        folder = _settings.cache_folder() / "vectors"
        return VectorCache(
            folder, f"reader-1-{self._network.version}-{self.fingerprint[:16]}", None, limit
        )


def _open(located: models.Located, device: str) -> Network:
    path = located.paths["reader.onnx"]
    if device == "cpu":
        return OnnxNetwork(path)
    from commonground.reader.torch_network import TorchNetwork  # torch is an extra

    return TorchNetwork(path, device)


def raw_answer(network: Network, sentence: str, text: PreparedText, near: Sequence[int]) -> Floats:
    """Four class logits and one logit for each word, in one row."""
    pieces = pieces_of(sentence)
    past = text.past(near)
    words, counts = np.zeros(len(pieces.spans)), np.zeros(len(pieces.spans))
    classes = []
    for ids, own in pieces.windows():
        answer = network.read(ids, past)
        np.add.at(words, own, answer.pieces)
        np.add.at(counts, own, 1)
        classes.append(answer.classes)
    if not classes:  # a sentence of control characters
        return np.zeros(0, dtype=np.float32)
    fill = words.sum() / counts.sum()  # for a word without pieces
    words = np.where(counts > 0, words / np.maximum(counts, 1), fill)
    return np.concatenate([_joined(classes), words]).astype(np.float32)


def _near(text: PreparedText, cosines: Floats) -> list[int]:
    """The sentences of the text that a sentence is read against; none if none is near."""
    if fits(text.sizes):
        return [place for place, size in enumerate(text.sizes) if size]
    near = nearest(cosines, text.sizes)
    return [place for place in near if text.sizes[place]] if cosines[near[0]] >= NEAR else []


def _shown(chances: NDArray[np.float64]) -> tuple[Shown, ...]:
    """The sentences that are likely evidence, best first; the best one always."""
    order = np.argsort(-chances, kind="stable")
    return tuple(
        Shown(int(place), float(chances[place]))
        for rank, place in enumerate(order[:_MOST_SHOWN])
        if rank == 0 or chances[place] >= EVIDENCE
    )


def _joined(classes: Sequence[Floats]) -> Floats:
    """The logits of a sentence read in parts: stated if every part is, contradicted if one is."""
    if len(classes) == 1:
        return classes[0]
    rows = np.array(classes)
    stated, partly, contradicted, absent = (rows - rows.mean(axis=1, keepdims=True)).T
    joined = [stated.min(), partly.max(), contradicted.max(), absent.min()]
    return np.array(joined, dtype=np.float32)
