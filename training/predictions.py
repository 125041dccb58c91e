"""What a network says of claims: kept, averaged over networks, and used as targets."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from training.batches import Batch


class Predictions:
    """Probabilities by claim number: four classes, words, and sentences that show the claim.

    Attributes:
        classes: Claims x 4; NaN where nothing was predicted.
        words: For each claim one for each word, or None.
        pairs: For each claim the sentences it was read against, and a probability for each.
    """

    def __init__(self, classes: np.ndarray, words: list, pairs: list) -> None:
        self.classes = classes
        self.words = words
        self.pairs = pairs

    @classmethod
    def empty(cls, count: int) -> "Predictions":
        return cls(np.full((count, 4), np.nan, dtype=np.float32), [None] * count, [None] * count)

    def add(
        self,
        batch: "Batch",
        classes: np.ndarray,
        words: np.ndarray,
        pairs: np.ndarray,
        places: np.ndarray,
    ) -> None:
        """Take the answers to one batch; `places` are the sentences of its pairs."""
        numbers = batch.numbers.numpy()
        self.classes[numbers] = classes
        word_ends = np.searchsorted(batch.claim_of_word.numpy(), np.arange(len(numbers) + 1))
        pair_ends = np.searchsorted(batch.pair_claim.numpy(), np.arange(len(numbers) + 1))
        for row, number in enumerate(numbers):
            self.words[number] = words[word_ends[row] : word_ends[row + 1]].astype(np.float16)
            own = slice(pair_ends[row], pair_ends[row + 1])
            self.pairs[number] = places[own].astype(np.int16), pairs[own].astype(np.float16)

    def for_batch(self, batch: "Batch") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Targets in the order of a batch: classes, words, pairs."""
        numbers = batch.numbers.numpy()
        counts = np.bincount(batch.claim_of_word.numpy(), minlength=len(numbers))
        words = [
            _of_length(self.words[number], count)
            for number, count in zip(numbers, counts, strict=True)
        ]
        pair_counts = np.bincount(batch.pair_claim.numpy(), minlength=len(numbers))
        pairs = [
            _of_length(self.pairs[number][1], count)
            for number, count in zip(numbers, pair_counts, strict=True)
        ]
        return self.classes[numbers], np.concatenate(words), np.concatenate(pairs)

    @classmethod
    def mean(cls, many: Sequence["Predictions"], places: Sequence[tuple[int, ...]]) -> "Predictions":
        """The mean of several networks; pairs are brought into the order of `places`."""
        found = cls(np.mean([one.classes for one in many], axis=0), [], [])
        for number, near in enumerate(places):
            if np.isnan(found.classes[number]).any():
                found.words.append(None)
                found.pairs.append(None)
                continue
            parts = [one.words[number] for one in many]
            longest = max(map(len, parts))
            found.words.append(np.mean([_of_length(part, longest) for part in parts], axis=0))
            ordered = sorted(near)
            rows = []
            for one in many:
                known = dict(zip(*one.pairs[number], strict=True))
                rows.append([known.get(place, 0.0) for place in ordered])
            found.pairs.append((np.array(ordered), np.mean(rows, axis=0).astype(np.float32)))
        return found

    def save(self, path: Path) -> None:
        """Write those that are known as one npz file."""
        numbers = np.flatnonzero(~np.isnan(self.classes).any(axis=1))
        words = [self.words[number] for number in numbers]
        pairs = [self.pairs[number] for number in numbers]
        np.savez_compressed(
            path,
            count=len(self.classes),
            numbers=numbers,
            classes=self.classes[numbers].astype(np.float16),
            word_counts=[len(part) for part in words],
            words=np.concatenate(words).astype(np.float16),
            pair_counts=[len(part[0]) for part in pairs],
            places=np.concatenate([part[0] for part in pairs]).astype(np.int16),
            pairs=np.concatenate([part[1] for part in pairs]).astype(np.float16),
        )

    @classmethod
    def load(cls, path: Path) -> "Predictions":
        """Read what `save` wrote."""
        with np.load(path) as data:
            found = cls.empty(int(data["count"]))
            numbers = data["numbers"]
            found.classes[numbers] = data["classes"]
            words = np.split(data["words"], np.cumsum(data["word_counts"])[:-1])
            cuts = np.cumsum(data["pair_counts"])[:-1]
            places, pairs = np.split(data["places"], cuts), np.split(data["pairs"], cuts)
        for row, number in enumerate(numbers):
            found.words[number] = words[row]
            found.pairs[number] = places[row], pairs[row]
        return found


def _of_length(part: np.ndarray, count: int) -> np.ndarray:
    """The first values; a claim that was cut for one tokenizer is filled up with the mean."""
    part = np.asarray(part, dtype=np.float32)[:count]
    fill = float(part.mean()) if len(part) else 0.5
    return np.concatenate([part, np.full(count - len(part), fill, dtype=np.float32)])
