"""The exact builders where candidates enter a few at a time, and on graphs of some size."""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from commonground.pyramid import build
from commonground.pyramid.builders import packing, programme
from commonground.pyramid.builders.maximal import clique_cover
from commonground.pyramid.builders.pieces import pieces_of
from segment_graphs import CLOSE, cliques, random_graph, small_graphs


@pytest.mark.parametrize("builder", ["edua-c", "edua-c-maximal", "agreement"])
@pytest.mark.parametrize("seed", range(3))
def test_candidates_that_enter_one_by_one_lead_to_the_same_units(builder, seed, monkeypatch):
    expected = [build(small.graph, builder) for small in small_graphs(seed)]
    monkeypatch.setattr(programme, "_STEP", 1)
    monkeypatch.setattr(programme, "_SHORT", 3)
    monkeypatch.setattr(packing, "_NEAREST", 1)
    for small, whole in zip(small_graphs(seed), expected, strict=True):
        found = build(small.graph, builder)
        assert found.optimal
        assert found.objective == pytest.approx(whole.objective, abs=CLOSE)


def best_by_solver(graph, value, *, one_a_weight):
    """Set packing over all cliques of nodes, as one plain mixed-integer programme."""
    units = cliques(graph)
    options = sorted(set(zip(graph.sentence.tolist(), graph.segmentation.tolist(), strict=True)))
    rows, high = [], []
    for node in range(len(graph)):
        option = (int(graph.sentence[node]), int(graph.segmentation[node]))
        uses = [float(node in unit) for unit in units]
        rows.append([*uses, *(-float(option == other) for other in options)])
        high.append(0)
    for sentence in set(graph.sentence.tolist()):
        rows.append([*([0.0] * len(units)), *(float(other[0] == sentence) for other in options)])
        high.append(1)
    if one_a_weight:
        for weight in {len(unit) for unit in units}:
            rows.append([*(float(len(unit) == weight) for unit in units), *([0.0] * len(options))])
            high.append(1)
    cost = -np.array([*(value(unit) for unit in units), *([0.0] * len(options))]) * 1000
    found = milp(
        cost,
        integrality=np.ones(len(cost), dtype=int),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(np.array(rows), -np.inf, np.array(high)),
        options={"mip_rel_gap": 0.0},
    )
    return -found.fun / 1000


@pytest.mark.parametrize("seed", range(4))
def test_as_good_as_a_solver_that_sees_all_candidates(seed):
    graph = random_graph(np.random.default_rng(seed), texts=4, sentences=7, percentile=75)
    found = build(graph, "edua-c")
    best = best_by_solver(graph, graph.attraction, one_a_weight=True)
    assert (found.objective, found.optimal) == (pytest.approx(best, abs=CLOSE), True)
    found = build(graph, "agreement")
    best = best_by_solver(
        graph,
        lambda unit: (len(unit) - 1) * (graph.attraction(unit) - graph.threshold),
        one_a_weight=False,
    )
    assert (found.objective, found.optimal) == (pytest.approx(best, abs=CLOSE), True)


@pytest.mark.parametrize("seed", range(5))
def test_every_edge_is_in_a_clique_of_the_cover(seed):
    pieces = pieces_of(random_graph(np.random.default_rng(seed), texts=5, sentences=4))
    edges = set(zip(*(ends.tolist() for ends in pieces.edges()), strict=True))
    covered = {
        (min(a, b), max(a, b))
        for clique in clique_cover(pieces)
        for a in clique
        for b in clique
        if a != b
    }
    assert covered == edges
