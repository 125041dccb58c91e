"""`sif`: static token vectors weighted by rarity, without the direction all texts share."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from commonground.encoders.base import Options
from commonground.encoders.protocol import Vectors
from commonground.encoders.static import StaticEncoder
from commonground.errors import ModelError

_SMOOTHING = 1e-3  # the `a` of Arora, Liang and Ma (2017)
_NOT_LEARNT = re.compile(r"<(unk|/?s|0x[0-9A-F]{2})>")  # markers and raw bytes
_COMPONENT = "data/sif-component.json"


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """The direction that all texts share: a unit vector, and the hash of it and its table."""

    direction: Vectors
    fingerprint: str


class SifEncoder(StaticEncoder):
    """Smooth inverse frequency (Arora, Liang and Ma 2017) over the table of `static`.

    A token has the weight a / (a + p), where p is its frequency and a is 0.001. The projection
    of the weighted mean on a fixed direction, the first component of the means of many texts, is
    removed; the direction is in `data/sif-component.json`. Both steps are linear, so they are
    applied once, to the table of `static`.
    """

    def __init__(
        self,
        name: str,
        component: Component,
        weights: Path,
        tokenizer: Path,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(name, component.fingerprint, weights, tokenizer, **options)
        weighted = weigh(self._table, frequencies(self._tokenizer))
        self._table = leave_out(weighted, component.direction)


def weigh(table: Vectors, frequency: NDArray[np.float64]) -> Vectors:
    """Multiply each token vector by its weight."""
    weights = _SMOOTHING / (_SMOOTHING + frequency)
    return (table * weights[:, None]).astype(np.float32)


def leave_out(vectors: Vectors, direction: Vectors) -> Vectors:
    """Remove the projection on a direction of length 1."""
    return vectors - np.outer(vectors @ direction, direction)


def frequencies(tokenizer: Tokenizer) -> NDArray[np.float64]:
    """Estimate each token's frequency by Zipf's law from the order of the vocabulary.

    The tokenizer learnt the most frequent pieces first, so the number of a piece is its rank;
    single characters follow in a series of their own. The k-th token of either series has a
    share proportional to 1/k; markers and raw bytes have none.
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
    """Return the direction fitted for the table with this fingerprint."""
    text = resources.files(__package__).joinpath(_COMPONENT).read_text(encoding="utf-8")
    data = json.loads(text)
    if data["table"] != table_fingerprint:
        raise ModelError(f"sif was fitted on the table {data['table'][:8]}; run bench/fit_sif.py")
    direction = np.array(data["component"], dtype=np.float32)
    digest = sha256(table_fingerprint.encode() + direction.astype("<f4").tobytes())
    return Component(direction, digest.hexdigest())
