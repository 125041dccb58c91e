"""Tables of the data set and of scores: sizes, metrics with and without baselines, references."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from commonground.agreement import ReferenceAgreement, main_names, reference_agreement
from commonground.benchmark.dataset import statistics
from commonground.benchmark.measure import mean
from commonground.benchmark.study import Study, interval_of
from commonground.benchmark.tables.papers import (
    AbsentError,
    Table,
    heading,
    ours_first,
    papers,
    shown_interval,
    slashed,
    source,
)
from commonground.metrics import registry
from commonground.report import shown_cell

_SYSTEMS = "its systems on 137 events of AllSides."
_BASELINES = ("random-reference", "random-output")


def size_table(study: Study) -> Table:
    """List words and sentences of narratives and references."""
    table = statistics(study.events.values()).table()
    test = papers()["statistics"]["test"]
    theirs = {"narratives, concatenated": test["narratives"]}
    theirs |= {f"reference {n}": text for n, text in enumerate(test["references"], start=1)}
    for row in table["rows"]:
        paper = theirs.get(row[0], {})
        row += [paper.get("words"), paper.get("sentences")]
    table["columns"] = [*table["columns"], "paper: words", "paper: sentences"]
    table["notes"] = [
        *table["notes"],
        f"Paper: the 137 test events of AllSides ({source('statistics')}).",
    ]
    return table


def columns_table(study: Study, metric: str) -> Table:
    """List the mean of each system by each published column of a metric."""
    theirs = papers()[metric]["systems"]
    columns = [name for name in next(iter(theirs.values())) if name in study.metrics]
    if not columns:
        raise AbsentError(f"the run has no {metric.upper()} scores (--metric {metric})")
    values = {name: study.values(name) for name in columns}
    rows = []
    for ours, paper in ours_first(values[columns[0]], theirs):
        mine = [values[name][ours] if ours else [] for name in columns]
        row: list[Any] = [ours or f"{paper} (paper)", len(mine[0]) or None]
        for numbers in mine:
            row += _mean_interval(numbers)
        rows.append(row + [f"{theirs[paper][name]:.4f}" if paper else None for name in columns])
    headings = [part for name in columns for part in (heading(name), "95% interval")]
    return {
        "title": f"{metric.upper()} F1, best of the references",
        "columns": ["system", "events", *headings, *(f"paper: {heading(n)}" for n in columns)],
        "rows": rows,
        "notes": [
            f"Paper: {source(metric)}; {_SYSTEMS}",
            *_stemming(study, metric),
            *_signatures(study, [metric]),
        ],
    }


def baselines_table(study: Study, metric: str) -> Table:
    """List the mean of each system and encoder by a metric, with its random baselines."""
    columns = {f"{metric}.{encoder}": encoder for encoder in study.config.encoders}
    columns = {name: encoder for name, encoder in columns.items() if name in study.metrics}
    label = metric.upper()
    if not columns:
        raise AbsentError(f"the run has no {label} scores (--metric {metric})")
    theirs = papers()[metric]["systems"]

    def paper(system: str | None) -> list[str | None]:
        figures = theirs[system] if system else {}
        return [slashed(figures.get(kind, {}).values()) for kind in ("actual", *_BASELINES)]

    rows: list[list[Any]] = []
    for name, encoder in columns.items():
        values = study.values(name)
        chance = {(b["system"], b["kind"]): b["mean"]["f1"] for b in study.baselines(name)}
        for ours, published in ours_first(values, theirs):
            if ours:
                row = [ours, encoder, len(values[ours]), *_mean_interval(values[ours])]
                row += [chance.get((ours, kind)) for kind in _BASELINES]
                rows.append(row + paper(published))
        average = mean([mean(numbers) for numbers in values.values()])
        by_chance = [[value for key, value in chance.items() if key[1] == k] for k in _BASELINES]
        means = [mean(numbers) if numbers else None for numbers in by_chance]
        rows.append(["Average", encoder, None, average, None, *means, *paper("Average")])
    known = {row[0].lower() for row in rows}
    rows += [
        [f"{name} (paper)", *[None] * 6, *paper(name)]
        for name in theirs
        if name.lower() not in known
    ]
    kinds = [kind.replace("-", " ") for kind in _BASELINES]
    return {
        "title": f"{label} and what it is by chance",
        "columns": [
            *("system", "encoder", "events", label, "95% interval", *kinds),
            *(f"paper: {name}" for name in (label, *kinds)),
        ],
        "rows": rows,
        "notes": [
            f"Paper: {source(metric)}, encoders P-v1/STSB/USE; {_SYSTEMS}",
            f"Baselines: means of {study.config.draws} draws, seed {study.config.seed}.",
            *_signatures(study, columns),
        ],
    }


def references_table(study: Study) -> Table:
    """List Pearson's correlation between the scores against different references."""
    rows = []
    for metric, agreement in reference_agreements(study).items():
        for pair in agreement.pairs:
            greatest = pair.greatest
            star = "*" if greatest and (greatest[1].p or 1) < 0.05 else ""
            most = f"{shown_cell(greatest[1].value)}{star}" if greatest else None
            share = f"{pair.significant()} of {len(pair.by_system)}"
            key = f"{pair.first}-{pair.second}"
            rows.append([metric, key, pair.mean, most, share, _paper_references(metric, key)])
        most = shown_cell(agreement.mean_of_greatest)
        paper = _paper_references(metric, "average")
        rows.append([metric, "average", agreement.mean, most, None, paper])
    published = "; ".join(f"{t['label']}: {t['source']}" for t in reference_papers().values())
    return {
        "title": "Pearson's correlation between the scores against different references",
        "columns": [
            *("metric", "references", "mean of systems", "greatest of systems"),
            *("significant systems", "paper: greatest"),
        ],
        "rows": rows,
        "notes": [
            "References by their place in the data set. * p < .05 for that system, uncorrected; "
            "the greatest of many systems flatters, the mean does not.",
            f"Paper: the greatest of 3 systems; {published}.",
        ],
    }


