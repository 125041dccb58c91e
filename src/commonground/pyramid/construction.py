"""References to units: segments, vectors, graph, builder."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np

from commonground import encoders
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.pyramid.builders.build import ALPHA, BETA, build
from commonground.pyramid.builders.graph import Floats, SegmentGraph
from commonground.pyramid.builders.task import Solution
from commonground.pyramid.presets import number_tagged, preset
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS, Segment, segment_all, sentences

DEFAULT_BUILDER: Final = "edua-g"

# It reports no optimum because it does not look for one.
_GREEDY: Final = "edua-g"

Text = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class _Reference:
    """A reference as its text, and as it is to be segmented."""

    text: str
    given: str | tuple[str, ...]

    @property
    def starts(self) -> list[int]:
        """Where each sentence that was given starts in the text."""
        lengths = [len(sentence) + 1 for sentence in self.given]
        return [0, *np.cumsum(lengths).tolist()]


@dataclass(frozen=True, slots=True)
class _Node:
    """A segment with its place."""

    reference: int
    sentence: int
    sentence_of_reference: int
    segmentation: int
    segment: int
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """How units are built; what is None is for the preset to say, or the default."""

    builder: str | None
    encoder: str | Encoder | None
    percentile: float
    preset: str | None = None
    alpha: float | None = None
    beta: float | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """References read: all that the choice of builder and threshold leaves untouched."""

    nodes: Sequence[_Node]
    vectors: Floats
    references: Sequence[_Reference]
    builder: str
    encoder: Encoder
    tags_numbers: bool

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the references that are not empty."""
        return tuple(reference.text for reference in self.references)

    def graph(self, percentile: float) -> SegmentGraph:
        """The segments and their similarities."""
        return _graph(self.nodes, self.vectors, percentile)

    def units(self, graph: SegmentGraph, solution: Solution) -> list[Unit]:
        """What a builder found in the graph, in words."""
        return _units(graph, solution, self.nodes)

    def signature(self, choices: Choices, solution: Solution) -> Signature:
        """All that the units of a solution depend on."""
        return Signature.of(
            "PYRAMID",
            **({"preset": choices.preset} if choices.preset else {}),
            builder=self.builder,
            **_capacities(choices),
            enc=encoders.shown(self.encoder),
            **({"num": "tag"} if self.tags_numbers else {}),
            **_reading(self.references),
            edge=f"p{choices.percentile:g}",
            refs=str(len(self.references)),
            **_cut_short(self.builder, solution),
        )


def built(
    references: Iterable[Text], choices: Choices
) -> tuple[list[Unit], tuple[str, ...], Signature]:
    """The units, the texts of the references that are not empty, and the signature."""
    found = read(references, choices)
    graph = found.graph(choices.percentile)
    alpha = None if choices.alpha is None else len(graph) + choices.alpha
    beta = BETA if choices.beta is None else choices.beta
    solution = build(graph, found.builder, alpha=alpha, beta=beta)
    return found.units(graph, solution), found.texts, found.signature(choices, solution)


def read(references: Iterable[Text], choices: Choices) -> Read:
    """Segment and encode references.

    All work is done on the references in the order of their texts, and only the numbers of the
    references come from the order they were given in.
    """
    builder, encoder, tags_numbers = _chosen(choices)
    given = _checked(references)
    order = sorted(range(len(given)), key=lambda place: _sorting(given[place]))
    found = segment_all([given[place].given for place in order])
    filled = sorted(place for place, segmented in zip(order, found, strict=True) if segmented)
    if not filled:
        raise InputError("the references are empty; give at least one with some text in it")
    nodes: list[_Node] = []
    for place, segmented in zip(order, found, strict=True):
        if segmented:
            segmentations = [sentence.segmentations for sentence in segmented]
            first = nodes[-1].sentence + 1 if nodes else 0
            nodes += _nodes(given[place], filled.index(place), first, segmentations)
    opened = encoders.load(encoder) if isinstance(encoder, str) else encoder
    words = [node.text for node in nodes]
    vectors = opened.encode(number_tagged(words) if tags_numbers else words)
    there = [given[place] for place in filled]
    return Read(nodes, vectors, there, builder, opened, tags_numbers)


def _capacities(choices: Choices) -> dict[str, str]:
    """The parameters of `edua-g` that are not the usual ones."""
    found = {}
    if choices.alpha is not None and choices.alpha != ALPHA:
        found["alpha"] = f"{choices.alpha:+g}"
    if choices.beta is not None and choices.beta != BETA:
        found["beta"] = f"{choices.beta:g}"
    return found


