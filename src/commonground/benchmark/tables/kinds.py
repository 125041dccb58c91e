"""The tables of the papers that a run's data allow, and one line for each other table."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final

from commonground.benchmark.study import Study
from commonground.benchmark.tables import people, pyramid, scores
from commonground.benchmark.tables.papers import AbsentError, Table, source
from commonground.errors import InputError, check_known
from commonground.frames import to_frame
from commonground.io import whole_file
from commonground.report import tables_page, to_csv, to_html, to_latex, to_markdown


@dataclass(frozen=True, slots=True)
class Kind:
    """One table: its name, where the papers print it, and the function that makes it."""

    name: str
    printed: str
    make: Callable[[Study], Table]


KINDS: Final = (
    Kind("size", source("statistics"), scores.size_table),
    Kind("rouge", source("rouge"), partial(scores.columns_table, metric="rouge")),
    Kind("sem-f1", source("sem-f1"), partial(scores.baselines_table, metric="sem-f1")),
    Kind(
        "references",
        "; ".join(table["source"] for table in scores.reference_papers().values()),
        scores.references_table,
    ),
    Kind("one-score", source("kendall-one"), people.one_score_table),
    Kind("two-scores", source("kendall-two"), people.two_scores_table),
    Kind("sentences", source("kendall-sentences"), people.sentences_table),
    Kind("reward", source("reward-sentences"), people.reward_table),
    Kind("thresholds", source("thresholds-reward"), people.thresholds_table),
    Kind(
        "thresholds-annotators", source("thresholds-reward"), people.thresholds_by_annotator_table
    ),
    Kind("correlation", "in no paper as a table", people.correlation_table),
    Kind("pyramid-encoders", source("pyramid-encoders"), pyramid.encoders_table),
    Kind("pyramid-weights", source("pyramid-weights"), pyramid.weights_table),
    Kind("pyramid-human", source("pyramid-human"), pyramid.human_table),
    Kind("pyramid-topics", source("pyramid-human"), pyramid.topics_table),
    Kind("accuracy", source("wilcoxon"), pyramid.accuracy_table),
    Kind("anova", source("anova"), pyramid.anova_table),
)


FORMATS: Final[dict[str, Callable[[Table], str]]] = {
    "md": to_markdown,
    "tex": to_latex,
    "csv": to_csv,
    "html": to_html,
}


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a run by name, and a line for each table that the data do not allow."""

    title: str
    found: dict[str, Table]
    absent: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, unrounded."""
        return {"title": self.title, "tables": self.found, "absent": self.absent}

    def to_dataframe(self, name: str, library: str = "pandas") -> Any:
        """Return one table as a data frame of `pandas` or `polars`.

        Raises:
            InputError: There is no such table.
            MissingExtraError: The library is not installed.
        """
        check_known("table", self.found, name)
        table = self.found[name]
        rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        return to_frame(rows, library)

    def to_markdown(self) -> str:
        """Return all tables, and what is absent, as Markdown."""
        parts = [f"# {self.title}", *map(to_markdown, self.found.values())]
        if self.absent:
            lines = [f"- {line}" for line in self.absent.values()]
            parts.append("\n".join(["**Not made**", "", *lines]))
        return "\n\n".join(parts) + "\n"


def make_tables(run: str | Path | Study, names: Iterable[str] = ()) -> Tables:
    """Rebuild the named tables (default: all) from a run.

    Raises:
        InputError: The run is not finished, or a name is unknown.
    """
    study = run if isinstance(run, Study) else Study(run)
    wanted = list(names)
    check_known("table", [kind.name for kind in KINDS], *wanted)
    found, absent = {}, {}
    for kind in [kind for kind in KINDS if not wanted or kind.name in wanted]:
        try:
            found[kind.name] = kind.make(study)
        except AbsentError as error:
            absent[kind.name] = f"{kind.name} ({kind.printed}): {error}"
    return Tables(study.title, found, absent)


def write_tables(
    tables: Tables,
    folder: str | Path,
    formats: Iterable[str] = tuple(FORMATS),
    plots: dict[str, Path] | None = None,
) -> list[Path]:
    """Write each table in each format, and with HTML also a page with all tables and `plots`.

    `plots` are pictures in the same folder, by title. Return the files written.
    """
    folder, written = Path(folder), []
    chosen = list(formats)
    check_known("format", FORMATS, *chosen)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.found.items():
        for form in chosen:
            text = to_latex(table, label=f"tab:{name}") if form == "tex" else FORMATS[form](table)
            written.append(_write(folder / f"{name}.{form}", text))
    if "md" in chosen:
        written.append(_write(folder / "index.md", tables.to_markdown()))
    if "html" in chosen:
        written.append(_write(folder / "index.html", _page(tables, plots or {})))
    return written


def _page(tables: Tables, plots: dict[str, Path]) -> str:
    pictures = [
        f'<figure><img src="{escape(path.name)}" alt="{escape(title)}" style="max-width: 100%">'
        "</figure>"
        for title, path in plots.items()
    ]
    absent = "".join(f"<li>{escape(line)}</li>" for line in tables.absent.values())
    below = f"<h2>Not made</h2><ul>{absent}</ul>" if absent else ""
    return tables_page(tables.title, [*tables.found.values(), *pictures, below])


def _write(path: Path, text: str) -> Path:
    with whole_file(path) as stream:
        stream.write(text if text.endswith("\n") else text + "\n")
    return path
