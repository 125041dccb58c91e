"""Fast matrix products for the parser.

The library behind spaCy multiplies five times slower than onnxruntime on most machines. NumPy is
as fast, but there a row of a product depends on the number of rows, so a parse would depend on the
other sentences.
"""

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.pipeline import TrainablePipe
from thinc.api import NumpyOps

from commonground.models import open_session

if TYPE_CHECKING:
    from spacy.language import Language

_FEWEST = 2  # rows: onnxruntime multiplies a single one in another way


class RowProducts(NumpyOps):  # type: ignore[misc]
    """Operations of a network whose products have rows that do not depend on each other."""

    def gemm(
        self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False
    ) -> Any:
        """Return the product of two matrices."""
        if trans1 or not trans2 or not x.size:  # not in a parse
            return super().gemm(x, y, out=out, trans1=trans1, trans2=trans2)
        rows = np.concatenate([x] * _FEWEST) if len(x) < _FEWEST else x
        (product,) = _session().run(None, {"rows": rows, "weights": y})
        if out is None:
            return product[: len(x)]
        out[:] = product[: len(x)]
        return out


def multiply_fast(model: "Language") -> None:
    """Let all networks of a pipeline use `RowProducts`."""
    operations = RowProducts()
    networks = [part.model for _, part in model.pipeline if isinstance(part, TrainablePipe)]
    for network in networks:
        for layer in network.walk():
            layer.ops = operations


@cache
def _session() -> Any:
    # Made by `training.product`: rows times the transpose of the weights.
    return open_session(resources.files(__package__).joinpath("data/product.onnx").read_bytes())
