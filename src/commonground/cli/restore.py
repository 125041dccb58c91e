"""`commonground restore`: a backup becomes the data of the pages."""

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.backup import described
from commonground.cli.served_data import DatabaseOption, DataOption, served_data
from commonground.cli.terminal import note


def restore(
    file: Annotated[Path, typer.Argument(help="File that `commonground backup` wrote.")],
    data: DataOption = None,
    database: DatabaseOption = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace all data of the database.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only check the backup; restore nothing.")
    ] = False,
) -> None:
    """Restore a backup of the pages; everyone has to log in again."""
    from commonground.database.backup import check_backup
    from commonground.database.backup import restore as restore_backup

    if check:
        manifest = check_backup(file)
    else:
        url = served_data(data, database).database_url()
        manifest = restore_backup(file, url, overwrite=overwrite)
    note(
        f"{'checked' if check else 'restored'} {file} of {manifest.created_at} "
        f"(commonground {manifest.version}): {described(manifest.rows)}"
    )
