"""The overlap as a graph: the maximum common subgraph of the narratives' graphs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from commonground import encoders
from commonground.errors import InputError
from commonground.io import Narrative, whole_file
from commonground.narratives.definitions.graph_match import (
    MOST_STEPS,
    Fit,
    NarrativeGraph,
    build_graph,
    match,
    none_first,
)
from commonground.narratives.definitions.things import ALIKE, encoder_field
from commonground.narratives.definitions.triples import Mention, parsed
from commonground.narratives.texts import Narratives, named_narratives
from commonground.plain import Plain
from commonground.report import graph_page, graph_svg
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS
from commonground.text.values import fullest

NOTHING: Final = "The narratives have no statement in common."


@dataclass(frozen=True, slots=True)
class Node(Plain):
    """A thing that all narratives mention.

    Attributes:
        label: The fullest name, or the shortest wording of a common noun.
        wordings: The wording of each narrative, in their order.
    """

    label: str
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge(Plain):
    """A relation that all narratives state.

    Attributes:
        source: The node index of the subject, or None.
        label: The verb's base form with its modal verb, negation, particle and preposition.
        target: The node index of the object, or None.
        sentences: The sentence of each narrative that states it, in their order.
    """

    source: int | None
    label: str
    target: int | None
    sentences: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, repr=False)
class CommonGraph(Plain):
    """The result of `common_graph`.

    Attributes:
        nodes: The common nodes that have an edge.
        edges: The common edges.
        narratives: The narratives in the caller's order.
        optimal: Whether no alignment of the nodes has more common edges.
        missed: Upper bound of the edges missed; 0 if optimal.
        signature: Everything the result depends on.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    narratives: tuple[Narrative, ...]
    optimal: bool
    missed: int
    signature: Signature

    def to_svg(self) -> str:
        """Draw the graph as SVG."""
        return graph_svg(self.to_dict())

    def to_html(self, path: str | Path, title: str = "Common graph") -> None:
        """Write a page with the drawing and the sentences behind each edge."""
        with whole_file(Path(path)) as stream:
            stream.write(graph_page(self.to_dict(), title))

    def _repr_html_(self) -> str:
        page = escape(graph_page(self.to_dict(), "Common graph"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 36rem; border: 0"></iframe>'

    def __repr__(self) -> str:
        return (
            f"CommonGraph(nodes={len(self.nodes)}, edges={len(self.edges)}, "
            f"optimal={self.optimal}, signature='{self.signature}')"
        )

    def __str__(self) -> str:
        lines = [self._line(edge) for edge in self.edges] or [NOTHING]
        if not self.optimal:
            lines.append(f"(the search was stopped: there may be up to {self.missed} more)")
        return "\n".join(lines)

    def _line(self, edge: Edge) -> str:
        source = "(somebody)" if edge.source is None else self.nodes[edge.source].label
        target = "" if edge.target is None else f" -> {self.nodes[edge.target].label}"
        return f"{source} -- {edge.label}{target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOverlaps:
    """Finds the maximum common subgraph of narratives; reusable form of `common_graph`.

    The search is limited in steps, not in time, so that results are reproducible.

    Attributes:
        encoder: Encoder that compares nouns and verbs.
        threshold: Minimum cosine; above 1, only words with the same stems match.
        seconds: Optional time limit. If it is reached (see `optimal`), two runs can differ.
    """

    encoder: str = encoders.DEFAULT
    threshold: float = ALIKE
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds <= 0:
            raise InputError(f"seconds must be above 0, not {self.seconds}")

    def find(self, narratives: Narratives) -> CommonGraph:
        """Find the common graph of two or more narratives; their order only sorts wordings."""
        named = named_narratives(narratives)
        texts = [narrative.text for narrative in named]
        graphs = [build_graph(sentences) for sentences in parsed(texts)]
        # Matched in the order of the texts, so that the caller's order has no effect.
        order = sorted(range(len(texts)), key=lambda index: texts[index])
        ordered = [graphs[index] for index in order]
        matching = match(ordered, Fit(ordered, self.encoder, self.threshold), self.seconds)
        edges = [dict(zip(order, edge, strict=True)) for edge in matching.edges]
        signature, missed = self.signature(len(named)), matching.missed
        return CommonGraph(*_common(graphs, edges), named, not missed, missed, signature)

    def signature(self, narratives: int) -> Signature:
        """Return the signature for n narratives."""
        limits = {} if self.seconds is None else {"seconds": f"{self.seconds:g}"}
        return Signature.of(
            "OVERLAP",
            method="graph",
            enc=encoder_field(self.encoder, self.threshold),
            alike=f"{self.threshold:g}",
            split=SPLITTERS["layout"],
            parse=PARSER,
            steps=str(MOST_STEPS),
            **limits,
            narratives=str(narratives),
        )


def common_graph(
    narratives: Narratives,
    *,
    encoder: str = encoders.DEFAULT,
    threshold: float = ALIKE,
    seconds: float | None = None,
) -> CommonGraph:
    """Return the maximum common subgraph of the narratives' subject-predicate-object graphs.

    Nodes can be aligned if their names match, if their nouns have the same stem and their
    adjectives and numbers do not differ, or if the encoder finds them similar. The alignment with
    the most common edges is found exactly. Edges differ by negation, modal verb and preposition.
    An edge whose subjects differ or are missing is common without a subject. See `GraphOverlaps`
    for the options.

    Raises:
        InputError: Fewer than two narratives, or `seconds` is not above 0.

    Example:
        >>> left = "Police closed the old bridge on Monday. Jane Poe was hurt."
        >>> right = "The bridge was closed by police. A storm hurt Ms. Poe."
        >>> print(common_graph([left, right]))
        (somebody) -- hurt -> Jane Poe
        police -- close -> bridge
    """
    finder = GraphOverlaps(encoder=encoder, threshold=threshold, seconds=seconds)
    return finder.find(narratives)


_Ends = tuple[int, ...]  # the node of each graph; empty without a subject or object


def _common(
    graphs: Sequence[NarrativeGraph], matched: Sequence[Mapping[int, int]]
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Return sorted nodes and edges for matched edges, given by their index in each graph.

    Edges that repeat others are dropped: one without a subject if another has one, and one
    without a verb if another has one.
    """
    rows: list[tuple[_Ends, str, _Ends, tuple[Mention, ...]]] = []
    for indices in matched:
        same = [graph.edges[indices[number]] for number, graph in enumerate(graphs)]
        label = min((str(edge.predicate) for edge in same), key=_shortest)
        source = tuple(edge.source for edge in same if edge.source is not None)
        target = tuple(edge.target for edge in same if edge.target is not None)
        rows.append((source, label, target, tuple(edge.sentence for edge in same)))
    with_verb = {(row[0], row[1].split()[-1], row[2]) for row in rows if " " in row[1]}
    with_subject = {row[1:3] for row in rows if row[0]}
    kept = [
        row for row in rows if row[:3] not in with_verb and (row[0] or row[1:3] not in with_subject)
    ]
    nodes = {end: _node(graphs, end) for row in kept for end in (row[0], row[2]) if end}
    order = sorted(nodes, key=lambda end: (nodes[end].label.lower(), sorted(nodes[end].wordings)))
    index_of = {end: index for index, end in enumerate(order)}
    edges = [
        Edge(index_of.get(source), label, index_of.get(target), sentences)
        for source, label, target, sentences in kept
    ]
    edges.sort(key=lambda edge: (none_first(edge.source), edge.label, none_first(edge.target)))
    return tuple(nodes[end] for end in order), tuple(edges)


def _node(graphs: Sequence[NarrativeGraph], end: _Ends) -> Node:
    things = [graph.nodes[index] for graph, index in zip(graphs, end, strict=True)]
    texts = tuple(thing.text for thing in things)
    if things[0].kind == "thing":
        return Node(min(texts, key=_shortest), texts)
    return Node(fullest(texts) if things[0].when is None else max(texts, key=_shortest), texts)


def _shortest(text: str) -> tuple[int, str]:
    return len(text), text
