"""Servers that are real processes, shared by the system tests."""

import pytest

from postgres_server import postgres_server


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of the tests' own."""
    with postgres_server() as server:
        yield server
