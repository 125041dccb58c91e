"""Open a database (a SQLite file or PostgreSQL) and run its migrations."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session

from commonground.database.available import (
    DatabaseFile,
    make_private,
    readable_errors,
)
from commonground.errors import CommongroundError, InputError, MissingExtraError

_MIGRATIONS = Path(__file__).parent / "migrations"
# Any number that nobody else uses in that database.
MIGRATION_LOCK = 7_201_318_644
_TIMEOUT_SECONDS = 30
_SNAPSHOT: Any = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


@dataclass(frozen=True, slots=True)
class Database:
    """An open database; threads can share it.

    Example:
        >>> with database.writing() as session:  # doctest: +SKIP
        ...     session.add(row)
    """

    engine: Engine
    readers: Engine
    """A pool of its own, so that readers never keep a save waiting for a connection."""
    file: DatabaseFile | None = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session that reads one snapshot and never waits for a writer.

        Raises:
            UnavailableError: The database is gone, locked, full or down; also from `writing`.
        """
        with readable_errors(), self.readers.connect() as connection:
            self._check()
            # SQLite transactions read a snapshot anyway.
            more = _SNAPSHOT if connection.dialect.name == "postgresql" else {}
            with Session(connection.execution_options(commonground_reads=True, **more)) as session:
                yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a session whose changes are all on disk after the block, or none of them."""
        with readable_errors(), Session(self.engine, expire_on_commit=False) as session:
            self._check()
            with session.begin():
                yield session
            self._check(saved=True)

    def _check(self, *, saved: bool = False) -> None:
        if self.file is not None:
            self.file.check(saved=saved)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self.readers.dispose()


def open_database(url: str) -> Database:
    """Open a database and run the missing migrations; several processes may do so at once.

    Args:
        url: `sqlite:///FILE`, or `postgresql://USER:PASSWORD@HOST/NAME`.

    Raises:
        InputError: The URL is of another kind.
        MissingExtraError: The extra for PostgreSQL is missing.
        CommongroundError: The database cannot be opened, or a newer version has migrated it.
    """
    parsed = parsed_url(url)
    connect = _sqlite if parsed.get_backend_name() == "sqlite" else postgresql
    engine = connect(parsed)
    shown = parsed.render_as_string(hide_password=True)
    try:
        with engine.begin() as connection:
            _migrate(connection)
    except CommandError:
        engine.dispose()
        raise CommongroundError(
            f"{shown} was made by a newer version of commonground; update commonground"
        ) from None
    except DBAPIError as error:
        engine.dispose()
        reason = str(error.orig).strip().splitlines()[0]
        raise CommongroundError(f"{shown} cannot be opened ({reason})") from None
    file = DatabaseFile.at(Path(parsed.database or "")) if connect is _sqlite else None
    return Database(engine, connect(parsed), file)


def sqlite_url(path: Path) -> str:
    """Return the URL of a SQLite file, with any special characters escaped."""
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def parsed_url(url: str) -> URL:
    """Return a database's URL with its driver; raise InputError for another kind."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is not None:
        if parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:"):
            return parsed
        if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            return parsed.set(drivername="postgresql+psycopg")
    # The message does not quote the URL, which may hold a password.
    raise InputError(
        "the database URL must be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    )


def _sqlite(url: URL) -> Engine:
    make_private(Path(url.database or ""))
    options: Any = {"timeout": _TIMEOUT_SECONDS}
    engine = create_engine(url, connect_args=options, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not in the driver
        connection.execute("PRAGMA journal_mode=WAL")
        # "Saved" must survive a power cut, so every commit waits for the disk.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that starts as a reader can fail when it begins to write; an immediate
        # one waits its turn.
        reads = connection.get_execution_options().get("commonground_reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def postgresql(url: URL) -> Engine:
    """Return an engine, without any migration."""
    try:
        # A restarted server drops its connections: test them before use.
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)
    except (NoSuchModuleError, ModuleNotFoundError):
        raise MissingExtraError("a PostgreSQL database", "postgres") from None

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # Some servers acknowledge commits that are not on disk; ours must be.
        if connection.execute("SHOW synchronous_commit").fetchone() == ("off",):
            connection.execute("SET synchronous_commit = on")
        connection.commit()

    return engine


def known_revisions() -> frozenset[str]:
    """Return the migrations that this version has."""
    script = ScriptDirectory.from_config(_config())
    return frozenset(revision.revision for revision in script.walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def _migrate(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations under a lock, which in SQLite is the transaction itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
    config = _config()
    script = ScriptDirectory.from_config(config)
    environment = EnvironmentContext(
        config, script, fn=lambda revision, _: script._upgrade_revs(to, revision)
    )
    with environment:
        # SQLite can roll back changes of tables, which Alembic does not assume.
        environment.configure(connection=connection, transactional_ddl=True)
        with environment.begin_transaction():
            environment.run_migrations()
