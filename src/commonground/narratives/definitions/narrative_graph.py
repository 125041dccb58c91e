"""A narrative as a graph, and how well nodes and edges of two graphs match."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from commonground.narratives.conflicts.pair import same_verb
from commonground.narratives.definitions.likeness import Likeness
from commonground.narratives.definitions.parsed import Mention, ParsedSentence
from commonground.narratives.definitions.things import Thing, agreeing, merged, same_thing
from commonground.narratives.definitions.triples import Predicate, Triple, attached, triples

# Verbs that say nothing without a subject: "somebody has a car".
_LIGHT = ("be", "have", "do")


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge between two node indices, either of which may be missing.

    Attributes:
        source: The subject.
        predicate: The relation.
        target: The object.
        sentence: The first sentence that states it.
    """

    source: int | None
    predicate: Predicate
    target: int | None
    sentence: Mention


@dataclass(frozen=True, slots=True)
class NarrativeGraph:
    """Nodes and edges in canonical order."""

    nodes: tuple[Thing, ...]
    edges: tuple[GraphEdge, ...]


def build_graph(sentences: Iterable[ParsedSentence]) -> NarrativeGraph:
    """Build the graph of one narrative.

    All wordings of a thing are one node. An edge with a subject implies the edge without it: if
    the police closed a bridge, it was closed. An edge with a preposition implies the edge without
    its verb: a meeting held in a hall is a meeting in a hall. A negated edge implies neither.
    """
    stated = [
        (triple, sentence.whole)
        for sentence in sentences
        for triple in (*triples(sentence.doc), *attached(sentence.doc))
    ]
    ends = [end for triple, _ in stated for end in (triple.subject, triple.object)]
    full = merged(end for end in ends if end is not None)
    nodes = sorted(
        {node.key: node for node in full.values()}.values(),
        key=lambda node: (repr(node.key), node.text),
    )
    index_of = {node.key: index for index, node in enumerate(nodes)}

    def index(end: Thing | None) -> int | None:
        return None if end is None else index_of[full[end.key].key]

    edges: dict[tuple[int | None, Predicate, int | None], GraphEdge] = {}
    for triple, sentence in stated:
        subject, target = index(triple.subject), index(triple.object)
        for source, predicate in _implied(subject, triple):
            edge = GraphEdge(source, predicate, target, sentence)
            edges.setdefault((source, predicate, target), edge)
    return NarrativeGraph(tuple(nodes), tuple(sorted(edges.values(), key=_edge_order)))


def _implied(source: int | None, triple: Triple) -> list[tuple[int | None, Predicate]]:
    """Return subject and predicate of a triple, and of the edge that it implies."""
    predicate = triple.predicate
    edges = [(source, predicate)]
    if source is not None and triple.object is not None and not predicate.negated:
        if predicate.preposition:
            edges.append((source, Predicate("", predicate.preposition)))
        elif predicate.verb not in _LIGHT:
            edges.append((None, predicate))
    return edges


def _edge_order(edge: GraphEdge) -> tuple[int, int, str]:
    source = -1 if edge.source is None else edge.source
    target = -1 if edge.target is None else edge.target
    return source, target, str(edge.predicate)


class Fit:
    """Scores matches between graphs; all nouns and verbs are encoded once."""

    def __init__(self, graphs: Sequence[NarrativeGraph], encoder: str, threshold: float) -> None:
        nouns = [node.text for graph in graphs for node in graph.nodes if node.kind == "thing"]
        verbs = [edge.predicate.verb for graph in graphs for edge in graph.edges]
        self._nouns = Likeness(nouns, encoder, threshold)
        self._verbs = Likeness(verbs, encoder, threshold)

    def _node_score(self, left: Thing, right: Thing) -> float:
        if left.key == right.key:
            return 1.0
        if same_thing(left, right):
            return 0.95  # below identical wording
        if left.kind != "thing" or right.kind != "thing" or not agreeing(left, right):
            return 0.0
        return 0.9 * self._nouns.of(left.text, right.text)

    def _verb_score(self, left: str, right: str) -> float:
        return 0.95 if left != right and same_verb(left, right) else self._verbs.of(left, right)

    def edges(
        self, one: GraphEdge, left: NarrativeGraph, other: GraphEdge, right: NarrativeGraph
    ) -> float:
        """Score the match of two edges with their ends; 0 if they cannot match."""
        first, second = one.predicate, other.predicate
        if replace(first, verb="") != replace(second, verb=""):
            return 0.0
        scores = [self._verb_score(first.verb, second.verb)]
        for start, end in ((one.source, other.source), (one.target, other.target)):
            if (start is None) != (end is None):
                return 0.0
            if start is not None and end is not None:
                scores.append(self._node_score(left.nodes[start], right.nodes[end]))
        return 0.0 if min(scores) == 0 else sum(scores) / len(scores)

    def candidates(self, left: NarrativeGraph, right: NarrativeGraph) -> list[dict[int, float]]:
        """Return, for each edge of `left`, the matching edges of `right` with their scores."""
        by_mark: defaultdict[str, list[int]] = defaultdict(list)
        for index, edge in enumerate(right.edges):
            for mark in self._marks(edge, right):
                by_mark[mark].append(index)
        candidates = []
        for edge in left.edges:
            near = sorted({index for mark in self._marks(edge, left) for index in by_mark[mark]})
            scores = {index: self.edges(edge, left, right.edges[index], right) for index in near}
            candidates.append({index: score for index, score in scores.items() if score > 0})
        return candidates

    def _marks(self, edge: GraphEdge, graph: NarrativeGraph) -> Iterable[str]:
        """Return index keys of the object, or else the subject; matching edges share one."""
        end = edge.source if edge.target is None else edge.target
        if end is None:
            return ()
        node = graph.nodes[end]
        like = self._nouns.near(node.text) if node.kind == "thing" else ()
        return {*node.marks, *(f"like {phrase}" for phrase in like)}
