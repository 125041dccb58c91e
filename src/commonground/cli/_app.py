"""The commands, gathered."""

from typing import Annotated

import typer

from commonground._version import __version__
from commonground.cli import (
    _agreement,
    _benchmark,
    _models,
    _overlap,
    _pyramid,
    _score,
    _verify,
)

app = typer.Typer(
    name="commonground",
    help="What do these narratives agree on, and how well does a summary say it?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("overlap")(_overlap.overlap)
app.command("verify")(_verify.verify)
app.command("score")(_score.score)
app.add_typer(_pyramid.app, name="pyramid")
app.add_typer(_agreement.app, name="agreement")
app.add_typer(_benchmark.app, name="benchmark")
app.add_typer(_models.app, name="models")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"commonground {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """What do these narratives agree on, and how well does a summary say it?"""
