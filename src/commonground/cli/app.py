"""The commands, gathered."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from commonground.cli import overlap, score, serve, verify
from commonground.version import __version__

# Groups of commands by the module that has them. Their libraries (scipy.stats above all) take a
# second to import, which a user of the other commands need not wait for.
_GROUPS = ("pyramid", "agreement", "benchmark", "group", "models")


class _OnDemand(TyperGroup):
    """The commands, of which groups are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *_GROUPS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in _GROUPS:
            return super().get_command(ctx, cmd_name)
        group: typer.Typer = import_module(f"commonground.cli.{cmd_name}").app
        group.rich_markup_mode = app.rich_markup_mode
        found = get_command(group)
        found.name = cmd_name
        return found


app = typer.Typer(
    name="commonground",
    cls=_OnDemand,
    help="What do these narratives agree on, and how well does a summary say it?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("overlap")(overlap.overlap)
app.command("verify")(verify.verify)
app.command("score")(score.score)
app.command("serve")(serve.serve)


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
