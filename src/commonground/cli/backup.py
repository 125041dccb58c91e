"""`commonground backup`: the data of the pages in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from commonground.cli.served_data import DatabaseOption, DataOption, served_data
from commonground.cli.terminal import note

_NAMES: Final = {"kept": "saved results"}  # tables that people know by another name


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
        'labels 1,200, saved results 3'
    """
    from commonground.database.backup import NOT_DATA

    counts = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    shown = [(name, count) for name, count in counts if count and name not in NOT_DATA]
    parts = [f"{_NAMES.get(name, name)} {count:,}" for name, count in shown]
    return ", ".join(parts) or "an empty database"
