"""A narrative as a graph: things are nodes, what is said of them are edges."""

from collections.abc import Iterable
from dataclasses import dataclass

from commonground.overlap._parsed import Mention, ParsedSentence
from commonground.overlap._things import Thing, merged
from commonground.overlap._triples import Predicate, Triple, attached, triples

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
