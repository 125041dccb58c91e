"""Open the database: SQLite in a file, or PostgreSQL by its URL, brought up to date first."""

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

from commonground.errors import CommongroundError, InputError, MissingExtraError

_MIGRATIONS = Path(__file__).parent / "migrations"
# Any number will do, as long as nobody else in that database uses it.
_MIGRATION_LOCK = 7_201_318_644
_PATIENCE_SECONDS = 30
_ONE_MOMENT: Any = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


@dataclass(frozen=True, slots=True)
class Database:
    """An open database; safe to share between threads.

    Example:
        >>> with database.writing() as session:  # doctest: +SKIP
        ...     session.add(row)
    """

    engine: Engine

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one moment of the database and never waits for a writer."""
        with self.engine.connect() as connection:
            # A transaction of SQLite sees one moment anyway; one of PostgreSQL does when told to.
            told = _ONE_MOMENT if connection.dialect.name == "postgresql" else {}
            with Session(connection.execution_options(commonground_reads=True, **told)) as session:
                yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are on disk when the block ends, or not there at all."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open a database and bring its tables up to date, once among all who open it together.

    Args:
        url: `sqlite:///FILE`, or `postgresql://USER:PASSWORD@HOST/NAME`.

    Raises:
        InputError: The URL is none of these.
        MissingExtraError: PostgreSQL without its extra.
        CommongroundError: The database cannot be reached, or a newer version has been at it.
    """
    parsed = _url(url)
    engine = _sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgresql(parsed)
    shown = parsed.render_as_string(hide_password=True)
    try:
        with engine.begin() as connection:
            _migrate(connection)
    except CommandError:
        engine.dispose()
        raise CommongroundError(
            f"{shown}: was made by a newer version of commonground; update commonground"
        ) from None
    except DBAPIError as error:
        engine.dispose()
        reason = str(error.orig).strip().splitlines()[0]
        raise CommongroundError(f"{shown}: cannot be opened ({reason})") from None
    return Database(engine)


def sqlite_url(path: Path) -> str:
    """The URL of a SQLite file, whatever characters its name has."""
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def _url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is not None:
        if parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:"):
            return parsed
        if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            return parsed.set(drivername="postgresql+psycopg")
    # The URL itself may hold a password, so it is not repeated.
    raise InputError(
        "the database must be sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME, "
        "not another kind of URL"
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _PATIENCE_SECONDS})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not when the driver thinks
        connection.execute("PRAGMA journal_mode=WAL")
        # What a page shows as saved must outlive a power cut, so every commit waits for the disk.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer that starts as a reader can lose to another writer half-way; one that says
        # so at the start just waits its turn.
        reads = connection.get_execution_options().get("commonground_reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _postgresql(url: URL) -> Engine:
    try:
        # A server that was restarted drops its connections: ask before use.
        engine = create_engine(url, pool_pre_ping=True)
    except (NoSuchModuleError, ModuleNotFoundError):
        raise MissingExtraError("a PostgreSQL database", "postgres") from None

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        # A server may be set to acknowledge commits that are not on disk; ours must be.
        (found,) = connection.execute("SHOW synchronous_commit").fetchone()
        if found == "off":
            connection.execute("SET synchronous_commit = on")
        connection.commit()

    return engine


def _migrate(connection: Connection) -> None:
    """Run what migrations are missing. SQLite's transaction is its lock; PostgreSQL has another."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    steps = EnvironmentContext(
        config, script, fn=lambda found, _: script._upgrade_revs("head", found)
    )
    with steps:
        # SQLite can take back what it did to tables; Alembic is cautious unless told.
        steps.configure(connection=connection, transactional_ddl=True)
        with steps.begin_transaction():
            steps.run_migrations()
