"""What a network says of claims: kept, averaged over networks, and used as targets."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from training.batches import Batch


class Predictions:
    """Probabilities by claim number.

    Attributes:
        classes: Claims x 4; NaN where nothing was predicted.
        words: For each claim one for each word, or None.
    """

    def __init__(self, classes: np.ndarray, words: list[np.ndarray | None]) -> None:
        self.classes = classes
        self.words = words

    @classmethod
    def empty(cls, count: int) -> "Predictions":
        """Nothing predicted yet."""
        return cls(np.full((count, 4), np.nan, dtype=np.float32), [None] * count)

    def add(self, batch: "Batch", classes: np.ndarray, words: np.ndarray) -> None:
        """Take the answers to one batch."""
        numbers = batch.numbers.numpy()
        self.classes[numbers] = classes
        ends = np.searchsorted(batch.claim_of_word.numpy(), np.arange(len(numbers) + 1))
        for row, number in enumerate(numbers):
            self.words[number] = words[ends[row] : ends[row + 1]].astype(np.float16)

    def for_batch(self, batch: "Batch") -> tuple[np.ndarray, np.ndarray]:
        """Targets in the order of a batch: classes and words."""
        numbers = batch.numbers.numpy()
        counts = np.bincount(batch.claim_of_word.numpy(), minlength=len(numbers))
        words = [
            _of_length(self.words[number], count)
            for number, count in zip(numbers, counts, strict=True)
        ]
        return self.classes[numbers], np.concatenate(words)

    @classmethod
    def mean(cls, many: Sequence["Predictions"]) -> "Predictions":
        """The mean of several networks."""
        found = cls(np.mean([one.classes for one in many], axis=0), [])
        for number in range(len(found.classes)):
            parts = [one.words[number] for one in many]
            longest = max((len(part) for part in parts if part is not None), default=0)
            whole = [_of_length(part, longest) for part in parts if part is not None]
            found.words.append(np.mean(whole, axis=0) if len(whole) == len(many) else None)
        return found

    def save(self, path: Path) -> None:
        """Write those that are known as one npz file."""
        numbers = np.flatnonzero(~np.isnan(self.classes).any(axis=1))
        words = [np.asarray(self.words[number]) for number in numbers]
        np.savez_compressed(
            path,
            count=len(self.classes),
            numbers=numbers,
            classes=self.classes[numbers].astype(np.float16),
            word_counts=[len(part) for part in words],
            words=np.concatenate(words).astype(np.float16),
        )

    @classmethod
    def load(cls, path: Path) -> "Predictions":
        """Read what `save` wrote."""
        with np.load(path) as data:
            found = cls.empty(int(data["count"]))
            numbers = data["numbers"]
            found.classes[numbers] = data["classes"]
            words = np.split(data["words"], np.cumsum(data["word_counts"])[:-1])
        for row, number in enumerate(numbers):
            found.words[number] = words[row]
        return found


def _of_length(part: np.ndarray | None, count: int) -> np.ndarray:
    """The first values; a claim that was cut for one tokenizer is filled up with the mean."""
    known = np.asarray([] if part is None else part, dtype=np.float32)[:count]
    fill = float(known.mean()) if len(known) else 0.5
    return np.concatenate([known, np.full(count - len(known), fill, dtype=np.float32)])
