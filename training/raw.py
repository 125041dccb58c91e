"""Raw answers out of fold, in one file without any text."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What a fold's student says of one sentence.

    Attributes:
        key: Source, event, and narrative.sentence.other (or document.unit.system).
        fold: The fold that was held out; -1 where the shipped model was never trained on it.
        classes: Four logits.
        words: One for each word.
        cosines: Of the sentence with each sentence of the text.
    """

    key: str
    fold: int
    classes: np.ndarray
    words: np.ndarray
    cosines: np.ndarray


def save_raw(path: Path, rows: list[Raw]) -> None:
    """Write the answers, in half precision."""
    np.savez_compressed(
        path,
        keys=np.array([row.key for row in rows]),
        folds=np.array([row.fold for row in rows], dtype=np.int8),
        classes=np.array([row.classes for row in rows], dtype=np.float16),
        word_counts=np.array([len(row.words) for row in rows], dtype=np.int16),
        words=np.concatenate([row.words for row in rows]).astype(np.float16),
        cosine_counts=np.array([len(row.cosines) for row in rows], dtype=np.int16),
        cosines=np.concatenate([row.cosines for row in rows]).astype(np.float16),
    )


def load_raw(path: Path) -> dict[str, Raw]:
    """Read the answers, by key."""
    with np.load(path) as data:
        words = np.split(data["words"].astype(float), np.cumsum(data["word_counts"])[:-1])
        cuts = np.cumsum(data["cosine_counts"])[:-1]
        cosines = np.split(data["cosines"].astype(float), cuts)
        classes = data["classes"].astype(float)
        parts = zip(data["keys"], data["folds"], classes, words, cosines, strict=True)
        return {str(part[0]): Raw(str(part[0]), int(part[1]), *part[2:]) for part in parts}
