"""Pyramids of the same references over a grid of the parameters of `edua-g`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from commonground.encoders import Encoder
from commonground.pyramid.builders.build import edua_g
from commonground.pyramid.builders.task import Task
from commonground.pyramid.construction import Choices, Text, read
from commonground.pyramid.pyramid import Pyramid


class GridPoint(NamedTuple):
    """One choice of parameters; `Pyramid.build` describes them."""

    alpha: float
    beta: float
    percentile: float


def pyramid_grid(
    references: Iterable[Text],
    alphas: Sequence[float],
    betas: Sequence[float],
    percentiles: Sequence[float],
    *,
    encoder: str | Encoder | None = None,
    preset: str | None = None,
) -> Iterator[tuple[GridPoint, Pyramid]]:
    """Yield every pyramid of the grid.

    References are encoded once, and candidates listed once for each percentile.
    """
    encoded = read(references, Choices("edua-g", encoder, percentiles[0], preset))
    for percentile in percentiles:
        graph = encoded.graph(percentile)
        task = Task.of(graph, pyreval=preset is not None)
        for alpha, beta in product(alphas, betas):
            solution = edua_g(task, len(graph) + alpha, beta)
            choices = Choices("edua-g", encoder, percentile, preset, alpha, beta)
            signature = encoded.signature(choices, solution)
            pyramid = Pyramid(encoded.units(graph, solution), encoded.texts, signature)
            yield GridPoint(alpha, beta, percentile), pyramid
