"""The scores of a run: each function computes the rows of one file, and their signature."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from commonground.benchmark.config import ROUGE_TYPES, Config, Variant
from commonground.io import Event
from commonground.metrics import Metric, column_value, registry
from commonground.pyramid import Pyramid

Progress = Callable[[int, int], None]
Outputs = Mapping[str, Mapping[str, str]]
Rows = list[dict[str, Any]]

QUANTITIES = ("raw", "quality", "coverage", "comprehensive")


@dataclass(slots=True)
class Group:
    """One system's summaries with the references that they are scored against.

    `reference` is the number of a single reference, or empty for all together.
    """

    system: str
    reference: str
    ids: list[str] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Material:
    """The events with references, and each system's summaries by id."""

    events: Mapping[str, Event]
    outputs: Outputs

    def items(self, system: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return id, summary and references, in the order of the data set."""
        summaries = self.outputs[system]
        return [
            (id_, summaries[id_], event.references)
            for id_, event in self.events.items()
            if id_ in summaries and event.references
        ]

    def groups(self, single: bool) -> dict[str, Group]:
        """Return what a metric scores: all references together, or each non-empty one alone."""
        groups: dict[str, Group] = {}
        for system in self.outputs:
            for id_, summary, references in self.items(system):
                alone = [(str(n), [one]) for n, one in enumerate(references, 1) if one.strip()]
                for number, targets in alone if single else [("", list(references))]:
                    group = groups.setdefault(f"{number}\t{system}", Group(system, number))
                    group.ids.append(id_)
                    group.summaries.append(summary)
                    group.references.append(targets)
        return groups


def metric_of(config: Config, name: str, encoder: str | None) -> Metric[Any, Any]:
    """Create a metric with the settings of a run."""
    options = {
        "encoder": encoder,
        "splitter": config.splitter,
        "stemmer": config.stemmer,
        "types": ROUGE_TYPES,
    }
    return registry.create(name, **registry.accepted(name, options))


def metric_rows(
    material: Material,
    config: Config,
    name: str,
    encoder: str | None,
    single: bool,
    progress: Progress | None,
) -> tuple[Rows, str]:
    """Score every summary with the main columns of a metric."""
    metric = metric_of(config, name, encoder)
    groups = material.groups(single)
    texts = {key: (group.summaries, group.references) for key, group in groups.items()}
    corpora = metric.corpora(texts, progress=progress)
    suffix = f".{encoder}" if encoder else ""
    rows = [
        {
            "id": id_,
            "system": groups[key].system,
            "metric": name + suffix,
            "value": column_value(item, column),
            **({"reference": groups[key].reference} if single else {}),
        }
        for key, corpus in corpora.items()
        for name, column in metric.main_columns.items()
        for id_, item in zip(groups[key].ids, corpus.items, strict=True)
    ]
    return rows, str(next(iter(corpora.values())).signature)


def baseline_rows(
    material: Material, config: Config, name: str, encoder: str | None, progress: Progress | None
) -> tuple[Rows, str]:
    """Compute the random baselines of a metric for each system."""
    metric = metric_of(config, name, encoder)
    rows: Rows = []
    signature = ""
    for done, system in enumerate(material.outputs, start=1):
        items = material.items(system)
        if len(items) > 1:
            _, summaries, references = zip(*items, strict=True)
            for baseline in metric.baselines(
                summaries, references, draws=config.draws, seed=config.seed
            ):
                signature = str(baseline.signature)
                rows.append({"system": system, "encoder": encoder, **baseline.to_dict()})
        if progress:
            progress(done, len(material.outputs))
    return rows, signature


def pyramid_rows(
    material: Material, config: Config, variant: Variant, progress: Progress | None
) -> tuple[Rows, str]:
    """Build a pyramid for each event that has references."""
    greedy = variant.builder == "edua-g"
    events = [event for event in material.events.values() if any(map(str.strip, event.references))]
    rows: Rows = []
    for event in events:
        pyramid = Pyramid.build(
            event.references,
            builder=variant.builder,
            encoder=variant.encoder,
            percentile=config.percentile,
            preset=config.preset,
            alpha=config.alpha if greedy else None,
            beta=config.beta if greedy else None,
        )
        rows.append({"id": event.id, "pyramid": pyramid.to_dict()})
        if progress:
            progress(len(rows), len(events))
    return rows, str(pyramid.signature) if events else ""


def pyramid_score_rows(
    material: Material,
    pyramids: Mapping[str, Pyramid],
    variant: Variant,
    progress: Progress | None,
) -> tuple[Rows, str]:
    """Score every summary by the pyramid of its event."""
    rows: Rows = []
    signature = ""
    for done, (id_, pyramid) in enumerate(pyramids.items(), start=1):
        hard = variant.method or "preset" in pyramid.signature.to_dict()
        scorer = pyramid.scorer(variant.method, variant.encoder if hard else None)
        for system, summaries in material.outputs.items():
            if id_ not in summaries:
                continue
            score = scorer.score(summaries[id_])
            signature = str(score.signature)
            for quantity in QUANTITIES:
                metric = pyramid_metric(variant, quantity)
                value = float(getattr(score, quantity))
                rows.append({"id": id_, "system": system, "metric": metric, "value": value})
        if progress:
            progress(done, len(pyramids))
    return rows, signature


def pyramid_metric(variant: Variant | str, quantity: str) -> str:
    """Return the name of a pyramid's score among the metrics of a run."""
    return f"pyramid.{variant}.{quantity}"


def mean(values: Sequence[float]) -> float:
    """Return the mean, the same in any order."""
    return fsum(values) / len(values)
