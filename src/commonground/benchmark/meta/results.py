"""The result of a meta-evaluation: tables with the best in bold and ties marked, a heat map."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from commonground.citation import bibtex
from commonground.frames import HasRows
from commonground.plain import Plain, to_plain
from commonground.report import Strong, plot_heat_map, shown_cell, to_latex, to_markdown
from commonground.score import Interval

LEVELS: Final = ("system", "summary")
_TIE: Final = "†"
_LETTERS: Final = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}


@dataclass(frozen=True, slots=True)
class MetaCell(Plain):
    """The correlation of one column of a metric with one human column.

    Attributes:
        value: None if it is undefined.
        interval: A percentile bootstrap over systems and inputs.
        best: Whether no other column has a higher value.
        p_best: The p-value of the difference from the best, by a permutation test.
    """

    human: str
    metric: str
    level: str
    method: str
    value: float | None
    interval: Interval | None
    best: bool
    p_best: float | None


@dataclass(frozen=True, slots=True)
class Difference(Plain):
    """Two columns of metrics: the difference of their correlations with a human column.

    Attributes:
        p_bootstrap: Twice the share of paired resamples beyond 0.
        p_williams: Williams' test, for Pearson's over systems.
    """

    human: str
    first: str
    second: str
    level: str
    method: str
    difference: float
    p_bootstrap: float
    p_williams: float | None


@dataclass(frozen=True, slots=True, repr=False)
class MetaEvaluation(HasRows):
    """The correlations of every metric column with every human column; `print` shows them."""

    title: str
    systems: int
    inputs: int
    cells: tuple[MetaCell, ...]
    differences: tuple[Difference, ...]
    significance: float
    signatures: tuple[str, ...]

    @property
    def human(self) -> tuple[str, ...]:
        """The human columns."""
        return tuple(dict.fromkeys(cell.human for cell in self.cells))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The columns of metrics."""
        return tuple(dict.fromkeys(cell.metric for cell in self.cells))

    def cell(
        self, metric: str, human: str, level: str = "system", method: str = "pearson"
    ) -> MetaCell:
        """Return the correlation of one column with one human column."""
        key = (metric, human, level, method)
        return {(c.metric, c.human, c.level, c.method): c for c in self.cells}[key]

    def tied(self, cell: MetaCell) -> bool:
        """Return whether a column does not differ significantly from the best."""
        return cell.p_best is not None and cell.p_best >= self.significance

    def table(self, human: str, *, intervals: bool = False) -> dict[str, Any]:
        """Return the table of one human column: a row for each metric, best first by system r."""
        cells = {(c.metric, c.level, c.method): c for c in self.cells if c.human == human}
        places = [(level, method) for level in LEVELS for method in _LETTERS]
        order = sorted(self.metrics, key=lambda name: -_number(cells[name, *places[0]].value))
        rows = [
            [name, *(self._shown(cells[name, *place], intervals) for place in places)]
            for name in order
        ]
        return {
            "title": f"{self.title}: correlation with {human}",
            "columns": ["metric", *(f"{level} {_LETTERS[method]}" for level, method in places)],
            "rows": rows,
            "notes": [
                f"{self.systems} systems, {self.inputs} inputs. Pearson's r, Spearman's ρ, "
                "Kendall's τ-b; system: of the systems' means; summary: over systems for each "
                "input, then the mean.",
                f"Bold: the best. {_TIE}: not significantly different from it (permutation test, "
                f"p ≥ {self.significance:g}).",
                *self.signatures,
            ],
        }

    def _shown(self, cell: MetaCell, intervals: bool) -> str:
        text = shown_cell(cell.value) + (_TIE if self.tied(cell) else "")
        if intervals and cell.interval:
            text += f" ({shown_cell(cell.interval.low, 2)}–{shown_cell(cell.interval.high, 2)})"
        return Strong(text) if cell.best else text

    def to_markdown(self, *, intervals: bool = False) -> str:
        """Return a table for each human column."""
        tables = [self.table(name, intervals=intervals) for name in self.human]
        return "\n\n".join(map(to_markdown, tables))

    def to_latex(self, *, intervals: bool = False) -> str:
        """Return a float for each human column (packages booktabs, amssymb)."""
        tables = [self.table(name, intervals=intervals) for name in self.human]
        return "\n\n".join(map(to_latex, tables))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {
            "title": self.title,
            "systems": self.systems,
            "inputs": self.inputs,
            "significance": self.significance,
            "correlations": to_plain(self.cells),
            "differences": to_plain(self.differences),
            "signatures": list(self.signatures),
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return a row for each correlation; `tied` is † in the tables."""
        return [
            {
                "human": cell.human,
                "metric": cell.metric,
                "level": cell.level,
                "method": cell.method,
                "value": cell.value,
                "low": cell.interval.low if cell.interval else None,
                "high": cell.interval.high if cell.interval else None,
                "best": cell.best,
                "tied": self.tied(cell),
                "p_best": cell.p_best,
            }
            for cell in self.cells
        ]

    def cite(self) -> str:
        """Return BibTeX entries for the metrics in the signatures, and for this software."""
        return bibtex(*(signature.partition("|")[0] for signature in self.signatures))

    def heat_map(self, path: str | Path, *, level: str = "system", method: str = "pearson") -> None:
        """Draw metric columns, best first, by human columns; needs the extra [plots].

        A single human column is shown by all three correlations, `method` first.
        """
        cells = {(c.metric, c.human, c.level, c.method): c.value for c in self.cells}
        name = f"{method.capitalize()}'s {_LETTERS[method]}"
        columns = {who: (who, method) for who in self.human}
        if len(columns) == 1:
            (who,) = columns
            methods = sorted(_LETTERS, key=lambda one: one != method)
            columns = {f"{one.capitalize()}'s {_LETTERS[one]}": (who, one) for one in methods}
            name = f"correlation with {who}"
        first = next(iter(columns.values()))
        rows = sorted(self.metrics, key=lambda m: -_number(cells[m, first[0], level, first[1]]))
        values = [[cells[m, who, level, how] for who, how in columns.values()] for m in rows]
        lowest = min((cell for row in values for cell in row if cell is not None), default=0.0)
        plot_heat_map(
            rows,
            list(columns),
            values,
            path,
            title=f"{self.title}: correlation with people, {level} level",
            label=name,
            limits=(min(lowest, 0.0), 1.0),  # so that small differences look small
        )

    def __repr__(self) -> str:
        return self.to_markdown()


def _number(value: float | None) -> float:
    return -2.0 if value is None else value
