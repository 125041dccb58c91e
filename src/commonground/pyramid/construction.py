"""From references to units: segments, vectors, graph, builder."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np

from commonground import encoders
from commonground.encoders import Encoder
from commonground.errors import InputError
from commonground.pyramid.builders.build import ALPHA, BETA, EXACT, build
from commonground.pyramid.builders.graph import Floats, SegmentGraph
from commonground.pyramid.builders.task import Solution
from commonground.pyramid.ideas import with_ideas
from commonground.pyramid.presets import prepared, preset
from commonground.pyramid.pyreval import segments as pyreval
from commonground.pyramid.unit import Contributor, Unit, by_reference
from commonground.score import Signature
from commonground.text import PARSER, SPLITTERS, SegmentedSentence, segment_all, sentences

DEFAULT_BUILDER: Final = "edua-g"

# The builder with capacities.
_MAX_ALPHA, _MAX_BETA = 1_000_000, 100  # beyond them, powers overflow
_GREEDY: Final = "edua-g"

Text = str | Sequence[str]


class _Reference(NamedTuple):
    """A reference: its text, and what to segment (the text, or sentences already split)."""

    text: str
    source: str | tuple[str, ...]

    @property
    def is_split(self) -> bool:
        return not isinstance(self.source, str)


class _Node(NamedTuple):
    """A segment of a reference; `sentence` is numbered over all references."""

    reference: int
    sentence: int
    segmentation: int
    segment: int
    text: str
    contributor: Contributor


@dataclass(frozen=True, slots=True)
class Choices:
    """How units are built; None means the preset's choice or the default."""

    builder: str | None
    encoder: str | Encoder | None
    percentile: float
    preset: str | None = None
    alpha: float | None = None
    beta: float | None = None
    ideas: bool = True


@dataclass(frozen=True, slots=True)
class EncodedReferences:
    """References segmented and encoded, ready for any builder parameters and percentile."""

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
        """Return the graph of the segments."""
        columns: list[Any] = list(zip(*self.nodes, strict=True))[:5]
        columns.append(self.vectors)
        return SegmentGraph.from_vectors(*columns, percentile=percentile)

    def units(self, graph: SegmentGraph, solution: Solution) -> tuple[Unit, ...]:
        """Return the units of a solution; the label is the contributor nearest to the others."""
        similarity = graph.similarity
        units = []
        for members in solution.units:
            rows = list(members)
            nearness = np.asarray(similarity[rows][:, rows].sum(axis=1)).ravel()
            texts = [self.nodes[node].text for node in rows]
            _, _, label = min(zip((-nearness).tolist(), map(len, texts), texts, strict=True))
            contributors = by_reference(self.nodes[node].contributor for node in rows)
            units.append(Unit(label, contributors, graph.attraction(members)))
        return tuple(units)

    def signature(self, choices: Choices, solution: Solution) -> Signature:
        """Return the signature of a solution: everything that its units depend on."""
        fields = {"preset": choices.preset} if choices.preset else {}
        fields["builder"] = self.builder
        if choices.alpha not in (None, ALPHA):
            fields["alpha"] = f"{choices.alpha:+g}"
        if choices.beta not in (None, BETA):
            fields["beta"] = f"{choices.beta:g}"
        fields["enc"] = encoders.shown(self.encoder)
        if self.tags_numbers:
            fields["num"] = "tag"
        kinds = sorted({reference.is_split for reference in self.references})
        fields["split"] = "/".join("given" if kind else SPLITTERS["layout"] for kind in kinds)
        fields |= {"parse": PARSER, "edge": f"p{choices.percentile:g}"}
        fields["refs"] = str(len(self.references))
        # A result that ran out of time may differ on a faster machine.
        if self.builder in EXACT and not solution.optimal:
            fields["gap"] = f"{solution.gap:.4f}"
        return Signature.of("PYRAMID", **fields)


def built(
    references: Iterable[Text], choices: Choices
) -> tuple[tuple[Unit, ...], tuple[str, ...], Signature]:
    """Return the units, the texts of the references that are not empty, and the signature."""
    encoded = read(references, choices)
    graph = encoded.graph(choices.percentile)
    alpha = None if choices.alpha is None else len(graph) + choices.alpha
    beta = BETA if choices.beta is None else choices.beta
    as_pyreval = choices.preset is not None
    solution = build(graph, encoded.builder, alpha=alpha, beta=beta, pyreval=as_pyreval)
    units = encoded.units(graph, solution)
    if choices.ideas and not choices.preset:  # a preset labels as the published system does
        units = with_ideas(units, encoded.texts)
    return units, encoded.texts, encoded.signature(choices, solution)


