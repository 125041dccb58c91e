"""Dump a PostgreSQL database in use, and load a dump into one, with PostgreSQL's own programs."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from commonground.database.backup.archive import NOT_DATA, Manifest
from commonground.database.engine import MIGRATION_LOCK, open_database, postgresql
from commonground.database.tables import Base
from commonground.errors import CommongroundError, InputError

_ATTEMPTS: Final = 5


def dump(url: URL, copy: Path) -> tuple[str, Mapping[str, int]]:
    """Dump one snapshot while others may save. Return its migration and rows per table."""
    engine = postgresql(url)
    try:
        with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
            # pg_dump sees what this transaction sees.
            snapshot = connection.execute(text("SELECT pg_export_snapshot()")).scalar_one()
            rows = _rows(connection)
            if "alembic_version" not in rows:
                raise InputError("this is not a commonground database")
            revision = connection.execute(text("SELECT version_num FROM alembic_version"))
            options = ("--format=custom", "--no-owner", "--no-privileges")
            _run(url, "pg_dump", *options, f"--snapshot={snapshot}", f"--file={copy}")
            return revision.scalar_one(), rows
    except DBAPIError as error:
        raise _failed(url, error) from None
    finally:
        engine.dispose()


def load(copy: Path, url: URL, manifest: Manifest, *, overwrite: bool) -> None:
    """Put a dump in place of the tables in one transaction, and migrate them.

    A server may be running: it waits, and then has the content of the dump.
    """
    if not overwrite and _is_used(url):
        name = url.render_as_string(hide_password=True)
        raise InputError(f"{name} has data; give --overwrite to replace all of it")
    before, script, after = (copy.with_name(name) for name in ("before", "script", "after"))
    _run(
        url,
        "pg_restore",
        "--no-owner",
        "--no-privileges",
        f"--file={script}",
        str(copy),
        connect=False,
    )
    tables = ", ".join(map(_quoted, {*Base.metadata.tables, *manifest.rows}))
    before.write_text(
        f"SET lock_timeout = '60s'; SELECT pg_advisory_xact_lock({MIGRATION_LOCK});\n"
        f"DROP TABLE IF EXISTS {tables} CASCADE;\n"
    )
    # Sessions that were ended since must not come back.
    after.write_text("\n".join([*_checks(manifest.rows), "DELETE FROM public.sessions;"]))
    files = [f"--file={file}" for file in (before, script, after)]
    quiet = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
    for left in reversed(range(_ATTEMPTS)):
        try:
            _run(url, "psql", *quiet, *files)
            break
        except CommongroundError as error:
            # PostgreSQL chooses who must give way when a server and this wait for each other.
            if not left or "deadlock" not in str(error):
                raise
    with closing(open_database(url.render_as_string(hide_password=False))) as database:
        manifest.record_restore(database)


def _checks(rows: Mapping[str, int]) -> Iterable[str]:
    """Yield SQL that fails unless each table has its rows."""
    for name, count in rows.items():
        yield (
            f"DO $check$ BEGIN ASSERT (SELECT count(*) FROM public.{_quoted(name)}) = {count:d}, "
            f"'a table has not all of its rows'; END $check$;"
        )


def _is_used(url: URL) -> bool:
    engine = postgresql(url)
    try:
        with engine.connect() as connection:
            rows = _rows(connection)
    except DBAPIError as error:
        raise _failed(url, error) from None
    finally:
        engine.dispose()
    return any(count for name, count in rows.items() if name not in NOT_DATA)


def _rows(connection: Connection) -> dict[str, int]:
    names = sorted(inspect(connection).get_table_names())
    return {
        name: connection.execute(text(f"SELECT count(*) FROM {_quoted(name)}")).scalar_one()
        for name in names
    }


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def _run(url: URL, program: str, *arguments: str, connect: bool = True) -> None:
    if shutil.which(program) is None:
        raise CommongroundError(f"{program} is missing; Debian has it in postgresql-client")
    # The password is in the environment, since everyone can read the arguments.
    password = url.password or url.query.get("password")
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    query = {name: value for name, value in url.query.items() if name != "password"}
    address = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
    where = (f"--dbname={address.render_as_string()}",) if connect else ()
    done = subprocess.run(
        [program, *where, *arguments], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        reason = next((line for line in lines if "error" in line.lower()), "no reason given")
        raise CommongroundError(f"{program} failed ({reason.strip()})")


def _failed(url: URL, error: DBAPIError) -> CommongroundError:
    reason = str(error.orig).strip().splitlines()[0]
    name = url.render_as_string(hide_password=True)
    return CommongroundError(f"{name} cannot be opened ({reason})")
