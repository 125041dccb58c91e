"""The options that name the database of a server, for `serve` and the commands beside it."""

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from commonground.errors import InputError
from commonground.web import WebSettings, default_data

DataOption = Annotated[
    Path | None, typer.Option(help="Folder of the database (default: your user data folder).")
]
_VARIABLE: Final = "COMMONGROUND_DATABASE"
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        envvar=_VARIABLE,
        help="PostgreSQL database instead: postgresql://USER:PASSWORD@HOST/NAME.",
    ),
]


def served_data(data: Path | None, database: str | None) -> WebSettings:
    """Return the settings of a server with these options."""
    if data and database:
        # One of them would be ignored, and a server or a backup would have the wrong data.
        from_variable = database == os.environ.get(_VARIABLE)
        named = f"the environment variable {_VARIABLE}" if from_variable else "--database"
        raise InputError(f"give either --data or {named}, not both")
    return WebSettings(data=data or default_data(), database=database)
