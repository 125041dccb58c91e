from datetime import UTC, datetime

import pytest

from commonground.annotate import invite, make_project
from commonground.io import Event, Narrative, Prediction
from databases import empty_database


@pytest.fixture
def database(tmp_path):
    with empty_database(tmp_path) as opened:
        yield opened


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
