from datetime import UTC, datetime

import pytest

from databases import empty_database


@pytest.fixture
def database(tmp_path):
    with empty_database(tmp_path) as opened:
        yield opened


@pytest.fixture
def now():
    return datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
