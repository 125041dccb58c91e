"""`sif`: a text's static token vectors, the rarer the heavier, without what all texts share."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from commonground.encoders.protocol import Vectors
from commonground.encoders.static import StaticEncoder
from commonground.errors import ModelError

_SMOOTHING = 1e-3  # the `a` of Arora, Liang and Ma (2017)
_NOT_LEARNT = re.compile(r"<(unk|/?s|0x[0-9A-F]{2})>")  # markers and raw bytes
_COMPONENT = "data/sif-component.json"


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """The direction that all texts share: a unit vector, and a hash of it and its table."""

    direction: Vectors
    fingerprint: str


class SifEncoder(StaticEncoder):
    """Smooth inverse frequency (Arora, Liang and Ma 2017) over the table of `static`.

    A token weighs a / (a + p), where p is its frequency and a is 0.001; of the weighted mean the
    part along one direction, the first component of many texts' means, is left out. The
    direction is fixed: fitted once, it comes with the package (`data/sif-component.json`).

    Weighing and leaving out are both linear, so they are done to the table, once, and the rest
    is `static`.
    """

    def __init__(
        self,
        name: str,
        component: Component,
        weights: Path,
        tokenizer: Path,
        *,
        cache: bool = True,
        threads: int | None = None,
    ) -> None:
        super().__init__(
            name, component.fingerprint, weights, tokenizer, cache=cache, threads=threads
        )
        weighted = weigh(self._table, frequencies(self._tokenizer))
        self._table = leave_out(weighted, component.direction)


def weigh(table: Vectors, frequency: NDArray[np.float64]) -> Vectors:
    """The token vectors, each times its weight."""
    weights = _SMOOTHING / (_SMOOTHING + frequency)
    return (table * weights[:, None]).astype(np.float32)


def leave_out(vectors: Vectors, direction: Vectors) -> Vectors:
    """The vectors without their part along a direction of length 1."""
    return vectors - np.outer(vectors @ direction, direction)


def frequencies(tokenizer: Tokenizer) -> NDArray[np.float64]:
    """Each token's share of running text, by Zipf's law, from the order of the vocabulary.

    The tokenizer learnt its pieces by merging the most frequent pair first, so a piece's number
    tells its rank; the single characters follow in a series of their own, the most frequent
    first. The k-th of either series has a share proportional to 1/k. What was not learnt
    (markers, raw bytes) counts as never seen.
    """
    tokens = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    single = np.array([len(token) == 1 for token, _ in tokens])
    learnt = np.array([not _NOT_LEARNT.fullmatch(token) for token, _ in tokens])
    shares = np.zeros(len(tokens))
    for series in (learnt & single, learnt & ~single):
        shares[series] = 1 / np.arange(1, series.sum() + 1)
    frequency: NDArray[np.float64] = shares / shares.sum()
    return frequency


def read_component(table_fingerprint: str) -> Component:
    """The direction fitted for the table with this fingerprint."""
    text = resources.files(__package__).joinpath(_COMPONENT).read_text(encoding="utf-8")
    found = json.loads(text)
    if found["table"] != table_fingerprint:
        raise ModelError(f"sif was fitted on the table {found['table'][:8]}; run bench/fit_sif.py")
    direction = np.array(found["component"], dtype=np.float32)
    digest = sha256(table_fingerprint.encode() + direction.astype("<f4").tobytes())
    return Component(direction, digest.hexdigest())
