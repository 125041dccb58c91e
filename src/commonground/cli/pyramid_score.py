"""`commonground pyramid score`: score a class, with the teacher's corrections and grades."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground.cells import csv_line
from commonground.cli.feedback import Feedback
from commonground.cli.options import JsonOption
from commonground.cli.pyramid_files import Student, read_students, text_files
from commonground.cli.terminal import note, print_json, print_lines, print_table, progress
from commonground.errors import InputError
from commonground.io import check_writable, read_json, whole_file
from commonground.pyramid import (
    METHODS,
    Changed,
    Comment,
    Corrections,
    GradeScale,
    Pyramid,
    PyramidScore,
    label_rows,
    mark_rows,
    read_pyramid,
    read_units,
    replay,
)
from commonground.report import WORDING, histogram_text, wording
from commonground.text import split

_COLUMNS = ("raw", "quality", "coverage", "comprehensive")
_DECIMALS = 4  # in CSV files; JSON is exact


@dataclass(frozen=True, slots=True)
class _Class:
    """A scored class: everything by student."""

    pyramid: Pyramid
    students: Sequence[Student]
    program: Mapping[str, PyramidScore]
    scores: Mapping[str, PyramidScore]
    comments: Mapping[str, Comment] = field(default_factory=dict)
    unapplied: Sequence[str] = ()

    @property
    def changed(self) -> Changed:
        """How often people changed the program's marks."""
        return Changed.of(list(self.program.values()), list(self.scores.values()))


def score(
    pyramid: Annotated[
        Path,
        typer.Argument(
            help="Pyramid file: our JSON, or .pyr of DUCView or PyrEval. Leave it out with --units."
        ),
    ],
    summaries: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Summaries: text, Markdown, HTML, PDF or DOCX files, or folders of them; or CSV, "
            "TSV or XLSX files with the columns name and summary."
        ),
    ] = None,
    as_json: JsonOption = False,
    csv_file: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the scores to this CSV file, one row per summary."),
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option(
            help="Folder, or .zip file, for feedback pages: one per summary, one for the class."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="List the stated and the missed units.")
    ] = False,
    units: Annotated[
        Path | None,
        typer.Option(
            help="Score against these content units instead of a pyramid: text (one per line), "
            "CSV or JSONL with unit and weight."
        ),
    ] = None,
    corrections: Annotated[
        Path | None, typer.Option(help="Apply the corrections of people in this JSON file.")
    ] = None,
    grades: Annotated[
        Path | None,
        typer.Option(
            help="Grade scale: CSV with mark and points (or quality, coverage, comprehensive)."
        ),
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option("--wording", help="Your own words for the feedback pages (JSON)."),
    ] = None,
    marks: Annotated[
        Path | None,
        typer.Option(help="Write every mark to this CSV file: student, idea, points, by whom."),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="Write the program's and people's marks to this CSV file, for "
            "`commonground agreement labels`."
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help=f"Matching method: {', '.join(METHODS)} (default: soft, or the pyramid's preset)."
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="Encoder of the summaries (default: minilm; with wmin, the pyramid's)."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Minimum similarity of a match, except with soft (default: the encoder's)."
        ),
    ] = None,
) -> None:
    """Score summaries against a pyramid, or against content units of your own."""
    source, files = _sources(pyramid, summaries or [], units)
    inputs = [path for path in (source, corrections, grades, words, *files) if path]
    for output in filter(None, (csv_file, marks, labels)):
        check_writable(output, *inputs)
    if labels and not corrections:
        raise InputError("--labels needs --corrections: without them nobody has decided anything")
    scale = GradeScale.load(grades) if grades else None
    texts_of_pages = wording(read_json(words), str(words)) if words else WORDING
    students = read_students(files)
    pages = Feedback(feedback, students, *inputs) if feedback else None
    built = read_units(units) if units else read_pyramid(pyramid)
    found = _scored(built, students, corrections, (method, encoder, threshold))
    for line in found.unapplied:
        note(line)
    _write_tables(found, scale, (csv_file, marks, labels))
    if pages:
        pages.write(
            found.pyramid,
            list(found.scores.values()),
            title=f"Class: {source.stem}",
            scale=scale,
            comments=found.comments,
            words=texts_of_pages,
        )
    if as_json:
        print_json(_plain(found, scale, corrections is not None))
    else:
        _print(found, scale, explain)


def _sources(
    pyramid: Path, summaries: Sequence[Path], units: Path | None
) -> tuple[Path, list[Path]]:
    """Return the file of the units and the summaries: with units, there is no pyramid before."""
    files = text_files([pyramid, *summaries] if units else summaries)
    if not files:
        raise InputError("give the summaries to score, after the pyramid")
    return units or pyramid, files


