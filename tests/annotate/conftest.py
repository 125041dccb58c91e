from datetime import UTC, datetime

import pytest

from commonground.annotate.database import open_database
from commonground.annotate.database.engine import sqlite_url


@pytest.fixture
def database(tmp_path):
    opened = open_database(sqlite_url(tmp_path / "labels.db"))
    yield opened
    opened.close()


@pytest.fixture
def now():
    return datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
