"""`commonground pyramid`: build, score, show and compare."""

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import settings
from commonground.cli.options import AlphaOption, BetaOption, JsonOption, PercentileOption
from commonground.cli.terminal import print_json, print_lines, print_table, progress
from commonground.errors import InputError
from commonground.io import check_writable, read_text, whole_file
from commonground.pyramid import (
    BUILDERS,
    DEFAULT_BUILDER,
    METHODS,
    PERCENTILE,
    PRESETS,
    Pyramid,
    PyramidScore,
    compare,
    read_pyramid,
)
from commonground.report import (
    FEEDBACK_GENERATOR,
    FEEDBACK_INDEX,
    class_page,
    counted,
    feedback_page,
    page_names,
)
from commonground.text import split

app = typer.Typer()

PyramidFile = Annotated[
    Path, typer.Argument(help="Pyramid file: our JSON, or .pyr of DUCView or PyrEval.")
]

_COLUMNS = ("raw", "quality", "coverage", "comprehensive")
_SUFFIXES = (".txt", ".md")


@app.command()
def build(
    references: Annotated[
        list[Path], typer.Argument(help="Reference summaries: text files or folders.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="File for the pyramid: JSON, or .pyr for PyrEval."),
    ],
    builder: Annotated[
        str | None,
        typer.Option(help=f"Builder: {', '.join(BUILDERS)} (default: {DEFAULT_BUILDER})."),
    ] = None,
    encoder: Annotated[
        str | None, typer.Option(help="Encoder of the clauses (default: minilm, or the preset's).")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help=f"Predefined settings: {', '.join(PRESETS)}.")
    ] = None,
    percentile: PercentileOption = PERCENTILE,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
) -> None:
    """Build a pyramid of content units from reference summaries."""
    references = text_files(references)
    check_writable(output, *references)
    # The preset, an option, takes precedence over the setting.
    name = encoder or (None if preset else settings.setting("encoder"))
    texts = [read_text(path) for path in references]
    pyramid = Pyramid.build(
        texts,
        builder=builder,
        encoder=name,
        percentile=percentile,
        preset=preset,
        alpha=alpha,
        beta=beta,
    )
    pyramid.save(output)
    tiers = ", ".join(f"{len(units)} of weight {w}" for w, units in pyramid.tiers().items())
    typer.echo(f"{output}: {counted(len(pyramid.units), 'unit')} ({tiers})")