def read(references: Iterable[Text], choices: Choices) -> EncodedReferences:
    """Segment and encode references.

    References are processed in the order of their texts, so that their input order only affects
    how they are numbered.
    """
    builder, encoder, tags_numbers = _resolved(choices)
    checked = _checked(references)

    def key(index: int) -> tuple[str, bool, tuple[str, ...]]:
        text, source = checked[index]
        return (text, True, ()) if isinstance(source, str) else (text, False, source)

    order = sorted(range(len(checked)), key=key)
    segmenter = pyreval.segment_all if choices.preset else segment_all
    segmented = dict(zip(order, segmenter([checked[i].source for i in order]), strict=True))
    filled = [index for index in range(len(checked)) if segmented[index]]
    if not filled:
        raise InputError("the references are empty; give at least one with some text in it")
    nodes: list[_Node] = []
    for index in order:
        if segmented[index]:
            first = nodes[-1].sentence + 1 if nodes else 0
            nodes += _nodes(checked[index], filled.index(index), first, segmented[index])
    loaded = encoders.as_encoder(encoder)
    texts = [node.text for node in nodes]
    vectors = loaded.encode(prepared(texts, loaded) if tags_numbers else texts)
    kept = [checked[index] for index in filled]
    return EncodedReferences(nodes, vectors, kept, builder, loaded, tags_numbers)


def _resolved(choices: Choices) -> tuple[str, str | Encoder, bool]:
    """Return the builder, the encoder, and whether numbers become tags."""
    limits = (("alpha", choices.alpha, _MAX_ALPHA), ("beta", choices.beta, _MAX_BETA))
    for name, number, most in limits:
        if number is not None and not isinstance(number, int | float):
            raise InputError(f"{name} must be a number, not {number!r}")
        if number is not None and not abs(number) <= most:
            raise InputError(f"{name} must be from -{most:,} to {most:,}, not {number}")
    chosen = preset(choices.preset) if choices.preset else None
    builder = choices.builder or (chosen.builders[0] if chosen else DEFAULT_BUILDER)
    if chosen and builder not in chosen.builders:
        raise InputError(
            f"the preset {choices.preset!r} builds with {' or '.join(chosen.builders)}, "
            f"not {builder!r}; choose one of them or leave out the preset"
        )
    if builder != _GREEDY and (choices.alpha, choices.beta) != (None, None):
        raise InputError(f"alpha and beta belong to the builder {_GREEDY!r}, not {builder!r}")
    default = chosen.encoder if chosen else encoders.DEFAULT
    return builder, choices.encoder or default, chosen is not None and chosen.tags_numbers


def _checked(references: Iterable[Text]) -> list[_Reference]:
    if isinstance(references, str):
        raise InputError("references must be a list of texts, got one string; write [text]")
    if not isinstance(references, Iterable) or isinstance(references, bytes | Mapping | Set):
        raise InputError(f"references must be a list of texts, got {type(references).__name__}")
    checked = [_reference(text, index) for index, text in enumerate(references)]
    if not checked:
        raise InputError("references is empty; give at least one reference")
    return checked


def _reference(text: Text, index: int) -> _Reference:
    """Check a reference; punctuation alone counts as empty, or it would join anything."""
    if isinstance(text, str):
        return _Reference(text, text if any(map(str.isalnum, text)) else "")
    try:
        source = tuple(sentences(text))
    except InputError as error:
        raise InputError(f"references[{index}]: {error}") from None
    joined = "\n".join(source)
    return _Reference(joined, source if any(map(str.isalnum, joined)) else ())


def _nodes(
    reference: _Reference, number: int, first: int, segmented: Sequence[SegmentedSentence]
) -> list[_Node]:
    """Return the segments of a reference; `first` is the number of its first sentence."""
    offsets = [0] * len(segmented)
    if reference.is_split:  # spans are then relative to the sentence
        offsets = list(accumulate((len(s) + 1 for s in reference.source), initial=0))
    nodes = []
    for index, sentence in enumerate(segmented):
        for segmentation, segments in enumerate(sentence.segmentations):
            for position, segment in enumerate(segments):
                identity = f"{number + 1}.{index + 1}.{segmentation}.{position}"
                shift = offsets[index]
                spans = tuple((start + shift, end + shift) for start, end in segment.spans)
                contributor = Contributor(number, segment.text, identity, spans)
                labels = number, first + index, segmentation, position
                nodes.append(_Node(*labels, segment.text, contributor))
    return nodes
