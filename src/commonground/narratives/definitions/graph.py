"""The overlap as a graph: the maximum common subgraph of the narratives' graphs."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from commonground import encoders
from commonground.errors import InputError
from commonground.io import Narrative, whole_file
from commonground.narratives.definitions.graph_match import MOST_STEPS, match
from commonground.narratives.definitions.likeness import ALIKE, encoder_field
from commonground.narratives.definitions.narrative_graph import Fit, NarrativeGraph, build_graph
from commonground.narratives.definitions.parsed import Mention, parsed
from commonground.narratives.definitions.things import Thing
from commonground.narratives.texts import Narratives, named_narratives
from commonground.plain import Plain
from commonground.report import graph_page, graph_svg
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS
from commonground.text.values import fullest

NOTHING: Final = "The narratives have no statement in common."

_NOBODY = "(somebody)"


@dataclass(frozen=True, slots=True)
class Node(Plain):
    """A thing that all narratives speak of.

    Attributes:
        label: The fullest of its names; of other wordings the shortest.
        wordings: What each narrative calls it, in the order of the narratives.
    """

    label: str
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge(Plain):
    """What all narratives say of two things, or of one.

    Attributes:
        source: The place of the subject in the nodes; None where nobody is named.
        label: The verb in its base form, with what belongs to it.
        target: The place of the object; None where there is none.
        sentences: Where each narrative says so, in the order of the narratives.
    """

    source: int | None
    label: str
    target: int | None
    sentences: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, repr=False)
class CommonGraph:
    """What `common_graph` found.

    Attributes:
        nodes: The common nodes that have an edge.
        edges: The common edges.
        narratives: As they were given.
        optimal: Whether no alignment of the nodes has more common edges.
        missed: How many edges more there could be at most; 0 if optimal.
        signature: All that the result depends on.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    narratives: tuple[Narrative, ...]
    optimal: bool
    missed: int
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "nodes": [node.to_dict() for node in self.nodes],
            "edges": [edge.to_dict() for edge in self.edges],
            "narratives": [{"source": n.source, "text": n.text} for n in self.narratives],
            "optimal": self.optimal,
            "missed": self.missed,
            "signature": str(self.signature),
        }

    def to_svg(self) -> str:
        """The drawing."""
        return graph_svg(self.to_dict())

    def to_html(self, path: str | Path, title: str = "Common graph") -> None:
        """Write a page with the drawing and the sentences behind every edge."""
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
            lines.append(f"(the search was broken off: there may be up to {self.missed} more)")
        return "\n".join(lines)

    def _line(self, edge: Edge) -> str:
        source = _NOBODY if edge.source is None else self.nodes[edge.source].label
        target = "" if edge.target is None else f" -> {self.nodes[edge.target].label}"
        return f"{source} -- {edge.label}{target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOverlaps:
    """Finds the maximum common subgraph of narratives; `common_graph` does so once.

    The search for the best alignment is limited in its steps, which narratives of ordinary
    length do not need, so that the same narratives always give the same result.

    Attributes:
        encoder: What says that two nouns or verbs are alike.
        threshold: The least cosine for it; above 1 only words with the same stems are alike.
        seconds: How long to search at most, for who cannot wait. Where the time runs out, as
            `optimal` tells, two runs can differ.

    Raises:
        InputError: No time at all.
    """

    encoder: str = encoders.DEFAULT
    threshold: float = ALIKE
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds <= 0:
            raise InputError(f"seconds must be above 0, not {self.seconds}")

    def find(self, narratives: Narratives) -> CommonGraph:
        """That of two or more narratives; their order only orders wordings and sentences."""
        named = named_narratives(narratives)
        texts = [one.text for one in named]
        order = sorted(range(len(texts)), key=lambda place: texts[place])
        built = [build_graph(sentences) for sentences in parsed(texts)]
        graphs = [built[place] for place in order]
        matching = match(graphs, Fit(graphs, self.encoder, self.threshold), self.seconds)
        # Back to the order of the caller.
        back = [order.index(place) for place in range(len(texts))]
        found = _Drawn(built)
        for edges in matching.edges:
            found.add([edges[place] for place in back])
        return CommonGraph(
            *found.finished(),
            narratives=named,
            optimal=not matching.missed,
            missed=matching.missed,
            signature=self.signature(len(named)),
        )

    def signature(self, narratives: int) -> Signature:
        """That of a result for so many narratives."""
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
    """The maximum common subgraph of the narratives' graphs of subject, predicate and object.

    Nodes can be aligned where their names are of the same, or their nouns have one stem and no
    differing qualities or numbers, or the encoder finds them alike. Of all alignments that with
    the most common edges is chosen, exactly. A negation, a modal verb or another preposition
    makes another edge. An edge whose doers differ or are not told is common without a doer.
    `GraphOverlaps` says what the options mean and serves many.

    Raises:
        InputError: Fewer than two narratives, or no time at all.

    Example:
        >>> left = "Police closed the old bridge on Monday. Jane Poe was hurt."
        >>> right = "The bridge was closed by police. A storm hurt Ms. Poe."
        >>> print(common_graph([left, right]))
        (somebody) -- hurt -> Jane Poe
        police -- close -> bridge
    """
    finder = GraphOverlaps(encoder=encoder, threshold=threshold, seconds=seconds)
    return finder.find(narratives)


