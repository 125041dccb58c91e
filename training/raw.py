"""Raw answers out of fold, in one file without any text."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What a fold's student says of one sentence: logits of classes, words and evidence.

    Attributes:
        key: Source, event, and narrative.sentence.other (or document.unit.system).
        fold: The fold that was held out.
        classes: Four logits.
        words: One for each word.
        pairs: One for each sentence in `places`.
        places: The sentences of the text that were read.
    """

    key: str
    fold: int
    classes: np.ndarray
    words: np.ndarray
    pairs: np.ndarray
    places: np.ndarray


def save_raw(path: Path, rows: list[Raw]) -> None:
    """Write the answers, in half precision."""
    np.savez_compressed(
        path,
        keys=np.array([row.key for row in rows]),
        folds=np.array([row.fold for row in rows], dtype=np.int8),
        classes=np.array([row.classes for row in rows], dtype=np.float16),
        word_counts=np.array([len(row.words) for row in rows], dtype=np.int16),
        words=np.concatenate([row.words for row in rows]).astype(np.float16),
        pair_counts=np.array([len(row.pairs) for row in rows], dtype=np.int16),
        pairs=np.concatenate([row.pairs for row in rows]).astype(np.float16),
        places=np.concatenate([row.places for row in rows]).astype(np.int16),
    )


def load_raw(path: Path) -> dict[str, Raw]:
    """Read the answers, by key."""
    with np.load(path) as data:
        words = np.split(data["words"].astype(float), np.cumsum(data["word_counts"])[:-1])
        cuts = np.cumsum(data["pair_counts"])[:-1]
        pairs, places = np.split(data["pairs"].astype(float), cuts), np.split(data["places"], cuts)
        parts = zip(
            data["keys"], data["folds"], data["classes"].astype(float), words, pairs, places,
            strict=True,
        )  # fmt: skip
        return {str(part[0]): Raw(str(part[0]), int(part[1]), *part[2:]) for part in parts}