@app.command()
def score(
    pyramid: PyramidFile,
    summaries: Annotated[list[Path], typer.Argument(help="Summaries: text files or folders.")],
    as_json: JsonOption = False,
    csv_file: Annotated[
        Path | None,
        typer.Option("--csv", help="Write the scores to this CSV file, one row per summary."),
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option(help="Folder for feedback pages, one per summary and one for the class."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="List the stated and the missed units.")
    ] = False,
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
    """Score summaries against a pyramid."""
    summaries = text_files(summaries)
    if csv_file:
        check_writable(csv_file, pyramid, *summaries)
    pages = Feedback(feedback, summaries, pyramid) if feedback else None
    units = read_pyramid(pyramid)
    scorer = units.scorer(method, encoder, threshold)
    texts = [read_text(path) for path in summaries]
    scores: list[PyramidScore] = []
    with progress("Scoring") as advance:
        for text in texts:
            scores.append(scorer.score(text))
            advance(len(scores), len(texts))
    if csv_file:
        _write_csv(csv_file, summaries, scores)
    if pages:
        pages.write(units, texts, scores, title=f"Class: {pyramid.stem}")
    if as_json:
        rows = [
            {"file": str(path), **{k: v for k, v in item.to_dict().items() if k != "signature"}}
            for path, item in zip(summaries, scores, strict=True)
        ]
        print_json({"signature": str(scores[0].signature), "scores": rows})
    else:
        _print(summaries, scores, explain)


@app.command()
def show(
    pyramid: PyramidFile,
    html: Annotated[Path | None, typer.Option(help="Draw the pyramid on this HTML page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print a pyramid, or draw it on an HTML page."""
    loaded = read_pyramid(pyramid)
    if html:
        check_writable(html, pyramid)
        loaded.to_html(html, title=pyramid.stem)
        typer.echo(f"{html}: {counted(len(loaded.units), 'unit')}")
    elif as_json:
        print_json(loaded.to_dict())
    else:
        print_lines(*str(loaded).splitlines())


@app.command("compare")
def compare_pyramids(first: PyramidFile, second: PyramidFile) -> None:
    """Print the units of two pyramids side by side."""
    print_lines(*str(compare(read_pyramid(first), read_pyramid(second))).splitlines())


def _print(paths: list[Path], scores: list[PyramidScore], explain: bool) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("file", overflow="fold")
    for heading in (*_COLUMNS, "stated"):
        table.add_column(heading, justify="right", no_wrap=True)
    for path, score in zip(paths, scores, strict=True):
        numbers = [f"{score.raw:.1f}", *(f"{getattr(score, name):.3f}" for name in _COLUMNS[1:])]
        stated = f"{sum(match.stated for match in score.matches)}/{len(score.matches)}"
        table.add_row(Text(path.name), *numbers, stated)
    print_table(table, "", str(scores[0].signature))
    if explain:
        for path, score in zip(paths, scores, strict=True):
            print_lines("", path.name, *str(score).splitlines())


def _write_csv(path: Path, files: list[Path], scores: list[PyramidScore]) -> None:
    with whole_file(path) as stream:
        writer: Any = csv.writer(stream, lineterminator="\n")
        writer.writerow(["file", *_COLUMNS, "unit_count", "units_stated", "units_to_check"])
        for file, score in zip(files, scores, strict=True):
            numbers = [getattr(score, name) for name in _COLUMNS]
            stated = sum(match.stated for match in score.matches)
            doubtful = sum(match.check is not None for match in score.matches)
            writer.writerow([file.name, *numbers, score.unit_count, stated, doubtful])


def text_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files, with each folder replaced by its .txt and .md files in name order."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = [
            file
            for file in sorted(path.iterdir(), key=lambda file: file.name)
            if file.suffix.lower() in _SUFFIXES and file.is_file() and not file.name.startswith(".")
        ]
        if not inside:
            raise InputError(f"{path}: the folder has no {' or '.join(_SUFFIXES)} file")
        files += inside
    return files


class Feedback:
    """A folder of feedback pages, checked before the scoring and written after it.

    The folder is created if missing. Pages of an earlier run are replaced; any other file with
    such a name is an error.
    """

    def __init__(self, folder: Path, files: Sequence[Path], *inputs: Path) -> None:
        self._folder = folder
        self._files = list(files)
        self._pages = page_names([file.stem for file in files])
        if not folder.is_dir():
            check_writable(folder)
            if folder.exists():
                raise InputError(f"{folder} is a file; give a folder")
            return
        for name in (FEEDBACK_INDEX, *self._pages):
            check_writable(folder / name, *files, *inputs)
            if not _ours(folder / name):
                raise InputError(f"{folder / name} is not a feedback page; choose another folder")

    def write(
        self, pyramid: Pyramid, texts: Sequence[str], scores: Sequence[PyramidScore], title: str
    ) -> None:
        """Write a page for each student and one for the class."""
        names = _names(self._files)
        students = [
            _student(name, text, pyramid, score)
            for name, text, score in zip(names, texts, scores, strict=True)
        ]
        self._folder.mkdir(exist_ok=True)
        for page, student in zip(self._pages, students, strict=True):
            self._put(page, feedback_page(student))
        self._put(FEEDBACK_INDEX, class_page(students, self._pages, title))

    def _put(self, name: str, content: str) -> None:
        with whole_file(self._folder / name) as stream:
            stream.write(content)


def _names(files: Sequence[Path]) -> list[str]:
    """Return the students' names: file names without suffix, or paths if these repeat."""
    counts = Counter(file.stem for file in files)
    return [file.stem if counts[file.stem] == 1 else str(file) for file in files]


def _ours(page: Path) -> bool:
    if not page.exists():
        return True
    with page.open(encoding="utf-8", errors="replace") as stream:
        return FEEDBACK_GENERATOR in stream.read(1000)


def _student(name: str, text: str, pyramid: Pyramid, score: PyramidScore) -> dict[str, Any]:
    units = pyramid.to_dict()["units"]
    matches = score.to_dict()["matches"]
    return {
        **score.to_dict(),
        "name": name,
        "text": text,
        "sentences": [(sentence.start, sentence.end) for sentence in split(text)],
        "references": max(len(pyramid.references), 1),
        "units": [
            {**match, "contributors": unit["contributors"]}
            for unit, match in zip(units, matches, strict=True)
        ],
    }
