"""The scores of a run: each function computes one file of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from commonground.benchmark.config import ROUGE_TYPES, Config, Variant
from commonground.io import Event
from commonground.metrics.rouge import Rouge
from commonground.metrics.semf1 import SemF1, random_output, random_reference
from commonground.pyramid import Pyramid

Progress = Callable[[int, int], None]
Outputs = Mapping[str, Mapping[str, str]]
Rows = list[dict[str, Any]]

_ALL = 0  # where a single reference has its number


@dataclass(frozen=True, slots=True)
class Material:
    """What is scored: the events with references, and each system's summaries by id."""

    events: Mapping[str, Event]
    outputs: Outputs

    def items(self, system: str) -> list[tuple[str, str, tuple[str, ...]]]:
        """Id, summary and references, in the order of the data set."""
        mine = self.outputs[system]
        return [
            (id_, mine[id_], event.references)
            for id_, event in self.events.items()
            if id_ in mine and event.references
        ]

    def corpora(self, single: bool) -> dict[str, tuple[list[str], list[list[str]]]]:
        """What a measure scores: all references together, or each of them alone."""
        found: dict[str, tuple[list[str], list[list[str]]]] = {}
        for system in self.outputs:
            for _, summary, references in self.items(system):
                chosen = enumerate(references, start=1) if single else [(_ALL, None)]
                for place, one in chosen:
                    targets = list(references) if one is None else [one]
                    # A reference that says nothing can agree with nobody.
                    if one is not None and not one.strip():
                        continue
                    texts, lists = found.setdefault(f"{place}\t{system}", ([], []))
                    texts.append(summary)
                    lists.append(targets)
        return found

    def ids(self, key: str) -> tuple[str, str, list[str]]:
        """The system, the reference and the ids behind a key of `corpora`."""
        place, system = key.split("\t", 1)
        number = int(place)
        ids = [
            id_
            for id_, _, references in self.items(system)
            if number == _ALL or (len(references) >= number and references[number - 1].strip())
        ]
        return system, "" if number == _ALL else place, ids


def rouge_rows(
    material: Material, config: Config, single: bool, progress: Progress | None
) -> tuple[Rows, str]:
    """ROUGE of every summary, by type, and the signature."""
    measure = Rouge(types=ROUGE_TYPES, stemmer=config.stemmer)
    found = measure.corpora(material.corpora(single), progress=progress)
    rows: Rows = []
    for key, corpus in found.items():
        for kind in ROUGE_TYPES:
            values = [item[kind].f1 for item in corpus.items]
            rows += _rows(material, key, kind, values)
    return rows, str(next(iter(found.values())).signature)


def semf1_rows(
    material: Material, config: Config, encoder: str, single: bool, progress: Progress | None
) -> tuple[Rows, str]:
    """SEM-F1 of every summary and the signature."""
    measure = SemF1(encoder, splitter=config.splitter)
    found = measure.corpora(material.corpora(single), progress=progress)
    rows: Rows = []
    for key, corpus in found.items():
        rows += _rows(material, key, f"sem-f1.{encoder}", [item.f1 for item in corpus.items])
    return rows, str(next(iter(found.values())).signature)


def baseline_rows(
    material: Material, config: Config, encoder: str, progress: Progress | None
) -> tuple[Rows, str]:
    """Both random baselines of SEM-F1 for each system, and a signature."""
    measure = SemF1(encoder, splitter=config.splitter)
    rows: Rows = []
    signature = ""
    for done, system in enumerate(material.outputs, start=1):
        items = material.items(system)
        if len(items) > 1:
            summaries = [summary for _, summary, _ in items]
            references = [list(texts) for _, _, texts in items]
            for draw in (random_reference, random_output):
                found = draw(measure, summaries, references, draws=config.draws, seed=config.seed)
                signature = str(found.signature)
                rows.append({"system": system, "encoder": encoder, **found.to_dict()})
        if progress:
            progress(done, len(material.outputs))
    return rows, signature


def pyramid_rows(
    material: Material, variant: Variant, progress: Progress | None
) -> tuple[Rows, str]:
    """A pyramid for each event that has references."""
    events = [event for event in material.events.values() if any(map(str.strip, event.references))]
    rows: Rows = []
    for event in events:
        pyramid = Pyramid.build(event.references, builder=variant.builder, encoder=variant.encoder)
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
    """Raw, quality, coverage and comprehensive scores of every summary."""
    rows: Rows = []
    signature = ""
    for done, (id_, pyramid) in enumerate(pyramids.items(), start=1):
        scorer = pyramid.scorer(variant.method, variant.encoder if variant.method else None)
        for system, mine in material.outputs.items():
            if id_ not in mine:
                continue
            score = scorer.score(mine[id_])
            signature = str(score.signature)
            for quantity in QUANTITIES:
                metric = pyramid_metric(variant, quantity)
                value = float(getattr(score, quantity))
                rows.append({"id": id_, "system": system, "metric": metric, "value": value})
        if progress:
            progress(done, len(pyramids))
    return rows, signature


QUANTITIES = ("raw", "quality", "coverage", "comprehensive")


def pyramid_metric(variant: Variant | str, quantity: str) -> str:
    """What a pyramid's score is called among the metrics of a run."""
    return f"pyramid.{variant}.{quantity}"


def mean(values: Sequence[float]) -> float:
    """The same in any order."""
    return fsum(values) / len(values)


def _rows(
    material: Material, key: str, metric: str, values: Sequence[float]
) -> Iterator[dict[str, Any]]:
    system, reference, ids = material.ids(key)
    more = {"reference": reference} if reference else {}
    for id_, value in zip(ids, values, strict=True):
        yield {"id": id_, "system": system, "metric": metric, "value": value, **more}