class _Drawn:
    """Collects common edges and the nodes that they need."""

    def __init__(self, graphs: Sequence[NarrativeGraph]) -> None:
        self._graphs = graphs
        self._nodes: dict[tuple[int, ...], Node] = {}
        self._edges: list[tuple[tuple[int, ...], str, tuple[int, ...], tuple[Mention, ...]]] = []

    def add(self, numbers: Sequence[int]) -> None:
        """Add a common edge by its number in each graph."""
        edges = [graph.edges[number] for graph, number in zip(self._graphs, numbers, strict=True)]
        labels = [str(edge.predicate) for edge in edges]
        self._edges.append(
            (
                self._node([edge.source for edge in edges]),
                min(labels, key=lambda label: (len(label), label)),
                self._node([edge.target for edge in edges]),
                tuple(edge.sentence for edge in edges),
            )
        )

    def finished(self) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
        """Nodes and edges from A to Z.

        An edge without a doer goes where one has a doer, and one without a verb where one has a
        verb: what they say is said already.
        """
        said = {
            (source, label.split()[-1], target)
            for source, label, target, _ in self._edges
            if " " in label
        }
        done = {(label, target) for source, label, target, _ in self._edges if source}
        kept = [
            edge
            for edge in self._edges
            if edge[:3] not in said and (edge[0] or (edge[1], edge[2]) not in done)
        ]
        used = {end for source, _, target, _ in kept for end in (source, target) if end}
        order = sorted(used, key=lambda key: (self._nodes[key].label.lower(), self._text(key)))
        places = {key: place for place, key in enumerate(order)}
        edges = [
            Edge(places.get(source), label, places.get(target), sentences)
            for source, label, target, sentences in kept
        ]
        edges.sort(key=_edge_order)
        return tuple(self._nodes[key] for key in order), tuple(edges)

    def _node(self, numbers: Sequence[int | None]) -> tuple[int, ...]:
        """The key of the node that stands for these; empty for an open end."""
        key = tuple(number for number in numbers if number is not None)
        if key and key not in self._nodes:
            things = [graph.nodes[n] for graph, n in zip(self._graphs, key, strict=True)]
            self._nodes[key] = Node(_label(things), tuple(one.text for one in things))
        return key

    def _text(self, key: tuple[int, ...]) -> list[str]:
        return sorted(self._nodes[key].wordings)


def _edge_order(edge: Edge) -> tuple[int, str, int]:
    source = -1 if edge.source is None else edge.source
    return source, edge.label, -1 if edge.target is None else edge.target


def _label(things: Sequence[Thing]) -> str:
    texts = [one.text for one in things]
    if things[0].kind == "thing":
        return min(texts, key=lambda text: (len(text), text))
    return fullest(texts) if things[0].when is None else max(texts, key=lambda t: (len(t), t))
