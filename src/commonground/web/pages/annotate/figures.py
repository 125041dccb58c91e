"""The figures of a project: agreement in words and numbers, the confusion matrix."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from commonground.agreement import Agreement, landis_koch
from commonground.annotate import (
    Annotator,
    Confusion,
    Database,
    Project,
    agreement_now,
    change_mark,
    confusion_matrix,
    each_progress,
    find_project,
    written_now,
)
from commonground.report import shown_cell as shown
from commonground.report import to_html

_SHADES = 5
_NOUNS = {"sentences": "sentences", "overlap": "events"}
_SIDES = {
    "precision": ": sentences of the summaries",
    "recall": ": sentences of the references",
}
_SCALE = (
    "In words, after Landis and Koch (1977): below 0 poor, to .20 slight, to .40 fair, "
    "to .60 moderate, to .80 substantial, above almost perfect."
)
_REWARD = (
    "Reward: two equal labels give 1, P with PP gives .5, A with P or PP gives 0; "
    "shown is the mean over summaries."
)
_NO_KAPPA = "–: cannot be computed, because both gave every one of them the same label."


class Cell(NamedTuple):
    """A number of the confusion matrix and how dark it is shown, from 0 to 5."""

    number: int
    shade: int
    equal: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """A confusion matrix to show; `pairs` are the choices of whom to compare."""

    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    total: int
    agreeing: int
    first: str
    second: str
    chosen: str  # the value of the choice, "" for all pairs
    pairs: tuple[tuple[str, str], ...]  # values and names


def project_figures(database: Database, project: int) -> dict[str, Any]:
    """Return what the live part of a project's page shows."""
    # The mark comes first, so that a label saved meanwhile is shown twice rather than never.
    mark, known = change_mark(database, project), find_project(database, project)
    if known.protocol.name == "overlap":
        figures = [_written_table(written_now(database, project))]
    else:
        found = agreement_now(database, project)
        figures = [agreement_table(part, noun(known.protocol.name)) for part in found]
    return {
        "mark": mark,
        "project": known,
        "annotators": each_progress(database, project),
        "figures": [to_html(table) for table in figures],
    }


def noun(protocol: str) -> str:
    """Return what the labels of a protocol are about."""
    return _NOUNS.get(protocol, "summaries")


def agreement_table(agreement: Agreement, things: str) -> dict[str, Any]:
    """List every pair of annotators with the strength of agreement in words."""
    rows: list[list[Any]] = [
        [
            f"{pair.first} – {pair.second}",
            f"{pair.kappa.n} of {agreement.items}",
            pair.kappa.value,
            landis_koch(pair.kappa.value),
            pair.weighted_kappa.value,
            pair.tau.value,
            pair.reward.mean if pair.reward else None,
        ]
        for pair in agreement.pairs
    ]
    if len(agreement.pairs) > 1:
        kappa, *rest = (agreement.mean(name) for name in ("kappa", "weighted_kappa", "tau"))
        means = [kappa, landis_koch(kappa), *rest, agreement.mean("reward")]
        rows.append(["mean", None, *means])
    columns = [
        *("annotators", f"{things} labelled by both", "kappa", "in words"),
        *("weighted kappa", "tau-b", "reward"),
    ]
    without_reward = all(pair.reward is None for pair in agreement.pairs)
    if without_reward:
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    undefined = any(pair.kappa.n and pair.kappa.value is None for pair in agreement.pairs)
    alpha = shown(agreement.alpha["nominal"].value)
    everyone = "both" if len(agreement.pairs) == 1 else "all"
    side = _SIDES.get(agreement.quantity, "") if things == "sentences" else ""
    return {
        "title": f"Agreement on {agreement.quantity}{side}",
        "columns": columns,
        "rows": rows,
        "notes": [
            f"{agreement.complete} of {agreement.items} {things} labelled by {everyone}. "
            f"Krippendorff's alpha: {alpha}.",
            _SCALE,
            *([] if without_reward else [_REWARD]),
            *([_NO_KAPPA] if undefined else []),
        ],
    }


def matrix(database: Database, project: Project, people: list[Annotator], chosen: str) -> Matrix:
    """Return the confusion matrix of the chosen pair (`12-15`, ids) or the only one, or of all."""
    pairs = tuple(
        (f"{one.id}-{two.id}", f"{one.name} – {two.name}") for one, two in combinations(people, 2)
    )
    only = pairs[0][0] if len(pairs) == 1 else ""
    chosen = chosen if chosen in dict(pairs) else only
    names = {person.id: person.name for person in people}
    pair = None
    first, second = "First annotator", "Second annotator"
    if chosen:
        one, two = map(int, chosen.split("-"))
        pair, first, second = (one, two), names[one], names[two]
    found = confusion_matrix(database, project.id, pair)
    return Matrix(
        found.labels,
        tuple(_cells(found)),
        # Of all pairs, each two labels count twice.
        found.total if pair else found.total // 2,
        found.agreeing if pair else found.agreeing // 2,
        first,
        second,
        chosen,
        pairs,
    )


def _cells(found: Confusion) -> list[tuple[str, tuple[Cell, ...]]]:
    most = max((count for row in found.counts for count in row), default=0)
    rows = []
    for index, counts in enumerate(found.counts):
        cells = [
            Cell(count, -(-_SHADES * count // most) if most else 0, column == index)
            for column, count in enumerate(counts)
        ]
        rows.append((found.labels[index], tuple(cells)))
    return rows


def _written_table(written: dict[str, list[int]]) -> dict[str, Any]:
    rows = []
    for annotator, lengths in written.items():
        words = [length for length in lengths if length]
        mean = sum(words) / len(words) if words else None
        rows.append([annotator, len(lengths), len(lengths) - len(words), mean])
    return {
        "title": "Written overlaps",
        "columns": ["annotator", "events", "without overlap", "words"],
        "rows": rows,
        "notes": ["Words: mean length of the overlaps that are not empty."],
    }
