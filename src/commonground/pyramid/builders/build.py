"""The one door to the builders."""

from collections.abc import Callable
from functools import partial
from typing import Final

from commonground.errors import InputError, unknown_name
from commonground.pyramid.builders.agreement import agreement
from commonground.pyramid.builders.candidates import all_cliques, grown_cliques
from commonground.pyramid.builders.edua import edua_c, edua_c_maximal, edua_g
from commonground.pyramid.builders.graph import SegmentGraph
from commonground.pyramid.builders.pieces import pieces_of
from commonground.pyramid.builders.programme import Deadline
from commonground.pyramid.builders.task import Solution, Task

BUILDERS: Final = ("edua-g", "edua-c", "edua-c-maximal", "agreement")
SECONDS: Final = 60.0
LIMIT: Final = 1_000_000
ALPHA: Final = 10.0  # beyond the number of segments
BETA: Final = 2.5


def build(
    graph: SegmentGraph,
    builder: str = "edua-g",
    *,
    seconds: float = SECONDS,
    limit: int = LIMIT,
    alpha: float | None = None,
    beta: float = BETA,
    floor: float | None = None,
) -> Solution:
    """Build the units of a pyramid.

    Whatever the order of texts and nodes, the units are the same. A result that is not optimal
    may have been cut short by time, and be another on a faster machine.

    Args:
        graph: The segments and their similarities.
        builder: `edua-g`, `edua-c`, `edua-c-maximal` or `agreement`.
        seconds: When an exact builder stops and returns the best found.
        limit: How many candidate units are listed. Where there are more, it is a choice of at
            most about as many, and the bound is a coarse one.
        alpha: For `edua-g`, the scale of the capacities; the number of segments + 10 by default.
        beta: For `edua-g`, how fast the capacities fall with the weight.
        floor: For `agreement`, the similarity that is worth nothing; the graph's threshold by
            default.
    """
    if builder not in BUILDERS:
        raise unknown_name("builder", builder, BUILDERS)
    if limit < 1:
        raise InputError(f"the limit on candidates is at least 1, not {limit}")
    scale = len(graph) + ALPHA if alpha is None else alpha
    worthless = graph.threshold if floor is None else floor
    builders: dict[str, Callable[[Task], Solution]] = {
        "edua-g": partial(edua_g, alpha=scale, beta=beta),
        "edua-c": edua_c,
        "edua-c-maximal": edua_c_maximal,
        "agreement": partial(agreement, floor=worthless),
    }
    return builders[builder](task_of(graph, seconds, limit))


def task_of(graph: SegmentGraph, seconds: float = SECONDS, limit: int = LIMIT) -> Task:
    """What the builders work on: the graph's pieces and candidates."""
    deadline = Deadline(seconds)
    pieces = pieces_of(graph)
    candidates = all_cliques(pieces, limit)
    if candidates is None:
        candidates = grown_cliques(pieces, limit)
    return Task(graph, pieces, candidates, deadline)
