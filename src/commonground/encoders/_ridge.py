"""Ridge regressions of sparse rows, where a cell that is not stored counts a little, as zero."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Matrix = NDArray[np.float64]

_NUMBERS_AT_ONCE = 400_000  # gathered for one step; ten times as many ran at half the speed


class Ridge:
    """Solves any number of rows for one matrix of factors.

    For a sparse row x it finds the v with the least
    sum_i w_i (f_i . v - x_i)^2 + regularisation |v|^2, where f_i is row i of the factors and
    w_i is 1 where x_i is stored, `missing_weight` elsewhere.

    With A = missing_weight F'F + regularisation I, which all rows share, c = 1 - missing_weight
    and s the stored cells, the solution (A + c F_s'F_s)^-1 F_s'x_s equals
    A^-1 F_s' (I + c F_s A^-1 F_s')^-1 x_s: a system as large as the row is long, so that a
    sentence of ten words costs ten by ten and not a hundred by a hundred.
    """

    def __init__(self, factors: Matrix, missing_weight: float, regularisation: float) -> None:
        dimension = factors.shape[1]
        self._factors = factors
        self._rest = 1 - missing_weight
        self._shared = missing_weight * factors.T @ factors + regularisation * np.eye(dimension)
        self._bent: Matrix = np.ascontiguousarray(np.linalg.solve(self._shared, factors.T).T)

    def solve(self, rows: csr_array) -> Matrix:
        """The solution for each row; zeros for a row without stored cells."""
        dimension = self._factors.shape[1]
        lengths = np.diff(rows.indptr)
        solved = np.zeros((len(lengths), dimension))
        for length in np.unique(lengths[lengths > 0]):
            places = np.flatnonzero(lengths == length)
            size = max(1, _NUMBERS_AT_ONCE // (int(length) * dimension))
            for start in range(0, len(places), size):
                some = places[start : start + size]
                cells = rows.indptr[some][:, None] + np.arange(length)
                solved[some] = self._equally_long(rows.indices[cells], rows.data[cells])
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
