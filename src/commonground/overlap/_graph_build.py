"""A narrative as a graph: things are nodes, what is said of them are edges."""

from collections.abc import Iterable
from dataclasses import dataclass

from commonground.overlap._parsed import Mention, ParsedSentence
from commonground.overlap._things import Thing, merged
from commonground.overlap._triples import Predicate, triples

# What these say of their object they say of somebody: "somebody has a car" is no news.
_LIGHT = ("be", "have", "do", "get")


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
    says that the police closed a bridge says that it was closed. A denial does not.
    """
    told = [(triple, one.whole) for one in sentences for triple in triples(one.doc)]
    ends = [end for triple, _ in told for end in (triple.subject, triple.object) if end is not None]
    fullest = merged(ends)
    nodes = sorted({one.key: one for one in fullest.values()}.values(), key=_order)
    numbers = {node.key: number for number, node in enumerate(nodes)}

    def number(end: Thing | None) -> int | None:
        return None if end is None else numbers[fullest[end.key].key]

    edges: dict[tuple[int | None, Predicate, int | None], GraphEdge] = {}
    for triple, sentence in told:
        source, target = number(triple.subject), number(triple.object)
        sources = [source]
        if source is not None and target is not None and _passes(triple.predicate):
            sources.append(None)
        for start in sources:
            edge = GraphEdge(start, triple.predicate, target, sentence)
            edges.setdefault((start, triple.predicate, target), edge)
    return NarrativeGraph(tuple(nodes), tuple(sorted(edges.values(), key=_edge_order)))


def _passes(predicate: Predicate) -> bool:
    """Whether the clause holds as well with nobody named."""
    return not (predicate.negated or predicate.preposition or predicate.verb in _LIGHT)


def _order(node: Thing) -> tuple[str, str]:
    return repr(node.key), node.text


def _edge_order(edge: GraphEdge) -> tuple[int, int, str]:
    source = -1 if edge.source is None else edge.source
    target = -1 if edge.target is None else edge.target
    return source, target, str(edge.predicate)
