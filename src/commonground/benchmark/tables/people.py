"""Tables of people's labels: do annotators agree, and does the machine agree with them?"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from commonground.agreement import (
    Agreement,
    Estimate,
    MachineAgreement,
    Ratings,
    annotator_agreement,
    machine_agreement,
    metric_correlation,
)
from commonground.benchmark.study import Study, shown_interval, shown_p
from commonground.benchmark.tables.papers import papers, slashed, source
from commonground.benchmark.tables.scores import AbsentError, Table
from commonground.errors import InputError


def one_score_table(study: Study) -> Table:
    """Kendall's tau between annotators who gave one score."""
    ratings = next((one for one in study.ratings if "score" in one.values), None)
    if ratings is None:
        raise AbsentError('no label file has ratings with one "score"')
    return _kendall("Agreement on one score", "kendall-one", _agreement(ratings))


def two_scores_table(study: Study) -> Table:
    """Kendall's tau between annotators who gave scores for precision and recall."""
    ratings = next((one for one in study.ratings if "precision" in one.values), None)
    if ratings is None:
        raise AbsentError('no label file has ratings of "precision" and "recall"')
    title = "Agreement on scores for precision and recall"
    return _kendall(title, "kendall-two", _agreement(ratings))


def sentences_table(study: Study) -> Table:
    """Kendall's tau between annotators who labelled sentences."""
    labels = study.sentence_labels
    if labels is None:
        raise AbsentError("no label file has sentence labels (P, PP, A)")
    title = "Agreement on labels of sentences"
    return _kendall(title, "kendall-sentences", _agreement(labels))


def reward_table(study: Study) -> Table:
    """The papers' reward between annotators who labelled sentences."""
    labels = study.sentence_labels
    if labels is None:
        raise AbsentError("no label file has sentence labels (P, PP, A)")
    rows: list[list[Any]] = []
    for agreement in _agreement(labels):
        theirs = papers()["reward-sentences"].get(agreement.quantity, {})
        for place, pair in zip(_places(agreement), agreement.pairs, strict=True):
            if pair.reward is None or pair.reward.mean is None:
                continue
            paper = f"{theirs[place][0]:.2f} ± {theirs[place][1]:.2f}" if place in theirs else None
            mine = _plus_minus(pair.reward.mean, pair.reward.sd)
            name = f"{pair.first}, {pair.second}"
            rows.append([agreement.quantity, name, mine, pair.reward.n, paper])
        average, paper_mean = agreement.mean("reward"), theirs.get("average")
        paper = None if paper_mean is None else f"{paper_mean:.2f}"
        mine = "–" if average is None else f"{average:.3f}"
        rows.append([agreement.quantity, "average", mine, None, paper])
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
    """Labels inferred by SEM-F1 beside people's, for every encoder and pair of thresholds."""
    rows = []
    for one in machine_agreements(study):
        rewards, taus = _paper_thresholds(one)
        significant = sum((tau.p or 1) < 0.05 for tau in one.tau.values())
        rows.append(
            [
                one.encoder,
                one.side,
                one.thresholds,
                one.mean_reward,
                one.mean_tau,
                f"{significant} of {len(one.tau)}",
                rewards,
                taus,
            ]
        )
    return {
        "title": "Labels of SEM-F1 beside people's, by thresholds",
        "columns": [
            "encoder",
            "side",
            "thresholds",
            "reward",
            "Kendall's τ",
            "significant",
            "paper: reward",
            "paper: τ",
        ],
        "rows": rows,
        "notes": [
            "Means over annotators; significant: for how many of them τ has p < .05.",
            f"Paper: P-v1/STSB/USE, means over its three annotators; {source('thresholds-reward')} "
            f"and {source('thresholds-kendall')}.",
        ],
    }


def machine_agreements(study: Study) -> tuple[MachineAgreement, ...]:
    """SEM-F1's labels beside people's, with the sentences that the label files spell out."""
    labels = study.sentence_labels
    if labels is None:
        raise AbsentError("no label file has sentence labels (P, PP, A)")
    if not study.config.encoders:
        raise AbsentError("the run has no encoder (--encoder)")
    try:
        return machine_agreement(labels, study.config.encoders, thresholds=study.config.thresholds)
    except InputError as error:
        raise AbsentError(str(error)) from None


