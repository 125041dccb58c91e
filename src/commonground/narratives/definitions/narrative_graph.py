"""A narrative as a graph, and which nodes and edges of two such graphs can be the same."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from commonground.narratives.conflicts.same_verbs import same_verb
from commonground.narratives.definitions.likeness import Likeness
from commonground.narratives.definitions.parsed import Mention, ParsedSentence
from commonground.narratives.definitions.things import Thing, agreeing, merged, same_thing
from commonground.narratives.definitions.triples import Predicate, Triple, attached, triples

# What these say of their object they say of somebody: "somebody has a car" is no news.
_LIGHT = ("be", "have", "do")


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge; an end is None where nothing is told of it.

    Attributes:
        source: The number of the subject's node.
        predicate: What links the two.
        target: The number of the object's node.
        sentence: Where it is said first.
    """

    source: int | None
    predicate: Predicate
    target: int | None
    sentence: Mention


@dataclass(frozen=True, slots=True)
class NarrativeGraph:
    """Nodes and edges in an order of their own."""

    nodes: tuple[Thing, ...]
    edges: tuple[GraphEdge, ...]


def build_graph(sentences: Iterable[ParsedSentence]) -> NarrativeGraph:
    """The graph of one narrative.

    Wordings of one thing are one node. An edge with a doer also gives the edge without: whoever
    says that the police closed a bridge says that it was closed. An edge with a preposition also
    gives the edge without its verb: a meeting that is held in a hall is a meeting in a hall. A
    denial gives neither.
    """
    told = [
        (triple, one.whole)
        for one in sentences
        for triple in (*triples(one.doc), *attached(one.doc))
    ]
    ends = [end for triple, _ in told for end in (triple.subject, triple.object) if end is not None]
    fullest = merged(ends)
    nodes = sorted({one.key: one for one in fullest.values()}.values(), key=_order)
    numbers = {node.key: number for number, node in enumerate(nodes)}

    def number(end: Thing | None) -> int | None:
        return None if end is None else numbers[fullest[end.key].key]

    edges: dict[tuple[int | None, Predicate, int | None], GraphEdge] = {}
    for triple, sentence in told:
        source, target = number(triple.subject), number(triple.object)
        for start, predicate in _meant(source, triple):
            edge = GraphEdge(start, predicate, target, sentence)
            edges.setdefault((start, predicate, target), edge)
    return NarrativeGraph(tuple(nodes), tuple(sorted(edges.values(), key=_edge_order)))


def _meant(source: int | None, triple: Triple) -> list[tuple[int | None, Predicate]]:
    """What a triple says, and what it says with nobody named or without its verb."""
    predicate = triple.predicate
    found = [(source, predicate)]
    if source is None or triple.object is None or predicate.negated:
        return found
    if predicate.preposition:
        found.append((source, Predicate("", predicate.preposition)))
    elif predicate.verb not in _LIGHT:
        found.append((None, predicate))
    return found


def _order(node: Thing) -> tuple[str, str]:
    return repr(node.key), node.text


def _edge_order(edge: GraphEdge) -> tuple[int, int, str]:
    source = -1 if edge.source is None else edge.source
    target = -1 if edge.target is None else edge.target
    return source, target, str(edge.predicate)


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
