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
from commonground.reader.calibration import Calibration, shipped
from commonground.reader.nearest import fits, nearest
from commonground.reader.network import Network, OnnxNetwork
from commonground.reader.pieces import pieces_of
from commonground.reader.result import Reading, Shown, Word
from commonground.reader.text import PreparedText
from commonground.text import sentences as split_sentences

MODEL = "reader"
"""The name of the weights in the manifest."""

NEAR = 0.05
"""A sentence whose nearest sentence in a long text is less similar than this is not read."""

EVIDENCE = 0.3
"""Sentences from this probability on are shown as evidence, the best one always."""

_AT_ONCE = 256  # sentences between two writes to the cache
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
        self._encoder = encoder
        self._threads = _settings.thread_count() if threads is None else threads
        self._network = _open(located, self.device)
        self._calibration = shipped()
        self._use_cache = cache
        self._cache = self._open_cache() if cache and self.device == "cpu" else None

    def __reduce__(self) -> tuple[object, ...]:
        # A worker process loads the weights from their file; they never travel.
        make = partial(
            Reader, cache=self._use_cache, threads=self._threads, device=self.device
        )
        return make, (self._encoder,)

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
        near = self._near(sentences, prepared)
        found: list[Reading] = []
        with self._pool() as pool:
            for start in range(0, len(sentences), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                found += self._read(sentences[part], prepared, near[part], pool)
        return found

    def _pool(self) -> "ThreadPoolExecutor | nullcontext[None]":
        parallel = self._threads > 1 and self.device == "cpu"
        return ThreadPoolExecutor(self._threads) if parallel else nullcontext()

    def _near(self, sentences: Sequence[str], text: PreparedText) -> list[list[int]]:
        """For each sentence those of the text that it is read against; none if none is near."""
        worded = [place for place, size in enumerate(text.sizes) if size]
        if fits(text.sizes) or not worded:
            return [list(worded) if sentence.split() else [] for sentence in sentences]
        encoder = encoders.load(self._encoder) if isinstance(self._encoder, str) else self._encoder
        rows = encoder.encode(list(text.sentences))
        own = encoder.encode(list(sentences))
        found = []
        for sentence, vector in zip(sentences, own, strict=True):
            similar = rows @ vector
            near = nearest(similar, text.sizes) if sentence.split() else []
            reached = near and similar[near[0]] >= NEAR
            found.append([place for place in near if text.sizes[place]] if reached else [])
        return found

    def _read(
        self,
        sentences: Sequence[str],
        text: PreparedText,
        near: Sequence[list[int]],
        pool: Executor | None,
    ) -> list[Reading]:
        keys = [
            f"{' '.join(sentence.split())}\x1e{text.context(places)}" if places else ""
            for sentence, places in zip(sentences, near, strict=True)
        ]
        known = self._cache.get([key for key in keys if key]) if self._cache else {}
        missing = [n for n, key in enumerate(keys) if key and key not in known]
        text.encode(self._network, [p for n in missing for p in near[n]], pool)

        def work(number: int) -> NDArray[np.float32]:
            return raw_answer(self._network, sentences[number], text, near[number])

        rows = list(pool.map(work, missing) if pool else map(work, missing))
        if self._cache and missing:
            self._cache.put([keys[n] for n in missing], rows)
        raw = {**known, **{keys[n]: row for n, row in zip(missing, rows, strict=True)}}
        return [
            _reading(sentence, places, raw.get(key), self._calibration)
            for sentence, places, key in zip(sentences, near, keys, strict=True)
        ]

    def _open_cache(self) -> VectorCache | None:
        limit = _settings.vector_cache_bytes()
        if limit == 0:
            return None
        folder = _settings.cache_folder() / "vectors"
        return VectorCache(folder, f"reader-1-{self._network.version}-{self.fingerprint[:16]}", None, limit)


def _open(located: models.Located, device: str) -> Network:
    path = located.paths["reader.onnx"]
    if device == "cpu":
        return OnnxNetwork(path)
    from commonground.reader.torch_network import TorchNetwork  # torch is an extra

    return TorchNetwork(path, device)


def raw_answer(
    network: Network, sentence: str, text: PreparedText, near: Sequence[int]
) -> NDArray[np.float32]:
    """Four class logits, one for each word, one for each near sentence; in one row for the cache."""
    pieces = pieces_of(sentence)
    past = text.past(near)
    evidence = np.array([text.evidence(place) for place in sorted(near)])
    words = np.zeros(len(pieces.spans))
    counts = np.zeros(len(pieces.spans))
    classes, shown = [], []
    for ids, own in pieces.windows():
        answer = network.read(ids, past)
        np.add.at(words, own, answer.pieces)
        np.add.at(counts, own, 1)
        classes.append(answer.classes)
        shown.append(evidence @ answer.query)
    if not classes:  # a sentence of control characters
        return np.zeros(0, dtype=np.float32)
    fill = words.sum() / counts.sum()
    words = np.where(counts > 0, words / np.maximum(counts, 1), fill)
    return np.concatenate([_joined(classes), words, np.max(shown, axis=0)]).astype(np.float32)


def _joined(classes: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The logits of a sentence read in parts: stated if every part is, contradicted if one is."""
    if len(classes) == 1:
        return classes[0]
    rows = np.array(classes)
    centred = rows - rows.mean(axis=1, keepdims=True)
    stated, partly, contradicted, absent = centred.T
    return np.array([stated.min(), partly.max(), contradicted.max(), absent.min()], dtype=np.float32)


def _reading(
    sentence: str,
    near: Sequence[int],
    raw: NDArray[np.float32] | None,
    calibration: Calibration,
) -> Reading:
    spans = pieces_of(sentence).spans
    if raw is None or not len(raw):
        words = tuple(Word(sentence[start:end], start, end, 0.0) for start, end in spans)
        return Reading(sentence, *_ABSENT, words, ())
    values = raw.astype(np.float64)
    classes = calibration.classes(values[:4])
    support = calibration.words(values[4 : 4 + len(spans)], classes)
    words = tuple(
        Word(sentence[start:end], start, end, float(one))
        for (start, end), one in zip(spans, support, strict=True)
    )
    chances = calibration.shown(values[4 + len(spans) :])
    order = sorted(zip(chances.tolist(), sorted(near), strict=True), key=lambda p: (-p[0], p[1]))
    shown = [Shown(place, chance) for chance, place in order if chance >= EVIDENCE]
    absent = int(classes.argmax()) == 3  # noqa: PLR2004
    best = [] if absent else [Shown(order[0][1], order[0][0])]
    stated, partly, contradicted, missing = classes.tolist()
    return Reading(
        sentence, stated, partly, contradicted, missing, words, tuple(() if absent else shown or best)
    )