def correlation_table(study: Study) -> Table:
    """How every metric correlates with people's judgement, at three levels."""
    gold = study.gold
    if gold is None:
        raise AbsentError("no human scores: give labels, or scores and --gold")
    rows = []
    for metric, levels in correlations(study, gold).items():
        pooled, system, summary = levels
        row: list[Any] = [metric, pooled.value, shown_interval(pooled.interval), pooled.n]
        rows.append([*row, system.value, system.n, summary.value, summary.n])
    rows.sort(key=lambda row: (-(row[1] if row[1] is not None else -2), row[0]))
    return {
        "title": f"Pearson's correlation of every metric with {gold}",
        "columns": [
            "metric",
            "all summaries",
            "95% interval",
            "summaries",
            "systems' means",
            "systems",
            "within events",
            "events",
        ],
        "rows": rows,
        "notes": ["Intervals: 1000 bootstrap draws of events, seed 0."],
    }


def correlations(study: Study, gold: str) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """By metric: over all summaries, over systems' means, and the mean of those within events."""

    def found(metric: str) -> tuple[Estimate, Estimate, Estimate]:
        _, _, (ours, theirs) = study.scores.matched(metric, gold)
        return (
            metric_correlation(ours, theirs, level="pooled", over="inputs"),
            metric_correlation(ours, theirs, level="system"),
            metric_correlation(ours, theirs, level="summary"),
        )

    return study.once("correlations", lambda: {one: found(one) for one in study.machine_metrics})


def _agreement(labels: Any) -> tuple[Agreement, ...]:
    if len(labels.annotators) < 2:
        raise AbsentError(f"the labels are all by {labels.annotators[0]!r}; agreement needs two")
    found = annotator_agreement(labels)
    wanted = ("precision", "recall") if not isinstance(labels, Ratings) else tuple(labels.values)
    return tuple(one for one in found if one.quantity in wanted)


def _kendall(title: str, key: str, found: Sequence[Agreement]) -> Table:
    rows: list[list[Any]] = []
    for one in found:
        theirs = papers()[key].get(one.quantity, {})
        for place, pair in zip(_places(one), one.pairs, strict=True):
            name = f"{pair.first}, {pair.second}"
            row = [one.quantity, name, pair.tau.value, shown_p(pair.tau.p), pair.tau.n]
            rows.append([*row, pair.kappa.value, pair.weighted_kappa.value, theirs.get(place)])
        average = [one.quantity, "average", one.mean("tau"), None, None, one.mean("kappa")]
        rows.append([*average, one.mean("weighted_kappa"), theirs.get("average")])
    alphas = "; ".join(
        f"{one.quantity} {_shown(one.alpha['ordinal'].value)} on {one.items} items" for one in found
    )
    return {
        "title": title,
        "columns": [
            "quantity",
            "annotators",
            "Kendall's τ",
            "p",
            "items",
            "κ",
            "κ, linear weights",
            "paper: τ",
        ],
        "rows": rows,
        "notes": [
            f"Krippendorff's α, ordinal: {alphas}.",
            f"Paper: {source(key)}; annotators by their order.",
        ],
    }


def _places(agreement: Agreement) -> list[str]:
    """The pairs as the papers name them: the first annotator is L1."""
    order = list(
        dict.fromkeys(who for pair in agreement.pairs for who in (pair.first, pair.second))
    )
    names = {who: f"L{n}" for n, who in enumerate(order, start=1)}
    known = set(combinations(names.values(), 2))
    found = [(names[pair.first], names[pair.second]) for pair in agreement.pairs]
    return ["-".join(pair if pair in known else pair[::-1]) for pair in found]


def _paper_thresholds(one: MachineAgreement) -> tuple[str | None, str | None]:
    cells: list[str | None] = []
    for key in ("thresholds-reward", "thresholds-kendall"):
        means = {}
        for encoder, sides in papers()[key]["encoders"].items():
            found = [labels.get(one.thresholds) for labels in sides[one.side].values()]
            numbers = [cell[0] if isinstance(cell, list) else cell for cell in found if cell]
            if numbers:
                means[encoder] = sum(numbers) / len(numbers)
        cells.append(slashed(means) or None)
    return cells[0], cells[1]


def _plus_minus(mean: float, sd: float | None) -> str:
    return f"{mean:.2f}" if sd is None else f"{mean:.2f} ± {sd:.2f}"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
