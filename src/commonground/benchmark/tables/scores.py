"""Tables of the data set and of scores: size, ROUGE, SEM-F1 with baselines, references."""

from collections.abc import Sequence
from typing import Any

from commonground.agreement import ReferenceAgreement, reference_agreement
from commonground.benchmark.config import ROUGE_TYPES
from commonground.benchmark.lengths import statistics
from commonground.benchmark.measure import mean
from commonground.benchmark.study import Study, interval_of, ours_first, shown_interval
from commonground.benchmark.tables.papers import papers, slashed, source
from commonground.report import shown_cell

Table = dict[str, Any]


class AbsentError(Exception):
    """The run lacks the data for a table; the message says which."""


def size_table(study: Study) -> Table:
    """List words and sentences of narratives and references."""
    table = statistics(study.events.values()).table()
    test = papers()["statistics"]["test"]
    theirs = {"narratives, concatenated": test["narratives"]}
    theirs |= {f"reference {n}": one for n, one in enumerate(test["references"], start=1)}
    for row in table["rows"]:
        paper = theirs.get(row[0], {})
        row += [paper.get("words"), paper.get("sentences")]
    table["columns"] = [*table["columns"], "paper: words", "paper: sentences"]
    table["notes"] = [
        *table["notes"],
        f"Paper: the 137 test events of AllSides ({source('statistics')}).",
    ]
    return table


def rouge_table(study: Study) -> Table:
    """List the mean ROUGE F1 of each system, best reference."""
    kinds = [kind for kind in ROUGE_TYPES if kind in study.metrics]
    if not kinds:
        raise AbsentError("the run has no ROUGE scores (--metric rouge)")
    values = {kind: study.values(kind) for kind in kinds}
    theirs = papers()["rouge"]["systems"]
    rows = []
    for ours, paper in ours_first(values[kinds[0]], theirs):
        mine = [values[kind][ours] if ours else [] for kind in kinds]
        row: list[Any] = [ours or f"{paper} (paper)", len(mine[0]) or None]
        for numbers in mine:
            row += _mean_interval(numbers) if numbers else [None, None]
        rows.append(row + [f"{theirs[paper][kind]:.4f}" if paper else None for kind in kinds])
    headings = [part for kind in kinds for part in (_rouge(kind), "95% interval")]
    return {
        "title": "ROUGE F1, best of the references",
        "columns": ["system", "events", *headings, *(f"paper: {_rouge(kind)}" for kind in kinds)],
        "rows": rows,
        "notes": [
            f"Paper: {source('rouge')}; its systems on 137 events of AllSides.",
            *_signature(study, "scores/rouge"),
        ],
    }


def semf1_table(study: Study) -> Table:
    """List the mean SEM-F1 of each system and encoder, with both random baselines."""
    encoders = [name for name in study.config.encoders if f"sem-f1.{name}" in study.metrics]
    if not encoders:
        raise AbsentError("the run has no SEM-F1 scores (--metric sem-f1)")
    chance = {
        (one["system"], one["encoder"], one["kind"]): one["mean"]["f1"] for one in study.baselines
    }
    theirs = papers()["sem-f1"]["systems"]
    kinds = ("random-reference", "random-output")
    rows: list[list[Any]] = []
    for encoder in encoders:
        values = study.values(f"sem-f1.{encoder}")
        for ours, paper in ours_first(values, theirs):
            if ours:
                row = [ours, encoder, len(values[ours]), *_mean_interval(values[ours])]
                row += [chance.get((ours, encoder, kind)) for kind in kinds]
                rows.append(row + _paper_semf1(paper))
        average = mean([mean(numbers) for numbers in values.values()])
        by_chance = [
            [value for key, value in chance.items() if key[1:] == (encoder, kind)] for kind in kinds
        ]
        means = [mean(numbers) if numbers else None for numbers in by_chance]
        rows.append(["Average", encoder, None, average, None, *means, *_paper_semf1("Average")])
    known = {row[0].lower() for row in rows}
    rows += [
        [f"{name} (paper)", *[None] * 6, *_paper_semf1(name)]
        for name in theirs
        if name.lower() not in known
    ]
    return {
        "title": "SEM-F1 and what it is by chance",
        "columns": [
            *("system", "encoder", "events", "SEM-F1", "95% interval"),
            *("random reference", "random output"),
            *("paper: SEM-F1", "paper: random reference", "paper: random output"),
        ],
        "rows": rows,
        "notes": [
            f"Paper: {source('sem-f1')}, encoders P-v1/STSB/USE; its systems on 137 events of "
            "AllSides.",
            f"Baselines: means of {study.config.draws} draws, seed {study.config.seed}.",
            *(note for name in encoders for note in _signature(study, f"scores/sem-f1.{name}")),
        ],
    }


def references_table(study: Study) -> Table:
    """List Pearson's correlation between the scores against different references."""
    found = reference_agreements(study)
    if not found:
        raise AbsentError("no metric has scores against two single references")
    rows = []
    for metric, agreement in found.items():
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
            f"Paper: the greatest of 3 systems; ROUGE: {source('references-rouge')}; SEM-F1 with "
            f"P-v1/STSB/USE: {source('references-sem-f1')}.",
        ],
    }


def reference_agreements(study: Study) -> dict[str, ReferenceAgreement]:
    """Return the agreement between references of every metric with scores against each."""
    metrics = dict.fromkeys(row.metric for row in study.scores if row.reference)
    return study.once(
        "references",
        lambda: {
            metric: reference_agreement(study.scores, metric)
            for metric in metrics
            if len(study.scores.references(metric)) > 1
        },
    )


def _mean_interval(numbers: Sequence[float]) -> list[Any]:
    return [mean(numbers), shown_interval(interval_of(numbers))]


def _paper_semf1(system: str | None) -> list[str | None]:
    if system is None:
        return [None] * 3
    theirs = papers()["sem-f1"]["systems"][system]
    return [slashed(theirs[kind]) for kind in ("actual", "random-reference", "random-output")]


def _paper_references(metric: str, pair: str) -> str | None:
    rouge = papers()["references-rouge"]["pairs"]
    if metric in rouge:
        value = rouge[metric].get(pair)
        return None if value is None else slashed({metric: value})
    if not metric.startswith("sem-f1"):
        return None
    semf1 = papers()["references-sem-f1"]["pairs"]
    values = {name: pairs[pair] for name, pairs in semf1.items() if pair in pairs}
    return slashed(values) or None


def _rouge(kind: str) -> str:
    return f"ROUGE-{kind.removeprefix('rouge')}"


def _signature(study: Study, name: str) -> list[str]:
    return list(filter(None, [study.signatures.get(name)]))
