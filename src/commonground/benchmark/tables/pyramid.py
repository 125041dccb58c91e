"""Tables of pyramids: encoders, weights, correlation with people, accuracy, parameters."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from commonground.agreement import correlation, metric_accuracy
from commonground.benchmark.config import GIVEN, Variant
from commonground.benchmark.measure import pyramid_metric
from commonground.benchmark.study import Study
from commonground.benchmark.tables.papers import (
    AbsentError,
    Table,
    gold_standard,
    heading,
    papers,
    shown_interval,
    shown_p,
    source,
)
from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.metrics import PyramidMetric, registry
from commonground.pyramid import Pyramid

NO_PYRAMIDS = "the run has no pyramids (--pyramid edua-g)"
NO_HUMAN = "no human scores of pyramids (metrics human-raw, human-quality ... in a scores file)"


def encoders_table(study: Study) -> Table:
    """List the correlation of pyramid scores with people's, by encoder of the segments."""
    variants = [variant for variant in study.config.variants if variant.builder not in GIVEN]
    if not variants:
        raise AbsentError(NO_PYRAMIDS)
    if "human-raw" not in study.metrics:
        raise AbsentError(NO_HUMAN)
    data = papers()["pyramid-encoders"]["data"]
    rows = []
    for variant in variants:
        estimate = _with_human(study, pyramid_metric(variant, "raw"), "human-raw")
        encoder = variant.encoder or DEFAULT_ENCODER
        paper = [values.get(encoder) for values in data.values()]
        builder = f"{variant.builder}, {variant.method or 'soft'}"
        rows.append([encoder, builder, estimate.value, shown_interval(estimate.interval), *paper])
    mine = {row[0] for row in rows}
    theirs = dict.fromkeys(name for values in data.values() for name in values)
    rows += [
        [f"{name} (paper)", "edua-g, wmin", None, None, *(v.get(name) for v in data.values())]
        for name in theirs
        if name not in mine
    ]
    return {
        "title": "Pyramid scores and people's, by encoder: Pearson's correlation of raw scores",
        "columns": ["encoder", "builder", "r", "95% interval", *(f"paper: {n}" for n in data)],
        "rows": rows,
        "notes": [
            "Over all summaries.",
            f"Paper: {source('pyramid-encoders')}; STS-14 is similarity of sentences.",
        ],
    }


def weights_table(study: Study) -> Table:
    """List the number of units of each weight in the pyramids."""
    if not study.pyramids:
        raise AbsentError(NO_PYRAMIDS)
    counts = {name: unit_counts(pyramids) for name, pyramids in study.pyramids.items()}
    weights = sorted(set().union(*counts.values()), reverse=True)
    theirs = papers()["pyramid-weights"]["topics"]
    rows: list[list[Any]] = []
    for name, pyramids in study.pyramids.items():
        events = len(pyramids)
        total = counts[name].total() / events
        row = [name, events, total, *(counts[name][weight] / events for weight in weights)]
        rows.append([*row, *(_distribution(topic.get(name)) for topic in theirs.values())])
    return {
        "title": "Content units by weight, means over pyramids",
        "columns": [
            *("pyramid", "pyramids", "all", *(f"w={weight}" for weight in weights)),
            *(f"paper: {topic} (all: w=5, 4, 3, ≤2)" for topic in theirs),
        ],
        "rows": rows,
        "notes": [f"Paper: {source('pyramid-weights')}; two topics with five references each."],
    }


def unit_counts(pyramids: Mapping[str, Pyramid]) -> Counter[int]:
    """Count the units of each weight in all pyramids."""
    return Counter(unit.weight for pyramid in pyramids.values() for unit in pyramid.units)


def human_table(study: Study) -> Table:
    """List the correlation of four pyramid scores, and of other metrics, with people's."""
    variants = study.config.variants
    if not variants:
        raise AbsentError(NO_PYRAMIDS)
    known = [name for name in PyramidMetric.columns if f"human-{name}" in study.metrics]
    if not known:
        raise AbsentError(NO_HUMAN)
    topics = papers()["pyramid-human"]["topics"]
    rows = []
    for variant in variants:
        row: list[Any] = [str(variant)]
        for quantity in known:
            metric = pyramid_metric(variant, quantity)
            row.append(_with_human(study, metric, f"human-{quantity}").value)
        rows.append([*row, *(_scores_of(topic.get(variant.builder)) for topic in topics.values())])
    target = "coverage" if "coverage" in known else known[0]
    names = dict.fromkeys(name for topic in topics.values() for name in topic)
    others = [name for name in names if registry.owner(name, registry.names())]
    for name in others:
        if name in study.metrics:
            value = _with_human(study, name, f"human-{target}").value
            cells = [value if column == target else None for column in known]
            rows.append([name, *cells, *(_scores_of(topic.get(name)) for topic in topics.values())])
    return {
        "title": "Pyramid scores and people's: Pearson's correlation",
        "columns": [
            "metric",
            *known,
            *(f"paper: {topic} (raw, quality, comprehensive)" for topic in topics),
        ],
        "rows": rows,
        "notes": [
            "Over all summaries; each score with the human one of the same name, "
            f"{', '.join(map(heading, others))} with human-{target}.",
            f"Paper: {source('pyramid-human')}; EDUA scored by wmin.",
        ],
    }


