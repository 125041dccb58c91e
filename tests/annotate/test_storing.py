"""Projects come and go in short transactions, and a crash leaves nothing that anybody sees."""

import signal
import subprocess
import sys
from itertools import pairwise

import pytest
from sqlalchemy import text

from commonground.annotate import (
    ConflictError,
    NotFoundError,
    accept,
    delete_project,
    each_project,
    find_project,
    hide_project,
    invite,
    make_project,
    open_database,
    prepare,
    purge_unfinished,
    save,
    store_project,
    storing,
)
from commonground.database import find_session, sqlite_url, start_session
from commonground.io import Event, Narrative, Prediction

NARRATIVES = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))


@pytest.fixture
def many():
    """Events and outputs for 2,500 items."""
    events = {f"e{number}": Event(f"e{number}", NARRATIVES, ()) for number in range(1_250)}
    outputs = [Prediction(name, "Rain.", by, 1) for by in ("a", "b") for name in events]
    return events, outputs


def _counts(database):
    tables = ("projects", "events", "items", "annotators", "labels", "remarks", "decisions")
    with database.reading() as session:
        return {
            name: session.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name in tables
        }


def test_a_save_gets_in_between_the_parts_of_a_large_project(database, project, first, many):
    """While the project is stored and deleted, another label is saved between all its parts."""
    saved = []

    def pause(_):
        label = save(database, first, 1, "precision/1", "P", f"between-{len(saved):04}")
        assert [one.name for one in each_project(database)] == ["Two events"]
        saved.append(label)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(storing.time, "sleep", pause)
        large = make_project(database, "Large", "score", *many)
        assert len(saved) == 3 + 5  # 1,250 events and 2,500 items, 500 at once
        hide_project(database, large.id)
        purge_unfinished(database)
        assert len(saved) == 2 * 8
    assert _counts(database)["items"] == project.items


def test_no_transaction_deletes_more_than_some_hundred_rows(database, many, monkeypatch):
    large = make_project(database, "Large", "score", *many)
    annotators = [invite(database, large.id, name)[1].id for name in ("L1", "L2")]
    with database.writing() as session:
        for annotator in annotators:
            session.execute(
                text(
                    "INSERT INTO labels (item_id, annotator_id, unit, value, client_key, saved_at)"
                    f" SELECT id, {annotator}, 'score', '5', 'key-' || id, CURRENT_TIMESTAMP"
                    " FROM items"
                )
            )
    before = _counts(database)
    assert (before["items"], before["labels"]) == (2_500, 5_000)
    totals = [sum(before.values())]
    monkeypatch.setattr(
        storing.time, "sleep", lambda _: totals.append(sum(_counts(database).values()))
    )
    delete_project(database, large.id)
    assert max(one - other for one, other in pairwise(totals)) <= 500
    assert not any(_counts(database).values())


def test_a_project_is_there_only_when_it_is_complete(database, many):
    prepared = prepare("score", *many)

    def confirm():
        assert each_project(database) == []
        with pytest.raises(NotFoundError):
            find_project(database, 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store_project(database, "Large", prepared, confirm=confirm)
    assert not any(_counts(database).values())


def test_a_project_that_another_server_purges_is_not_half_there(database, many, monkeypatch):
    monkeypatch.setattr(storing.time, "sleep", lambda _: purge_unfinished(database))
    with pytest.raises(ConflictError, match="another server"):
        make_project(database, "Large", "score", *many)
    assert not any(_counts(database).values())


def test_a_hidden_project_lets_nobody_in(database, project, first):
    token, annotator = invite(database, project.id, "L9")
    secret, _ = start_session(database, "annotator", annotator.id)
    hide_project(database, project.id)
    assert find_session(database, secret) is None
    with pytest.raises(NotFoundError):
        accept(database, token)
    with pytest.raises(NotFoundError):
        save(database, first, 1, "precision/1", "P", "too-late-1")
    with pytest.raises(NotFoundError):
        hide_project(database, project.id)


STORER = """
import sys
from commonground.annotate import make_project, open_database, storing
from commonground.io import Event, Narrative

def pause(_):
    sys.stdout.write("stored a part\\n")
    sys.stdout.flush()
    sys.stdin.readline()

storing.time.sleep = pause
narratives = (Narrative("One", "It rained."),)
events = {f"e{number}": Event(f"e{number}", narratives, ()) for number in range(1_100)}
make_project(open_database(sys.argv[1]), "Killed", "overlap", events)
"""


def test_what_a_crash_left_is_invisible_and_goes_at_the_next_start(tmp_path):
    url = sqlite_url(tmp_path / "labels.db")
    database = open_database(url)
    storer = subprocess.Popen(
        [sys.executable, "-c", STORER, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert storer.stdout.readline() == "stored a part\n"
    storer.send_signal(signal.SIGKILL)
    storer.communicate()
    assert _counts(database)["events"] == 500
    assert each_project(database) == []
    purge_unfinished(database)
    assert not any(_counts(database).values())
    database.close()
