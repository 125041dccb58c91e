"""Tables of the results of studies, as plain dicts that `commonground.report` prints."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from commonground.agreement.annotators import STATISTICS, Agreement, MachineAgreement
from commonground.agreement.coefficients import Estimate, Spread, mean_of
from commonground.agreement.comparisons import Accuracy, PairedTest, PairOutcome
from commonground.agreement.grid import GridStudy
from commonground.agreement.labels import Sample
from commonground.agreement.references import ReferenceAgreement
from commonground.metrics import registry
from commonground.report import shown_cell
from commonground.score import PRF, Interval

Table = dict[str, Any]
SIGNIFICANT = 0.05

_STARRED = "* p < .05"


def p_text(p: float | None) -> str | None:
    """Format a p-value.

    Example:
        >>> p_text(0.00012), p_text(0.0312)
        ('<.001', '.031')
    """
    if p is None:
        return None
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def starred(estimate: Estimate) -> str | None:
    """Format the value, with a star if it is significant."""
    if estimate.value is None:
        return None
    star = "*" if estimate.p is not None and estimate.p < SIGNIFICANT else ""
    return shown_cell(estimate.value) + star


def spread_text(spread: Spread | None) -> str | None:
    """Format a mean with its deviation."""
    if spread is None or spread.mean is None:
        return None
    return shown_cell(spread.mean) + ("" if spread.sd is None else f" ± {shown_cell(spread.sd)}")


def interval_text(interval: Interval | None) -> str | None:
    """Format the two bounds."""
    return f"{shown_cell(interval.low)} to {shown_cell(interval.high)}" if interval else None


def annotator_table(agreement: Agreement) -> Table:
    """List every pair of annotators, and their mean (tables 7, 8 and 10 of the SOS paper)."""
    rows: list[list[Any]] = [
        [
            f"{pair.first} – {pair.second}",
            pair.tau.n,
            starred(pair.tau),
            p_text(pair.tau.p),
            pair.kappa.value,
            pair.weighted_kappa.value,
            spread_text(pair.reward),
        ]
        for pair in agreement.pairs
    ]
    tau, *means = map(agreement.mean, STATISTICS)
    rows.append(["mean", None, tau, None, *means])
    columns = ["annotators", "items", "tau-b", "p", "kappa", "weighted kappa", "reward"]
    if all(pair.reward is None for pair in agreement.pairs):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    alphas = [f"{level} {shown_cell(alpha.value)}" for level, alpha in agreement.alpha.items()]
    notes = [
        f"{agreement.items} items, {agreement.complete} of them labelled by all annotators.",
        f"Krippendorff's alpha: {', '.join(alphas)}.",
        _STARRED,
    ]
    reasons = {pair.tau.note for pair in agreement.pairs} - {""}
    return {
        "title": f"Agreement on {agreement.quantity}",
        "columns": columns,
        "rows": rows,
        "notes": [*notes, *(f"– {reason}" for reason in sorted(reasons))],
    }


def label_score_table(scores: Mapping[str, Mapping[Sample, PRF]]) -> Table:
    """List mean precision, recall and F1 from labels, by annotator and system."""
    rows = []
    for annotator, by_sample in scores.items():
        for system in sorted({sample.system for sample in by_sample}):
            scored = [prf for sample, prf in by_sample.items() if sample.system == system]
            means = [mean_of(column) for column in zip(*scored, strict=True)]
            rows.append([annotator, system or None, len(scored), *means])
    return {
        "title": "Scores from the labels",
        "columns": ["annotator", "system", "summaries", "precision", "recall", "F1"],
        "rows": rows,
        "notes": ["P=1, PP=.5, A=0; means over summaries labelled on both sides."],
    }


def machine_table(results: Sequence[MachineAgreement]) -> Table:
    """List encoders and sides by thresholds; a cell is mean reward / mean tau-b."""
    thresholds = list(dict.fromkeys(result.thresholds for result in results))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for result in results:
        cell = f"{_short(result.mean_reward)}/{_short(result.mean_tau)}"
        rows.setdefault((result.encoder, result.side), {})[result.thresholds] = cell
    return {
        "title": f"{registry.labelling().upper()}'s labels beside people's, by thresholds",
        "columns": ["encoder", "side", *thresholds],
        "rows": [[*key, *map(cells.get, thresholds)] for key, cells in rows.items()],
        "notes": ["Reward / Kendall's tau-b, each the mean over annotators."],
    }


def reference_table(agreement: ReferenceAgreement) -> Table:
    """List every pair of references: the mean and the maximum over systems."""
    rows: list[list[Any]] = []
    for pair in agreement.pairs:
        system, best = pair.greatest or (None, None)
        share = f"{pair.significant()} of {len(pair.by_system)}"
        row = [f"{pair.first} – {pair.second}", pair.mean, share, best and starred(best)]
        rows.append([*row, system or None, p_text(pair.adjusted_p)])
    rows.append(["mean", agreement.mean, None, agreement.mean_of_greatest, None, None])
    return {
        "title": f"{agreement.metric}: {agreement.method} correlation between references",
        "columns": ["references", "mean", "significant", "maximum", "of system", "its p (Holm)"],
        "rows": rows,
        "notes": [
            f"Over the systems' events; {_STARRED}. The maximum over many systems flatters a "
            "metric: its last column is corrected for that."
        ],
    }


def outcome_table(metric: str, pairs: Sequence[PairOutcome], correction: str = "none") -> Table:
    """List all pairs of systems."""
    words = {1: "better", -1: "worse", 0: "no difference"}
    corrected = "" if correction == "none" else f", p corrected ({correction})"
    return {
        "title": f"{metric}: systems on matched inputs",
        "columns": ["first", "second", "difference", "p", "inputs", "first is"],
        "rows": [
            [pair.first, pair.second, pair.difference, p_text(pair.p), pair.n, words[pair.outcome]]
            for pair in pairs
        ],
        "notes": [f"Wilcoxon's signed-rank test{corrected}; inputs on which the two differ."],
    }


def accuracy_table(gold: str, results: Sequence[Accuracy], drawn: str) -> Table:
    """List the accuracy of metrics against the gold standard (table 4 of the PyrEval paper)."""
    return {
        "title": f"Which systems differ: metrics beside {gold}",
        "columns": [
            *("metric", "mean accuracy", "sd", "95% interval", "on all topics", "delta"),
            *("missed", "invented", "reversed"),
        ],
        "rows": [
            [
                *(a.metric, a.mean, a.sd, interval_text(a.interval), a.on_all, a.delta),
                *(a.missed, a.invented, a.reversed),
            ]
            for a in results
        ],
        "notes": [
            f"{results[0].pairs} pairs of systems: better, worse or no difference. {drawn}",
            "Missed, invented, reversed: pairs on all topics.",
        ],
    }


def correlation_table(gold: str, rows: Iterable[tuple[str, str, str, Estimate]]) -> Table:
    """List correlations with the gold standard; rows are metric, level, method, estimate."""
    listed = list(rows)
    notes = sorted({estimate.note for *_, estimate in listed} - {""})
    return {
        "title": f"Correlation with {gold}",
        "columns": ["metric", "level", "correlation", "value", "95% interval", "p", "n"],
        "rows": [
            [metric, level, method, e.value, interval_text(e.interval), p_text(e.p), e.n]
            for metric, level, method, e in listed
        ],
        "notes": [*notes, "n: systems, inputs or summaries, by level."],
    }


def paired_table(title: str, names: tuple[str, str], test: PairedTest) -> Table:
    """Show one paired test."""
    p_values = {"p bootstrap": test.p_bootstrap, "p permutation": test.p_permutation}
    if test.p_wilcoxon is not None:
        p_values["p Wilcoxon"] = test.p_wilcoxon
    values = [test.first, test.second, test.difference, interval_text(test.interval)]
    return {
        "title": title,
        "columns": [*names, "difference", "95% interval", *p_values],
        "rows": [[*values, *map(p_text, p_values.values())]],
        "notes": [f"{test.n} inputs that both have."],
    }


def grid_tables(study: GridStudy) -> list[Table]:
    """Show the analysis of variance, and the data of the contour plot."""
    contour = study.contour()
    notes = [f"{len(study.values)} points."]
    if best := study.best:
        notes.append(
            f"Best: alpha {best.alpha:g}, beta {best.beta:g}, percentile {best.percentile:g}: "
            f"{study.values[best]:.3f}."
        )
    return [
        {
            "title": "One-way ANOVA of the parameters",
            "columns": ["parameter", "DF", "error DF", "F", "p"],
            "rows": [[a.parameter, a.df, a.df_error, a.f, p_text(a.p)] for a in study.anova],
            "notes": notes,
        },
        {
            "title": "Mean correlation by edge percentile (rows) and beta",
            "columns": ["percentile", *(f"{value:g}" for value in contour["x"])],
            "rows": [
                [f"{value:g}", *cells]
                for value, cells in zip(contour["y"], contour["z"], strict=True)
            ],
            "notes": [],
        },
    ]


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("0.", ".", 1)
