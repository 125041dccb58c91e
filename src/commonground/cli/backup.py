"""`commonground backup`: the data of the pages in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.served_data import DatabaseOption, DataOption, served_data
from commonground.cli.terminal import note


def backup(
    file: Annotated[Path, typer.Argument(help="File to write; only you can read it.")],
    data: DataOption = None,
    database: DatabaseOption = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
) -> None:
    """Back up the data of the pages into one file, while they run."""
    from commonground.database.backup import back_up

    url = served_data(data, database).database_url(create=False)
    manifest = back_up(url, file, overwrite=overwrite)
    note(f"wrote {file}: {described(manifest.rows)}")


def described(rows: Mapping[str, int]) -> str:
    """Return what a backup holds, in words.

    Example:
        >>> described({"kept": 3, "labels": 1200, "sessions": 9})
        'labels 1,200, kept 3'
    """
    from commonground.database.backup import NOT_DATA

    counts = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    parts = [f"{name} {count:,}" for name, count in counts if count and name not in NOT_DATA]
    return ", ".join(parts) or "an empty database"
