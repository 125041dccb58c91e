"""Tables of human labels: agreement between annotators, and with metrics."""

from functools import lru_cache
from typing import Any

from commonground.agreement import (
    Agreement,
    Estimate,
    MachineAgreement,
    Ratings,
    SentenceLabels,
    annotator_agreement,
    machine_agreement,
    metric_correlation,
)
from commonground.benchmark.study import Study
from commonground.benchmark.tables.papers import (
    AbsentError,
    Table,
    gold_standard,
    papers,
    shown_interval,
    shown_p,
    slashed,
    source,
)
from commonground.errors import InputError
from commonground.metrics import registry
from commonground.report import shown_cell


def one_score_table(study: Study) -> Table:
    """List Kendall's tau between annotators who gave one score."""
    ratings = _ratings(study, "score", 'with one "score"')
    return _kendall("Agreement on one score", "kendall-one", ratings)


def two_scores_table(study: Study) -> Table:
    """List Kendall's tau between annotators who gave scores for precision and recall."""
    ratings = _ratings(study, "precision", 'of "precision" and "recall"')
    title = "Agreement on scores for precision and recall"
    return _kendall(title, "kendall-two", ratings)


def sentences_table(study: Study) -> Table:
    """List Kendall's tau between annotators who labelled sentences."""
    labels = _sentence_labels(study)
    return _kendall("Agreement on labels of sentences", "kendall-sentences", labels)


def reward_table(study: Study) -> Table:
    """List the papers' reward between annotators who labelled sentences."""
    rows: list[list[Any]] = []
    for agreement in _agreement(_sentence_labels(study)):
        theirs = papers()["reward-sentences"].get(agreement.quantity, {})
        for key, pair in zip(_paper_pairs(agreement), agreement.pairs, strict=True):
            if pair.reward is None or pair.reward.mean is None:
                continue
            paper = _plus_minus(*theirs[key]) if key in theirs else None
            ours = _plus_minus(pair.reward.mean, pair.reward.sd)
            name = f"{pair.first}, {pair.second}"
            rows.append([agreement.quantity, name, ours, pair.reward.n, paper])
        paper = f"{theirs['average']:.2f}" if "average" in theirs else None
        average = _shown(agreement.mean("reward"))
        rows.append([agreement.quantity, "average", average, None, paper])
    return {
        "title": "Agreement on labels of sentences, by the reward matrix",
        "columns": ["side", "annotators", "reward", "summaries", "paper"],
        "rows": rows,
        "notes": [
            "Mean ± standard deviation over summaries; recall pools the sentences of all "
            "references of a summary.",
            f"Paper: {source('reward-sentences')}; annotators by their order.",
        ],
    }


def thresholds_table(study: Study) -> Table:
    """Compare a metric's labels with people's, for every encoder and pair of thresholds."""
    rows = []
    for result in machine_agreements(study):
        significant = sum((tau.p or 1) < 0.05 for tau in result.tau.values())
        row: list[Any] = [result.encoder, result.side, result.thresholds, result.mean_reward]
        row += [result.mean_tau, f"{significant} of {len(result.tau)}"]
        keys = ("thresholds-reward", "thresholds-kendall")
        rows.append([*row, *(_paper_thresholds(key, result) for key in keys)])
    return {
        "title": f"Labels of {registry.labelling().upper()} beside people's, by thresholds",
        "columns": [
            *("encoder", "side", "thresholds", "reward", "Kendall's τ", "significant"),
            *("paper: reward", "paper: τ"),
        ],
        "rows": rows,
        "notes": [
            "Means over annotators; significant: for how many of them τ has p < .05.",
            f"Paper: P-v1/STSB/USE, means over its three annotators; {source('thresholds-reward')} "
            f"and {source('thresholds-kendall')}.",
        ],
    }


def thresholds_by_annotator_table(study: Study) -> Table:
    """Compare a metric's labels with each annotator's, with the deviation over summaries."""
    rows = []
    for result in machine_agreements(study):
        for number, (annotator, reward) in enumerate(result.reward.items(), start=1):
            tau = result.tau[annotator]
            star = "*" if tau.p is not None and tau.p < 0.05 else ""
            row: list[Any] = [result.encoder, result.side, result.thresholds, annotator]
            row.append(None if reward.mean is None else _plus_minus(reward.mean, reward.sd))
            row.append(f"{shown_cell(tau.value, 2)}{star}")
            keys = ("thresholds-reward", "thresholds-kendall")
            rows.append([*row, *(_paper_annotator(key, result, f"L{number}") for key in keys)])
    return {
        "title": f"Labels of {registry.labelling().upper()} beside each annotator's",
        "columns": [
            *("encoder", "side", "thresholds", "annotator", "reward", "Kendall's τ"),
            *("paper: reward", "paper: τ"),
        ],
        "rows": rows,
        "notes": [
            "Reward: mean ± standard deviation over summaries. * p < .05, uncorrected.",
            f"Paper: P-v1/STSB/USE, annotators by their order; {source('thresholds-reward')} and "
            f"{source('thresholds-kendall')}.",
        ],
    }


