"""`wtmf`: sentence vectors by weighted matrix factorisation of your own corpus."""

import json
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from commonground.encoders.base import BaseEncoder, Vectors, readable_text
from commonground.errors import InputError, ModelError

Matrix = NDArray[np.float64]

_NUMBERS_AT_ONCE = 400_000  # gathered for one step; ten times as many take twice as long


class Ridge:
    """Weighted ridge regression of many sparse rows on one matrix of factors.

    For a sparse row x it finds the v that minimises
    sum_i w_i (f_i . v - x_i)^2 + regularisation |v|^2, where f_i is row i of the factors and
    w_i is 1 where x_i is stored, `missing_weight` elsewhere.

    With A = missing_weight F'F + regularisation I, which all rows share, c = 1 - missing_weight
    and s the stored cells, the solution (A + c F_s'F_s)^-1 F_s'x_s equals
    A^-1 F_s' (I + c F_s A^-1 F_s')^-1 x_s: the system has the length of the row, so a sentence of
    ten words costs 10 x 10 and not 100 x 100.
    """

    def __init__(self, factors: Matrix, missing_weight: float, regularisation: float) -> None:
        dimension = factors.shape[1]
        self._factors = factors
        self._rest = 1 - missing_weight
        self._shared = missing_weight * factors.T @ factors + regularisation * np.eye(dimension)
        self._bent: Matrix = np.ascontiguousarray(np.linalg.solve(self._shared, factors.T).T)

    def solve(self, rows: csr_array) -> Matrix:
        """Return the solution for each row; zeros for a row without stored cells."""
        dimension = self._factors.shape[1]
        lengths = np.diff(rows.indptr)
        solved = np.zeros((len(lengths), dimension))
        for length in np.unique(lengths[lengths > 0]):
            indices = np.flatnonzero(lengths == length)
            size = max(1, _NUMBERS_AT_ONCE // (int(length) * dimension))
            for start in range(0, len(indices), size):
                batch = indices[start : start + size]
                cells = rows.indptr[batch][:, None] + np.arange(length)
                solved[batch] = self._equally_long(rows.indices[cells], rows.data[cells])
        return solved

    def _equally_long(self, columns: NDArray[np.integer], values: Matrix) -> Matrix:
        stored, wanted = self._factors[columns], values[..., None]
        length, dimension = stored.shape[1:]
        if length < dimension:
            bent = self._bent[columns]
            inner = np.eye(length) + self._rest * stored @ bent.swapaxes(1, 2)
            solved = bent.swapaxes(1, 2) @ np.linalg.solve(inner, wanted)
        else:
            across = stored.swapaxes(1, 2)
            solved = np.linalg.solve(self._shared + self._rest * across @ stored, across @ wanted)
        vectors: Matrix = solved[..., 0]
        return vectors


ENOUGH_SENTENCES = 100_000
DESCRIPTION = "wtmf.json"
_WEIGHTS = "wtmf.safetensors"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters of a factorisation; see `Wtmf.fit`."""

    dimension: int
    missing_weight: float
    regularisation: float
    iterations: int
    min_count: int
    seed: int

    def __post_init__(self) -> None:
        for key, least in (("dimension", 1), ("iterations", 1), ("min_count", 1), ("seed", 0)):
            value = getattr(self, key)
            if not isinstance(value, int) or value < least:
                raise InputError(f"wtmf: {key} must be a whole number from {least}, not {value!r}")
        for key, most in (("missing_weight", 1.0), ("regularisation", np.inf)):
            value = getattr(self, key)
            if not isinstance(value, int | float) or not 0 < value <= most:
                raise InputError(f"wtmf: {key} must be above 0, at most {most:g}, not {value!r}")


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """The result of a fit, as saved to a folder."""

    settings: Settings
    sentences: int
    vocabulary: Mapping[str, int]  # forms of one stem share a column
    idf: NDArray[np.float64]
    factors: Vectors

    def fingerprint(self) -> str:
        words = sorted(self.vocabulary.items())
        content = [asdict(self.settings), self.sentences, self.factors.shape, words]
        digest = sha256(json.dumps(content).encode())
        digest.update(self.idf.astype("<f8").tobytes())
        digest.update(self.factors.astype("<f4").tobytes())
        return digest.hexdigest()


class Wtmf(BaseEncoder):
    """Weighted matrix factorisation (Guo and Diab 2012), fitted on your own corpus.

    The words x sentences matrix of tf-idf values is factorised so that the vector of a sentence
    predicts its words and, with a small weight, the absence of all others. The vector of a new
    text is the best fit to the fixed vectors of the words.

    With fewer than 100,000 sentences the name is `wtmf-untrained`, in every table and signature.

    Example:
        >>> encoder = Wtmf.fit(["Rain fell.", "Snow fell on the hill."], min_count=1)
        >>> encoder.name
        'wtmf-untrained'
        >>> encoder.encode(["Snow fell."]).shape
        (1, 100)
    """

    cached = False

    def __init__(self, fitted: _Fitted) -> None:
        name = "wtmf" if fitted.sentences >= ENOUGH_SENTENCES else "wtmf-untrained"
        dimension = fitted.settings.dimension
        super().__init__(name, fitted.fingerprint(), dimension, cache=False, threads=1)
        self._fitted = fitted
        factors = fitted.factors.astype(np.float64)
        with threadpool_limits(1, user_api="blas"):  # equal bits on any number of cores
            self._ridge = _ridge(factors, fitted.settings)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return type(self), (self._fitted,)

    @property
    def sentences(self) -> int:
        """The number of sentences of the corpus."""
        return self._fitted.sentences

    @classmethod
    def fit(
        cls,
        corpus: Iterable[str],
        dimension: int = 100,
        *,
        missing_weight: float = 0.01,
        regularisation: float = 20.0,
        iterations: int = 20,
        min_count: int = 2,
        seed: int = 0,
        stem: Callable[[str], str] | None = None,
    ) -> Self:
        """Fit on sentences; their order makes no difference.

        Args:
            corpus: The sentences; those without a word are ignored.
            dimension: The length of a vector.
            missing_weight: The weight of an absent word; that of a present word is 1.
            regularisation: The weight of the squared lengths of all vectors (lambda).
            iterations: Rounds of alternating least squares.
            min_count: Minimum number of sentences that contain a word.
            seed: Seed of the random start.
            stem: Maps a lower-case word to its stem. Used only here: the saved vocabulary maps
                each word of the corpus to the column of its stem.
        """
        settings = Settings(dimension, missing_weight, regularisation, iterations, min_count, seed)
        bags = _bags(corpus)
        vocabulary, idf = _vocabulary(bags, settings.min_count, stem)
        rows = _rows(bags, vocabulary, idf)
        rows = rows[np.diff(rows.indptr) > 0]
        if rows.nnz == 0:
            raise InputError(
                f"wtmf: no word is in {min_count} or more, but not all, of the {len(bags)} "
                "sentences; use a larger corpus or a smaller min_count"
            )
        with threadpool_limits(1, user_api="blas"):
            factors = factorise(rows, settings)
        return cls(_Fitted(settings, len(bags), vocabulary, idf, factors.astype(np.float32)))

    def save(self, folder: str | Path) -> None:
        """Write `wtmf.json` and `wtmf.safetensors` to a folder, created if necessary."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        fitted = self._fitted
        description = {
            "settings": asdict(fitted.settings),
            "sentences": fitted.sentences,
            "fingerprint": self.fingerprint,
            "vocabulary": fitted.vocabulary,
        }
        save_file({"idf": fitted.idf, "factors": fitted.factors}, folder / _WEIGHTS)
        text = json.dumps(description, ensure_ascii=False, indent=0)
        (folder / DESCRIPTION).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Load a saved encoder; raise ModelError if a file is missing or was changed."""
        folder = Path(folder)
        try:
            text = (folder / DESCRIPTION).read_text(encoding="utf-8")
            arrays = load_file(folder / _WEIGHTS)
            description = json.loads(text)
            fitted = _read(description, arrays)
            intact = fitted.fingerprint() == description["fingerprint"]
        except FileNotFoundError as error:
            missing = Path(error.filename or folder / _WEIGHTS).name
            raise ModelError(f"{folder}: no {missing} there; save a fitted Wtmf first") from None
        except (OSError, SafetensorError, InputError, *_MALFORMED) as error:
            raise ModelError(
                f"{folder}: not a saved Wtmf ({error}); fit and save it anew"
            ) from None
        if not intact:
            raise ModelError(f"{folder}: its files are damaged or were changed; save it anew")
        return cls(fitted)

    def _encode_unique(self, texts: list[str]) -> Vectors:
        rows = _rows([_bag(text) for text in texts], self._fitted.vocabulary, self._fitted.idf)
        with threadpool_limits(1, user_api="blas"):
            return self._ridge.solve(rows).astype(np.float32)


_MALFORMED = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)


def factorise(rows: csr_array, settings: Settings) -> NDArray[np.float64]:
    """Return the word vectors, by alternating least squares from a random start.

    `rows` is sentences x words.
    """
    columns = csr_array(rows.T)
    shape = (columns.shape[0], settings.dimension)
    words: NDArray[np.float64] = np.random.default_rng(settings.seed).standard_normal(shape)
    for _ in range(settings.iterations):
        sentences = _ridge(words, settings).solve(rows)
        words = _ridge(sentences, settings).solve(columns)
    return words


def _ridge(factors: NDArray[np.float64], settings: Settings) -> Ridge:
    return Ridge(factors, settings.missing_weight, settings.regularisation)


def _bags(corpus: Iterable[str]) -> list[Counter[str]]:
    if not isinstance(corpus, Iterable):
        raise InputError(f"wtmf: a corpus is a list of sentences, not {type(corpus).__name__}")
    if isinstance(corpus, str):
        raise InputError("wtmf: a corpus is a list of sentences, got one string")
    bags = [_bag(readable_text(text, number)) for number, text in enumerate(corpus)]
    # Sorted, because the rounding of sums depends on the order.
    return sorted((bag for bag in bags if bag), key=lambda bag: sorted(bag.items()))


def _bag(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _vocabulary(
    bags: Sequence[Counter[str]], min_count: int, stem: Callable[[str], str] | None
) -> tuple[dict[str, int], NDArray[np.float64]]:
    """Return the column of each word and the idf of each column."""
    forms = sorted({word for bag in bags for word in bag})
    stems = {word: stem(word) if stem else word for word in forms}
    counts = Counter(common for bag in bags for common in {stems[word] for word in bag})
    # A word of every sentence has an idf of 0.
    kept = sorted(word for word, count in counts.items() if min_count <= count < len(bags))
    columns = {word: column for column, word in enumerate(kept)}
    idf = np.log(len(bags) / np.array([counts[word] for word in kept], dtype=np.float64))
    return {word: columns[common] for word, common in stems.items() if common in columns}, idf


def _rows(
    bags: Sequence[Counter[str]], vocabulary: Mapping[str, int], idf: NDArray[np.float64]
) -> csr_array:
    """Return the tf-idf matrix, texts x columns."""
    columns, counts, ends = array("q"), array("q"), array("q", [0])
    for bag in bags:
        for word, count in bag.items():
            if word in vocabulary:
                columns.append(vocabulary[word])
                counts.append(count)
        ends.append(len(columns))
    stored = tuple(np.array(part, dtype=np.int64) for part in (counts, columns, ends))
    rows = csr_array(stored, shape=(len(bags), len(idf)))
    rows.sum_duplicates()  # forms of one stem
    return csr_array((rows.data * idf[rows.indices], rows.indices, rows.indptr), shape=rows.shape)


def _read(description: Any, arrays: Mapping[str, NDArray[Any]]) -> _Fitted:
    known = {field.name for field in fields(Settings)}
    settings = Settings(**{key: description["settings"][key] for key in sorted(known)})
    vocabulary = {str(word): int(column) for word, column in description["vocabulary"].items()}
    return _Fitted(
        settings, int(description["sentences"]), vocabulary, arrays["idf"], arrays["factors"]
    )
