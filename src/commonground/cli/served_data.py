"""The options that name the database of a server, for `serve` and the commands beside it."""

from pathlib import Path
from typing import Annotated

import typer

from commonground.errors import InputError
from commonground.web import WebSettings, default_data

DataOption = Annotated[
    Path | None, typer.Option(help="Folder of the database (default: your user data folder).")
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        envvar="COMMONGROUND_DATABASE",
        help="PostgreSQL database instead: postgresql://USER:PASSWORD@HOST/NAME.",
    ),
]


def served_data(data: Path | None, database: str | None) -> WebSettings:
    """Return the settings of a server with these options."""
    if data and database:
        raise InputError("give either --data or --database, not both")
    return WebSettings(data=data or default_data(), database=database)
