import os
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

from commonground.annotate import invite, make_project, open_database
from commonground.annotate.database import sqlite_url
from commonground.io import Event, Narrative, Prediction


@pytest.fixture
def database(tmp_path):
    """An empty database; the system tests run these tests with PostgreSQL instead."""
    server = os.environ.get("COMMONGROUND_TEST_POSTGRES")
    url = _empty_postgres(server) if server else sqlite_url(tmp_path / "labels.db")
    opened = open_database(url)
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


@pytest.fixture
def now():
    return datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def events():
    ferry = (
        Narrative("Harbour Post", "A ferry hit a sandbank at dawn. Nobody was hurt."),
        Narrative("Coast Radio", "Early on Monday the ferry ran aground. All were safe."),
    )
    fair = (
        Narrative("Town Crier", "The fair opened in the rain. Two thousand people came."),
        Narrative("Evening Sheet", "In spite of rain, 2,000 visited the fair."),
    )
    return {
        "ferry": Event("ferry", ferry, ("The ferry ran aground. Nobody was hurt.", "All safe.")),
        "fair": Event("fair", fair, ("It rained on the fair, yet 2,000 came.",)),
    }


@pytest.fixture
def outputs():
    return [
        Prediction("ferry", "The ferry ran aground. The captain wept.", "careful", 1),
        Prediction("fair", "Two thousand people saw the fair.", "careful", 2),
        Prediction("ferry", "A ferry sank.", "loose", 3),
    ]


@pytest.fixture
def project(database, events, outputs):
    """Sentence labels: items of 5, 4 and 2 units."""
    return make_project(database, "Two events", "sentences", events, outputs)


@pytest.fixture
def first(database, project):
    return invite(database, project.id, "L1")[1].id


@pytest.fixture
def second(database, project):
    return invite(database, project.id, "L2")[1].id
