"""Which nodes and edges of two narratives' graphs can be the same."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from commonground.overlap._graph_build import GraphEdge, NarrativeGraph
from commonground.overlap._likeness import Likeness
from commonground.overlap._same_verbs import same_verb
from commonground.overlap._things import Thing, agreeing, same_thing


class Fit:
    """Compares graphs; the vectors of all their nouns and verbs are computed once.

    Args:
        graphs: All graphs that will be compared.
        encoder: What says that two nouns or verbs are alike.
        threshold: The least cosine for it.
    """

    def __init__(self, graphs: Sequence[NarrativeGraph], encoder: str, threshold: float) -> None:
        nouns = [node.text for graph in graphs for node in graph.nodes if node.kind == "thing"]
        verbs = [edge.predicate.verb for graph in graphs for edge in graph.edges]
        self._nouns = Likeness(nouns, encoder, threshold)
        self._verbs = Likeness(verbs, encoder, threshold)

    def nodes(self, one: Thing, other: Thing) -> float:
        """How well two nodes fit, 0 where they cannot be the same."""
        if one.key == other.key:
            return 1.0
        if same_thing(one, other):
            return 0.95  # the very same words come first
        if one.kind != "thing" or other.kind != "thing" or not agreeing(one, other):
            return 0.0
        return 0.9 * self._nouns.of(one.text, other.text)

    def edges(
        self, one: GraphEdge, left: NarrativeGraph, other: GraphEdge, right: NarrativeGraph
    ) -> float:
        """How well two edges fit, ends included; 0 where they cannot be the same."""
        first, second = one.predicate, other.predicate
        if (first.preposition, first.modal, first.negated) != (
            second.preposition,
            second.modal,
            second.negated,
        ):
            return 0.0
        fits = [self._verb(first.verb, second.verb)]
        for start, end in ((one.source, other.source), (one.target, other.target)):
            if (start is None) != (end is None):
                return 0.0
            if start is not None and end is not None:
                fits.append(self.nodes(left.nodes[start], right.nodes[end]))
        return 0.0 if min(fits) == 0 else sum(fits) / len(fits)

    def _verb(self, one: str, other: str) -> float:
        if one != other and same_verb(one, other):
            return 0.95
        return self._verbs.of(one, other)

    def candidates(self, left: NarrativeGraph, right: NarrativeGraph) -> list[dict[int, float]]:
        """For each edge of `left` the edges of `right` that fit it, and how well."""
        marked: defaultdict[str, list[int]] = defaultdict(list)
        for place, edge in enumerate(right.edges):
            for mark in self._marks(edge, right):
                marked[mark].append(place)
        found = []
        for edge in left.edges:
            near = sorted({place for mark in self._marks(edge, left) for place in marked[mark]})
            fits = {place: self.edges(edge, left, right.edges[place], right) for place in near}
            found.append({place: fit for place, fit in fits.items() if fit > 0})
        return found

    def _marks(self, edge: GraphEdge, graph: NarrativeGraph) -> Iterable[str]:
        """Edges that fit have one of these in common: marks of one end, the object before all."""
        end = edge.source if edge.target is None else edge.target
        if end is None:
            return ()
        node = graph.nodes[end]
        like = self._nouns.near(node.text) if node.kind == "thing" else ()
        return {*node.marks, *(f"like {phrase}" for phrase in like)}
