"""`commonground backup`: the data of the pages in one file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.terminal import note
from commonground.errors import InputError
from commonground.web import WebSettings, default_data

DataFolder = Annotated[
    Path | None, typer.Option(help="Folder of the database (default: your user data folder).")
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        envvar="COMMONGROUND_DATABASE",
        help="PostgreSQL database instead: postgresql://USER:PASSWORD@HOST/NAME.",
    ),
]


def backup(
    file: Annotated[Path, typer.Argument(help="File to write; only you can read it.")],
    data: DataFolder = None,
    database: DatabaseUrl = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
) -> None:
    """Back up the data of the pages into one file, while they run."""
    from commonground.database.backup import back_up

    url = served_database(data, database).database_url(create=False)
    manifest = back_up(url, file, overwrite=overwrite)
    note(f"wrote {file}: {described(manifest.rows)}")


def served_database(data: Path | None, database: str | None) -> WebSettings:
    """Return the settings of a server with these options."""
    if data and database:
        raise InputError("give either --data or --database, not both")
    return WebSettings(data=data or default_data(), database=database)


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