def _scored(
    pyramid: Pyramid,
    students: Sequence[Student],
    corrections: Path | None,
    choices: tuple[str | None, str | None, float | None],
) -> _Class:
    texts = {student.name: student.text for student in students}
    changes = Corrections.load(corrections).changes if corrections else ()
    corrected = replay(pyramid, changes, texts)
    scorer = corrected.pyramid.scorer(*choices)
    program: dict[str, PyramidScore] = {}
    with progress("Scoring") as advance:
        for name, text in texts.items():
            program[name] = scorer.score(text)
            advance(len(program), len(texts))
    scores = {
        name: corrected.score(name, mine, [part.text for part in split(texts[name])])
        for name, mine in program.items()
    }
    unapplied = [
        f"{corrections}: changes[{one.index}] is not applied: {one.why}"
        for one in corrected.unapplied
    ]
    return _Class(corrected.pyramid, students, program, scores, dict(corrected.comments), unapplied)


def _plain(found: _Class, scale: GradeScale | None, corrected: bool) -> dict[str, Any]:
    rows = []
    for student, (name, mine) in zip(found.students, found.scores.items(), strict=True):
        values = {key: value for key, value in mine.to_dict().items() if key != "signature"}
        row: dict[str, Any] = {"file": str(student.file), "student": name, **values}
        if scale:
            row["grade"] = scale.mark(values)
        if name in found.comments:
            row["comment"] = found.comments[name].to_dict()
        rows.append(row)
    result: dict[str, Any] = {"signature": _signature(found), "scores": rows}
    if scale:
        result["grades"] = scale.histogram(row["grade"] for row in rows)
    if corrected:
        result |= {"changed": found.changed.to_dict(), "not_applied": list(found.unapplied)}
    return result


def _signature(found: _Class) -> str:
    return str(next(iter(found.scores.values())).signature)


def _print(found: _Class, scale: GradeScale | None, explain: bool) -> None:
    scores = list(found.scores.values())
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("name", overflow="fold")
    heads = [*_COLUMNS, "stated", "partly", *(["grade"] if scale else [])]
    for heading in heads:
        table.add_column(heading, justify="right", no_wrap=True)
    marks = [scale.mark(score.to_dict()) for score in scores] if scale else []
    for index, (student, score) in enumerate(zip(found.students, scores, strict=True)):
        numbers = [f"{score.raw:.1f}", *(f"{getattr(score, name):.3f}" for name in _COLUMNS[1:])]
        stated = f"{_count(score, 'yes')}/{len(score.matches)}"
        cells = [*numbers, stated, str(_count(score, "partly")), *marks[index : index + 1]]
        table.add_row(Text(student.shown), *map(Text, cells))
    print_table(table)
    if scale:
        print_lines("", "Grades", *histogram_text(scale.histogram(marks)))
    if found.changed.decided:
        print_lines("", str(found.changed))
    print_lines("", _signature(found))
    if explain:
        for student, (name, score) in zip(found.students, found.scores.items(), strict=True):
            comment = found.comments.get(name)
            by = f" ({comment.by})" if comment and comment.by else ""
            said = [f"Comment{by}: {' '.join(comment.text.split())}"] if comment else []
            print_lines("", student.shown, *said, *str(score).splitlines())


def _count(score: PyramidScore, presence: str) -> int:
    return sum(match.presence == presence for match in score.matches)


def _write_tables(
    found: _Class,
    scale: GradeScale | None,
    outputs: tuple[Path | None, Path | None, Path | None],
) -> None:
    """Write the scores, the marks and the labels, as far as they are asked for."""
    scores, marks, labels = outputs
    if scores:
        _write_scores(scores, found, scale)
    if marks:
        _write_rows(marks, mark_rows(found.scores))
    if labels:
        rows = label_rows(found.program, found.scores)
        if not rows:
            raise InputError("the corrections have no mark for a student of this class")
        _write_rows(labels, rows)


def _write_scores(path: Path, found: _Class, scale: GradeScale | None) -> None:
    rows = []
    for student, (name, mine) in zip(found.students, found.scores.items(), strict=True):
        comment = found.comments.get(name)
        rows.append(
            {
                "name": student.shown,
                **{column: round(getattr(mine, column), _DECIMALS) for column in _COLUMNS},
                "unit_count": mine.unit_count,
                "units_stated": _count(mine, "yes"),
                "units_to_check": sum(bool(match.checks) for match in mine.matches),
                "units_partly": _count(mine, "partly"),
                "marks_by_people": sum(match.by is not None for match in mine.matches),
                "grade": scale.mark(mine.to_dict()) if scale else "",
                "comment": comment.text if comment else "",
            }
        )
    _write_rows(path, rows)


def _write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a CSV file with the keys of the first row as its header."""
    with whole_file(path) as stream:
        stream.writelines(map(csv_line, (rows[0], *(row.values() for row in rows))))
