"""The annotation database on a real PostgreSQL server: all that SQLite is tested for, and more."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from commonground.annotate import invite, make_project, open_database, save
from commonground.database.tables import Base
from commonground.errors import CommongroundError
from commonground.io import Event, Narrative
from live import live
from served import Served

TESTS = Path(__file__).parents[1]


@pytest.fixture
def database(postgres):
    opened = open_database(postgres.url())
    yield opened
    opened.close()


def test_the_tests_of_the_store_pass_on_postgresql(postgres):
    """Those of tests/database and tests/annotate take their database from this variable."""
    # A database of its own for every test is made on the server that this one names.
    given = {**os.environ, "COMMONGROUND_TEST_POSTGRES": postgres.url()}
    command = [sys.executable, "-m", "pytest", str(TESTS / "database"), str(TESTS / "annotate")]
    done = subprocess.run(command, env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]
    assert " passed" in done.stdout


def test_random_bodies_are_answered_on_postgresql(postgres):
    """It refuses values that SQLite stores."""
    given = {**os.environ, "COMMONGROUND_FUZZ_DATABASE": postgres.url()}
    tests = ["pytest", str(TESTS / "fuzz/test_api.py"), "-k", "bodies or documents or paths"]
    done = subprocess.run([sys.executable, "-m", *tests], env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]


def test_migrations_make_exactly_the_tables(database):
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_processes_may_open_a_new_database_together(postgres):
    code = "import sys; from commonground.annotate import *; open_database(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, postgres.url()]
    opening = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [one.communicate()[1] for one in opening] == [""] * 4
    assert [one.returncode for one in opening] == [0] * 4


def test_what_cannot_be_opened_is_one_line_without_the_password(postgres):
    with pytest.raises(CommongroundError, match="cannot be opened") as caught:
        open_database(postgres.url("not-the-password"))
    assert "not-the-password" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_commits_wait_for_the_disk_whatever_the_server_is_set_to(postgres):
    url = postgres.url()
    opened = open_database(url)
    name = url.rpartition("/")[2]
    with opened.writing() as session:
        session.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
    opened.close()
    again = open_database(url)
    with again.reading() as session:
        assert session.execute(text("SHOW synchronous_commit")).scalar_one() == "on"
    again.close()


def test_saving_goes_on_after_the_database_was_killed(postgres):
    database = open_database(postgres.url())
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    project = make_project(database, "Killed", "overlap", {"e": Event("e", narratives, ())})
    annotator = invite(database, project.id, "I1")[1].id
    for number in range(20):
        save(database, annotator, 1, "text", f"text {number}", f"saved-{number:08}")
    postgres.kill()
    postgres.start()
    with database.reading() as session:
        stored = session.execute(text("SELECT value FROM labels ORDER BY id")).scalars().all()
    assert stored == [f"text {number}" for number in range(20)]
    assert save(database, annotator, 1, "text", "after", "saved-after").value == "after"
    database.close()


def _saver(server, annotator, number, stop, outcomes):
    """Save label after label; one that is refused is sent again with its key, as the page does."""
    count = 0
    with server.browser("annotator", annotator) as browser:
        while not stop.is_set() or count < 5:
            count += 1
            text = f"text {number} {count}"
            label = {"item": 1, "unit": "text", "value": text, "key": f"key-{number}-{count:06}"}
            while True:
                answer = browser.post("/api/annotate/work/labels", json=label)
                outcomes.append((answer.status_code, answer.json()))
                if answer.status_code == 200:
                    break
                if len(outcomes) > 20_000:
                    return
    outcomes.append(("saved", count))


def _stored(database, annotator):
    query = text("SELECT value FROM labels WHERE annotator_id = :who ORDER BY id")
    with database.reading() as session:
        return session.execute(query, {"who": annotator}).scalars().all()


def test_the_database_is_restarted_under_load_and_nothing_is_lost(postgres, tmp_path):
    """Twice: orderly, and by kill -9. A save is answered with 200 or 503, never 500."""
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    with live(tmp_path, database=postgres.url()) as server:
        event = {"e": Event("e", narratives, ())}
        project = make_project(server.database, "Restarted", "overlap", event)
        people = [invite(server.database, project.id, f"I{n}")[1].id for n in range(4)]
        stop, outcomes = threading.Event(), [[] for _ in people]
        threads = [
            threading.Thread(target=_saver, args=(server, who, number, stop, outcomes[number]))
            for number, who in enumerate(people)
        ]
        for thread in threads:
            thread.start()
        for end in (postgres.stop, postgres.kill):
            _until_saved(outcomes)
            end()
            _until_refused(outcomes)
            postgres.start()
        _until_saved(outcomes)
        stop.set()
        for thread in threads:
            thread.join()
        for number, who in enumerate(people):
            *answers, (_, count) = outcomes[number]
            assert {code for code, _ in answers} == {200, 503}
            lines = {body["error"] for code, body in answers if code == 503}
            assert all(line.startswith("The server") for line in lines), lines
            wanted = [f"text {number} {one}" for one in range(1, count + 1)]
            assert _stored(server.database, who) == wanted


def _until_saved(outcomes):
    """Wait until everybody has saved some more."""
    before = [sum(code == 200 for code, _ in answers) for answers in outcomes]
    while any(
        sum(code == 200 for code, _ in answers) < old + 5
        for answers, old in zip(outcomes, before, strict=True)
    ):
        time.sleep(0.05)


def _until_refused(outcomes):
    before = [sum(code == 503 for code, _ in answers) for answers in outcomes]
    while any(
        sum(code == 503 for code, _ in answers) <= old
        for answers, old in zip(outcomes, before, strict=True)
    ):
        time.sleep(0.05)


def test_a_server_is_ready_again_once_its_database_is(postgres):
    server = Served("--database", postgres.url())
    with server.browser() as probe:
        while probe.get("/readyz").status_code != 200:
            time.sleep(0.2)
        postgres.kill()
        try:
            answer = probe.get("/readyz")
            assert answer.status_code == 503
            assert answer.text.startswith("The server's database cannot be used at the moment.")
            assert probe.get("/healthz").status_code == 200
        finally:
            postgres.start()
        assert probe.get("/readyz").text == "ok\n"
    assert server.stop() == ""