@lru_cache(maxsize=1)  # a table and a plot show it
def reference_agreements(study: Study) -> dict[str, ReferenceAgreement]:
    """Return the agreement between references of every metric with scores against each.

    Raises:
        AbsentError: There is no such metric.
    """
    known = dict.fromkeys(row.metric for row in study.scores if row.reference)
    metrics = study.machine_metrics if study.chosen else main_names(known)
    agreements = {
        metric: reference_agreement(study.scores, metric)
        for metric in metrics
        if len(study.scores.references(metric)) > 1
    }
    if not agreements:
        raise AbsentError("no metric has scores against two single references")
    return agreements


def reference_papers() -> dict[str, Any]:
    """Return the published figures of agreement between references, by metric."""
    key = "references-"
    return {name.removeprefix(key): t for name, t in papers().items() if name.startswith(key)}


def _paper_references(metric: str, pair: str) -> str | None:
    """Return the figure of a metric's column, or those of all encoders."""
    published = reference_papers()
    name = registry.owner(metric, published)
    figures = published[name]["pairs"] if name else {}
    columns = [metric] if metric in figures else figures if metric.startswith(f"{name}.") else []
    return slashed(figures[column][pair] for column in columns if pair in figures[column])


def _mean_interval(numbers: Sequence[float]) -> list[Any]:
    return [mean(numbers), shown_interval(interval_of(numbers))] if numbers else [None, None]


def _stemming(study: Study, metric: str) -> list[str]:
    """Return whether the paper compares stems, and whether the run does."""
    where = papers()[metric].get("stems")
    if not where:
        return []
    ours = "so does this run" if study.config.stemmer else "this run does not (--no-stemmer)"
    return [f"The paper compares Porter stems ({where}); {ours}."]


def _signatures(study: Study, metrics: Iterable[str]) -> list[str]:
    lines = (study.signatures.get(f"scores/{metric}") for metric in metrics)
    return [line for line in lines if line]
