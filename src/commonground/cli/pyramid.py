"""`commonground pyramid`: build, score, correct, show and compare."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commonground import settings
from commonground.cli.options import (
    AlphaOption,
    BetaOption,
    JsonOption,
    PercentileOption,
)
from commonground.cli.pyramid_correct import correct
from commonground.cli.pyramid_files import text_files
from commonground.cli.pyramid_score import score
from commonground.cli.terminal import print_json, print_lines, report_written
from commonground.cli.texts import read_texts
from commonground.io import check_writable
from commonground.pyramid import (
    BUILDERS,
    DEFAULT_BUILDER,
    PERCENTILE,
    PRESETS,
    Pyramid,
    compare,
    read_pyramid,
)
from commonground.report import (
    counted,
)

app = typer.Typer()

PyramidFile = Annotated[
    Path, typer.Argument(help="Pyramid file: our JSON, or .pyr of DUCView or PyrEval.")
]

app.command()(score)
app.command()(correct)


@app.command()
def build(
    references: Annotated[
        list[Path],
        typer.Argument(
            help="Reference summaries: text, Markdown, HTML, PDF or DOCX files, or folders of them."
        ),
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
    texts = read_texts(references)
    pyramid = Pyramid.build(
        texts,
        builder=builder,
        encoder=name,
        percentile=percentile,
        preset=preset,
        alpha=alpha,
        beta=beta,
    )
    if len(pyramid.references) == len(references):  # none is without a sentence
        pyramid = replace(pyramid, names=tuple(path.stem for path in references))
    pyramid.save(output)
    tiers = ", ".join(f"{len(units)} of weight {w}" for w, units in pyramid.tiers().items())
    report_written(output, f"{counted(len(pyramid.units), 'unit')} ({tiers})")


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
        report_written(html, counted(len(loaded.units), "unit"))
    elif as_json:
        print_json(loaded.to_dict())
    else:
        print_lines(*str(loaded).splitlines())


@app.command("compare")
def compare_pyramids(first: PyramidFile, second: PyramidFile) -> None:
    """Print the units of two pyramids side by side."""
    print_lines(*str(compare(read_pyramid(first), read_pyramid(second))).splitlines())