def topics_table(study: Study) -> Table:
    """List, for each topic, the correlation over systems of each score with the human one."""
    known = [name for name in PyramidMetric.columns if f"human-{name}" in study.metrics]
    if not known:
        raise AbsentError(NO_HUMAN)
    # Other metrics go with coverage, as in the table over all topics.
    target = "coverage" if "coverage" in known else known[0]
    metrics = {
        str(variant): {name: pyramid_metric(variant, name) for name in known}
        for variant in study.config.variants
    }
    own = {name for columns in metrics.values() for name in columns.values()}
    metrics |= {name: {target: name} for name in study.machine_metrics if name not in own}
    theirs = papers()["pyramid-human"]["topics"]
    rows: list[list[Any]] = []
    for topic in study.events:
        for label, columns in metrics.items():
            cells: list[Any] = [
                _over_systems(study, topic, columns[name], f"human-{name}")
                if name in columns
                else None
                for name in known
            ]
            if any(cell is not None for cell in cells):
                paper = theirs.get(topic.upper(), {}).get(label.partition("@")[0])
                rows.append([topic, label, *cells, _scores_of(paper)])
    if not rows:
        raise AbsentError("no topic has three systems with human scores that differ")
    return {
        "title": "Pyramid scores and people's by topic: Pearson's correlation over systems",
        "columns": ["topic", "metric", *known, "paper (raw, quality, comprehensive)"],
        "rows": rows,
        "notes": [
            f"Each score with the human one of the same name; other metrics with human-{target}.",
            f"Paper: {source('pyramid-human')}, for topics of the same name; EDUA scored by wmin.",
        ],
    }


def _over_systems(study: Study, topic: str, metric: str, human: str) -> float | None:
    _, ids, (ours, theirs) = study.scores.matched(metric, human)
    if topic not in ids:
        return None
    place = ids.index(topic)
    return correlation(ours[:, place], theirs[:, place]).value


def accuracy_table(study: Study) -> Table:
    """List how often metrics find the differences between systems that people find."""
    gold, metrics = gold_standard(study), study.machine_metrics
    systems = study.scores.pivot(gold).systems
    if len(systems) < 2 or not metrics:
        raise AbsentError("a comparison of systems needs two systems and a metric")
    tasks = papers()["wilcoxon"]["tasks"]
    rows = []
    for result in metric_accuracy(study.scores, gold, metrics):
        paper = [_accuracy(task.get(_paper_name(result.metric))) for task in tasks.values()]
        sd = None if result.sd is None else f"{result.sd:.3f}"
        row: list[Any] = [result.metric, result.mean, sd, shown_interval(result.interval)]
        row += [result.on_all, result.delta, result.missed, result.invented, result.reversed]
        rows.append(row + paper)
    pairs = len(systems) * (len(systems) - 1) // 2
    return {
        "title": f"Accuracy of metrics on the significant differences that {gold} finds",
        "columns": [
            *("metric", "mean accuracy", "sd", "95% interval", "all events", "delta"),
            *("missed", "invented", "reversed"),
            *(f"paper: task {task}" for task in tasks),
        ],
        "rows": rows,
        "notes": [
            f"Wilcoxon's signed-rank test at .05 on {pairs} pairs of systems; 100 draws of nine "
            "tenths of the events, the gold standard found anew on each.",
            f"Paper: {source('wilcoxon')}: mean (sd), accuracy on all 46 topics.",
        ],
    }


def anova_table(study: Study) -> Table:
    """Show a one-way ANOVA of the correlation with people by the parameters of `edua-g`."""
    grid = study.grid
    if grid is None:
        raise AbsentError("the run has no hyper-parameter study (--grid)")
    theirs = papers()["anova"]["parameters"]
    rows: list[list[Any]] = []
    for anova in grid.anova:
        name = anova.parameter
        paper = theirs.get("threshold" if name == "percentile" else name, {})
        row = [name, anova.df, anova.f, shown_p(anova.p)]
        rows.append([*row, paper.get("df"), paper.get("f"), shown_p(paper.get("p"))])
    best = grid.best
    at = ", ".join(f"{key} {value:g}" for key, value in best._asdict().items()) if best else "none"
    return {
        "title": f"What moves the correlation with people: one-way ANOVA of {len(grid.values)} "
        "settings of edua-g",
        "columns": ["parameter", "df", "F", "p", "paper: df", "paper: F", "paper: p"],
        "rows": rows,
        "notes": [
            f"Highest at {at}. The percentile of similarities sets the edge threshold.",
            f"Paper: {source('anova')}; 300 settings on DUC 2005.",
        ],
    }


def _with_human(study: Study, metric: str, human: str) -> Any:
    _, _, (ours, theirs) = study.scores.matched(metric, human)
    return correlation(ours.ravel(), theirs.ravel())


def _paper_name(metric: str) -> str:
    """Return the paper's name of a metric: the builder for a pyramid's raw score."""
    if metric.startswith("pyramid.") and metric.endswith(".raw"):
        return Variant.parse(metric.removeprefix("pyramid.").removesuffix(".raw")).builder
    return metric


def _distribution(cells: list[int] | None) -> str | None:
    return f"{cells[0]}: {', '.join(map(str, cells[1:]))}" if cells else None


def _scores_of(cells: Mapping[str, float] | None) -> str | None:
    return ", ".join(f"{value:.2f}" for value in cells.values()) if cells else None


def _accuracy(cell: Mapping[str, float] | None) -> str | None:
    return f"{cell['mean']:.2f} ({cell['sd']:.2f}), {cell['all']:.2f}" if cell else None
