"""The commands. Each is imported when it runs, since some libraries take a second to import."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from commonground.cli.renamed import renamed
from commonground.errors import unknown_name
from commonground.version import __version__

COMMANDS = {
    "overlap": "Find what narratives agree on, with the evidence in each.",
    "verify": "Check every sentence of a summary against its sources.",
    "generate": "Let a model write what narratives agree on, and verify it.",
    "define": "Define the overlap by shared words, topics, facets or a graph.",
    "score": "Score summaries against references with SEM-F1 and ROUGE.",
    "pyramid": "Build pyramids and score summaries with them.",
    "agreement": "Measure agreement of annotators, metrics and systems.",
    "benchmark": "Prepare data sets, score systems and rebuild the papers' tables.",
    "group": "Group articles by event into a data set for overlap --input.",
    "serve": "Compare, score, grade and annotate in a browser, on your own machine.",
    "models": "List, fetch and verify model weights.",
}
"""The modules of the commands with their one-line help, which needs no import."""


class _Lazy(TyperGroup):
    """Imports a command when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the module's Typer app, or a command made of the function with its name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"commonground.cli.{cmd_name}")
        group = getattr(module, "app", None)
        if group is None:
            group = typer.Typer(add_completion=False)
            group.command(cmd_name)(getattr(module, cmd_name))
        group.rich_markup_mode = app.rich_markup_mode
        command = get_command(group)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, renamed(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(
    name="commonground",
    cls=_Lazy,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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
    """Find what narratives agree on, and measure how well summaries say it."""
