"""`wtmf-pyreval`: the matrices of WTMF that PyrEval ships, from a folder you have."""

import string
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat
from scipy.io.matlab import MatReadError
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from commonground.encoders.base import BaseEncoder, Vectors
from commonground.encoders.snowball import snowball
from commonground.encoders.wtmf import Ridge
from commonground.errors import ModelError

MODEL: Final = "model.mat"
_FILES: Final = ("vocab", "idf", MODEL)
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


class WtmfMatrices(BaseEncoder):
    """The word vectors of Guo and Diab (2012) in PyrEval's files.

    | file | what |
    |---|---|
    | `vocab` | lines of a Snowball stem, a tab and its number |
    | `idf` | lines of a number and its idf |
    | `model.mat` | `P` (dimensions x words; column n - 1 is word n), `w_m` and `lambda` |

    As in PyrEval, punctuation is removed, a word counts once, and unknown words are ignored.
    """

    cached = False

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        contents = {}
        for name in _FILES:
            try:
                contents[name] = (self._folder / name).read_bytes()
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise ModelError(f"{self._folder / name}: {reason}") from None
        try:
            columns = _columns(contents["vocab"])
            idf = {int(number): float(value) for number, value in _rows(contents["idf"], None)}
            model: dict[str, Any] = loadmat(self._folder / MODEL, variable_names=_NAMES)
            factors = np.asarray(model["P"], dtype=np.float64).T
            missing, regularisation = (float(model[name].item()) for name in _NAMES[1:])
        except (*_MALFORMED, KeyError) as error:
            raise ModelError(f"{self._folder}: not the matrices of PyrEval ({error})") from None
        self._idf: NDArray[np.float64] = np.zeros(len(factors))
        known = [number for number in idf if 1 <= number <= len(factors)]
        self._idf[np.array(known, dtype=int) - 1] = [idf[number] for number in known]
        usable = {number - 1 for number in known}
        self._columns = {stem: column for stem, column in columns.items() if column in usable}
        if not self._columns or not np.isfinite(factors).all():
            raise ModelError(f"{self._folder}: {MODEL} does not fit vocab and idf")
        digest = sha256(b"".join(sha256(contents[name]).digest() for name in _FILES)).hexdigest()
        super().__init__("wtmf-pyreval", digest, factors.shape[1], cache=False, threads=1)
        with threadpool_limits(1, user_api="blas"):  # equal bits on any number of cores
            self._ridge = Ridge(factors, missing, regularisation)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return type(self), (self._folder,)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        columns, ends = [], [0]
        for text in texts:
            stems = map(snowball, text.translate(_NO_PUNCTUATION).split())
            columns += sorted({self._columns[stem] for stem in stems if stem in self._columns})
            ends.append(len(columns))
        indices = np.array(columns, dtype=np.int64)
        rows = csr_array((self._idf[indices], indices, ends), shape=(len(texts), len(self._idf)))
        with threadpool_limits(1, user_api="blas"):
            return self._ridge.solve(rows).astype(np.float32)


_NAMES: Final = ("P", "w_m", "lambda")
_MALFORMED: Final = (ValueError, TypeError, AttributeError, NotImplementedError, MatReadError)


def _columns(content: bytes) -> dict[str, int]:
    """Return the column of each stem; the first entry stands for unknown words and has none."""
    rows = _rows(content, "\t")
    return {stem: int(number) - 1 for stem, number in rows if int(number) > 0}


def _rows(content: bytes, separator: str | None) -> list[tuple[str, str]]:
    lines = content.decode("utf-8", errors="replace").split("\n")
    pairs = [line.rstrip("\r").split(separator) for line in lines if line.strip()]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("a line of vocab or idf has not two columns")
    return [(first, second) for first, second in pairs]