@lru_cache(maxsize=1)
def machine_agreements(study: Study) -> tuple[MachineAgreement, ...]:
    """Compare a metric's labels with people's, on the sentences of the label files."""
    labels = _sentence_labels(study)
    if not study.config.encoders:
        raise AbsentError("the run has no encoder (--encoder)")
    try:
        return machine_agreement(labels, study.config.encoders, thresholds=study.config.thresholds)
    except InputError as error:
        raise AbsentError(str(error)) from None


def correlation_table(study: Study) -> Table:
    """List the correlation of every metric with the gold standard, at three levels."""
    rows = []
    for metric, (pooled, system, summary) in correlations(study).items():
        row: list[Any] = [metric, pooled.value, shown_interval(pooled.interval), pooled.n]
        rows.append([*row, system.value, system.n, summary.value, summary.n])
    rows.sort(key=lambda row: (-(row[1] if row[1] is not None else -2), row[0]))
    return {
        "title": f"Pearson's correlation of every metric with {study.gold}",
        "columns": [
            *("metric", "all summaries", "95% interval", "summaries"),
            *("systems' means", "systems", "within events", "events"),
        ],
        "rows": rows,
        "notes": ["Intervals: 1000 bootstrap draws of events, seed 0."],
    }


@lru_cache(maxsize=1)  # a table and a plot show it
def correlations(study: Study) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """Return each metric's correlation with people: pooled, of systems' means, within events."""
    results = {}
    gold = gold_standard(study)
    for metric in study.machine_metrics:
        _, _, (ours, theirs) = study.scores.matched(metric, gold)
        results[metric] = (
            metric_correlation(ours, theirs, level="pooled", over="inputs"),
            metric_correlation(ours, theirs, level="system"),
            metric_correlation(ours, theirs, level="summary"),
        )
    return results


def _ratings(study: Study, quantity: str, kind: str) -> Ratings:
    for ratings in study.ratings:
        if quantity in ratings.values:
            return ratings
    raise AbsentError(f"no label file has ratings {kind}")


def _sentence_labels(study: Study) -> SentenceLabels:
    if study.sentence_labels is None:
        raise AbsentError("no label file has sentence labels (P, PP, A)")
    return study.sentence_labels


def _agreement(labels: Ratings | SentenceLabels) -> tuple[Agreement, ...]:
    if len(labels.annotators) < 2:
        raise AbsentError(f"the labels are all by {labels.annotators[0]!r}; agreement needs two")
    return annotator_agreement(labels)


def _kendall(title: str, table: str, labels: Ratings | SentenceLabels) -> Table:
    rows: list[list[Any]] = []
    alphas = []
    for a in _agreement(labels):
        theirs = papers()[table].get(a.quantity, {})
        for key, pair in zip(_paper_pairs(a), a.pairs, strict=True):
            name = f"{pair.first}, {pair.second}"
            row = [a.quantity, name, pair.tau.value, shown_p(pair.tau.p), pair.tau.n]
            rows.append([*row, pair.kappa.value, pair.weighted_kappa.value, theirs.get(key)])
        average = [a.quantity, "average", a.mean("tau"), None, None, a.mean("kappa")]
        rows.append([*average, a.mean("weighted_kappa"), theirs.get("average")])
        alphas.append(f"{a.quantity} {_shown(a.alpha['ordinal'].value)} on {a.items} items")
    return {
        "title": title,
        "columns": [
            *("quantity", "annotators", "Kendall's τ", "p", "items"),
            *("κ", "κ, linear weights", "paper: τ"),
        ],
        "rows": rows,
        "notes": [
            f"Krippendorff's α, ordinal: {'; '.join(alphas)}.",
            f"Paper: {source(table)}; annotators by their order.",
        ],
    }


def _paper_pairs(agreement: Agreement) -> list[str]:
    """Name the pairs as the papers do: the first annotator is L1."""
    order: dict[str, int] = {}
    for pair in agreement.pairs:
        for annotator in (pair.first, pair.second):
            order.setdefault(annotator, len(order) + 1)
    numbers = [sorted((order[pair.first], order[pair.second])) for pair in agreement.pairs]
    return [f"L{first}-L{second}" for first, second in numbers]


def _paper_thresholds(table: str, result: MachineAgreement) -> str | None:
    means = []
    for sides in papers()[table]["encoders"].values():
        cells = [labels.get(result.thresholds) for labels in sides[result.side].values()]
        numbers = [cell[0] if isinstance(cell, list) else cell for cell in cells if cell]
        if numbers:
            means.append(sum(numbers) / len(numbers))
    return slashed(means)


def _paper_annotator(table: str, result: MachineAgreement, annotator: str) -> str | None:
    """Return the figures of one annotator of the paper, one for each of its encoders."""
    sides = [sides[result.side] for sides in papers()[table]["encoders"].values()]
    cells = [side.get(annotator, {}).get(result.thresholds) for side in sides]
    pairs = [cell if isinstance(cell, list) else [cell] for cell in cells if cell is not None]
    return " / ".join(_plus_minus(cell[0], *(cell[1:] or [None])) for cell in pairs) or None


def _plus_minus(mean: float, sd: float | None) -> str:
    return f"{mean:.2f}" if sd is None else f"{mean:.2f} ± {sd:.2f}"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
