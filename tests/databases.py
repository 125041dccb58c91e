"""An empty database for a test: a SQLite file, or a schema of the PostgreSQL server under test."""

import contextlib
import os
from uuid import uuid4

from sqlalchemy import create_engine, make_url, text

from commonground.database import open_database, sqlite_url


@contextlib.contextmanager
def empty_database(folder):
    """The system tests name a PostgreSQL server in COMMONGROUND_TEST_POSTGRES."""
    server = os.environ.get("COMMONGROUND_TEST_POSTGRES")
    opened = open_database(_empty_postgres(server) if server else sqlite_url(folder / "labels.db"))
    yield opened
    opened.close()


def _empty_postgres(server):
    """A schema is as good as a database of its own, and made a hundred times faster."""
    name = f"t{uuid4().hex}"
    engine = create_engine(make_url(server).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    engine.dispose()
    url = make_url(server).update_query_dict({"options": f"-csearch_path={name}"})
    return url.render_as_string(hide_password=False)
