"""Pyramids of the same references over a grid of the parameters of `edua-g`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from commonground.encoders import Encoder
from commonground.pyramid.builders.build import task_of
from commonground.pyramid.builders.edua import edua_g
from commonground.pyramid.construction import Choices, Text, read
from commonground.pyramid.pyramid import Pyramid


class GridPoint(NamedTuple):
    """One choice of parameters.

    Attributes:
        alpha: The scale of the capacities beyond the number of segments.
        beta: How fast the capacities fall with the weight.
        percentile: The edge threshold, as a percentile of the similarities.
    """

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
    """Every pyramid of the grid; references are read once, candidates listed once a percentile."""
    found = read(references, Choices("edua-g", encoder, percentiles[0], preset))
    for percentile in percentiles:
        graph = found.graph(percentile)
        task = task_of(graph)
        for alpha in alphas:
            for beta in betas:
                solution = edua_g(task, len(graph) + alpha, beta)
                choices = Choices("edua-g", encoder, percentile, preset, alpha, beta)
                units = tuple(found.units(graph, solution))
                signature = found.signature(choices, solution)
                yield GridPoint(alpha, beta, percentile), Pyramid(units, found.texts, signature)