def _chosen(choices: Choices) -> tuple[str, str | Encoder, bool]:
    """The builder, the encoder, and whether numbers become tags."""
    if choices.preset is None:
        builder = choices.builder or DEFAULT_BUILDER
        if builder != _GREEDY and (choices.alpha, choices.beta) != (None, None):
            raise InputError(f"alpha and beta belong to the builder {_GREEDY!r}, not {builder!r}")
        return builder, choices.encoder or encoders.DEFAULT, False
    found = preset(choices.preset)
    if choices.builder not in (None, found.builder):
        raise InputError(
            f"the preset {choices.preset!r} builds with {found.builder!r}, not {choices.builder!r};"
            " leave out one of the two"
        )
    return found.builder, choices.encoder or found.encoder, found.tags_numbers


def _checked(references: Iterable[Text]) -> list[_Reference]:
    if isinstance(references, str):
        raise InputError("references must be a list of texts, got one string; write [text]")
    if not isinstance(references, Iterable) or isinstance(references, bytes | Mapping | Set):
        raise InputError(f"references must be a list of texts, got {type(references).__name__}")
    found = [_reference(text, place) for place, text in enumerate(references)]
    if not found:
        raise InputError("references is empty; give at least one reference")
    return found


def _reference(text: object, place: int) -> _Reference:
    if isinstance(text, str):
        return _Reference(text, text if _has_words(text) else "")
    try:
        given = tuple(sentences(text))  # type: ignore[arg-type]  # which it checks
    except InputError as error:
        raise InputError(f"references[{place}]: {error}") from None
    return _Reference("\n".join(given), given if any(map(_has_words, given)) else ())


def _has_words(text: str) -> bool:
    """Punctuation alone would join whatever is there, for want of anything nearer."""
    return any(map(str.isalnum, text))


def _sorting(reference: _Reference) -> tuple[str, bool, tuple[str, ...]]:
    whole = isinstance(reference.given, str)
    return reference.text, whole, () if isinstance(reference.given, str) else reference.given


def _nodes(
    reference: _Reference,
    number: int,
    first: int,
    found: Sequence[Sequence[Sequence[Segment]]],
) -> list[_Node]:
    shifts = [0] * len(found) if isinstance(reference.given, str) else reference.starts
    return [
        _Node(
            number,
            first + place,
            place,
            cut,
            part,
            segment.text,
            tuple((start + shifts[place], end + shifts[place]) for start, end in segment.spans),
        )
        for place, segmentations in enumerate(found)
        for cut, segments in enumerate(segmentations)
        for part, segment in enumerate(segments)
    ]


def _graph(nodes: Sequence[_Node], vectors: Floats, percentile: float) -> SegmentGraph:
    return SegmentGraph.from_vectors(
        [node.reference for node in nodes],
        [node.sentence for node in nodes],
        [node.segmentation for node in nodes],
        [node.segment for node in nodes],
        [node.text for node in nodes],
        vectors,
        percentile=percentile,
    )


def _units(graph: SegmentGraph, solution: Solution, nodes: Sequence[_Node]) -> list[Unit]:
    similarity = graph.similarity
    units = []
    for members in solution.units:
        rows = list(members)
        nearness = np.asarray(similarity[rows][:, rows].sum(axis=1)).ravel()
        _, _, label = min(
            (-float(near), len(nodes[node].text), nodes[node].text)
            for near, node in zip(nearness, rows, strict=True)
        )
        contributors = sorted(
            (_contributor(nodes[node]) for node in rows), key=lambda one: one.reference
        )
        units.append(Unit(label, tuple(contributors), graph.attraction(members)))
    return units


def _contributor(node: _Node) -> Contributor:
    place = (node.reference + 1, node.sentence_of_reference + 1, node.segmentation, node.segment)
    return Contributor(node.reference, node.text, ".".join(map(str, place)), node.spans)


def _reading(references: Sequence[_Reference]) -> dict[str, str]:
    """What made the sentences and the clauses, for the signature."""
    kinds = {isinstance(reference.given, str) for reference in references}
    split = "/".join(SPLITTERS["layout"] if whole else "given" for whole in sorted(kinds)[::-1])
    return {"split": split, "parse": PARSER}


def _cut_short(builder: str, solution: Solution) -> dict[str, str]:
    """A result that ran out of time may be another on a faster machine: the signature says so."""
    if builder == _GREEDY or solution.optimal:
        return {}
    return {"gap": f"{solution.gap:.4f}"}
