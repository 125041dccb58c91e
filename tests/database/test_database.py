"""The database: made by migrations alone, shared by processes, clear about what is wrong."""

import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from commonground.annotate import each_project
from commonground.database import (
    engine,
    find_saved,
    is_public,
    list_saved,
    open_database,
    save_result,
    sqlite_url,
)
from commonground.database.tables import Base, ProjectRow
from commonground.errors import CommongroundError, InputError, MissingExtraError

sqlite_only = pytest.mark.skipif(
    "COMMONGROUND_TEST_POSTGRES" in os.environ, reason="about SQLite alone"
)


@sqlite_only
def test_migrations_make_exactly_the_tables(database):
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": _compare_types})
        assert compare_metadata(context, Base.metadata) == []


def _compare_types(context, inspected, declared, inspected_type, declared_type):
    implementation = getattr(declared_type, "impl", declared_type)
    return type(inspected_type).__name__.upper() != type(implementation).__name__.upper()


@sqlite_only
def test_sqlite_waits_for_the_disk_and_keeps_references_whole(database):
    with database.reading() as session:
        pragma = {
            name: session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragma == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 30_000,
    }


def test_opening_again_keeps_what_is_there(tmp_path):
    url = sqlite_url(tmp_path / "odd name % # ?.db")
    first = open_database(url)
    link = save_result(first, "compare", {"text": "kept"}).link
    first.close()
    again = open_database(url)
    assert find_saved(again, link).data == {"text": "kept"}
    again.close()


@pytest.fixture
def earlier(database):
    """Brings the tables of an empty database back to those of a migration; its engine."""

    def brought_back(to):
        with database.engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                connection.execute(text(f"DROP TABLE {table.name}"))
            connection.execute(text("DROP TABLE alembic_version"))
            engine._migrate(connection, to)
        return database.engine

    return brought_back


def test_results_of_the_first_version_are_listed_without_a_title(database, earlier, now):
    with earlier("0001").begin() as connection:
        row = {"link": "abc", "kind": "compare", "data": '{"text":"kept"}', "created_at": now}
        columns = "link, kind, data, created_at"
        values = ":link, :kind, :data, :created_at"
        connection.execute(text(f"INSERT INTO kept ({columns}) VALUES ({values})"), row)
        engine._migrate(connection)
    assert [(row.link, row.title) for row in list_saved(database, 10)] == [("abc", "")]
    assert find_saved(database, "abc").data == {"text": "kept"}
    assert find_saved(database, "abc").expires_at is None
    assert is_public(database, "abc")  # whoever has the link can still open it


def test_projects_of_the_second_version_are_ready_and_their_labels_counted(database, earlier, now):
    with earlier("0002").begin() as connection:
        for statement in (
            "INSERT INTO projects (id, name, protocol, created_at) VALUES "
            "(1, 'Old', 'score', :now)",
            "INSERT INTO events (id, project_id, name, content) VALUES "
            """(1, 1, 'e', '{"narratives": [], "references": []}')""",
            "INSERT INTO items (id, project_id, event_id, position, system, summary, units) VALUES "
            "(1, 1, 1, 1, '', '[]', 1)",
            "INSERT INTO annotators (id, project_id, name, created_at) VALUES (1, 1, 'L1', :now)",
            "INSERT INTO labels (id, item_id, annotator_id, unit, value, client_key, saved_at, "
            "superseded_at) VALUES (1, 1, 1, 'score', '7', 'a', :now, :now), "
            "(2, 1, 1, 'score', '10', 'b', :now, NULL)",
        ):
            connection.execute(text(statement), {"now": now} if ":now" in statement else {})
        engine._migrate(connection)
    (project,) = each_project(database)
    assert (project.name, project.items) == ("Old", 1)
    with database.reading() as session:
        (row,) = session.execute(text("SELECT saves, characters FROM annotators")).all()
    assert tuple(row) == (2, 3)


def _open_and_close(url, results):
    try:
        open_database(url).close()
        results.put("")
    except Exception as error:
        results.put(repr(error))


def test_processes_may_open_a_new_database_together(tmp_path):
    url = sqlite_url(tmp_path / "new.db")
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    processes = [context.Process(target=_open_and_close, args=(url, results)) for _ in range(4)]
    for process in processes:
        process.start()
    assert [results.get(timeout=60) for _ in processes] == [""] * 4
    for process in processes:
        process.join()


def test_a_failed_block_leaves_nothing(database, now):
    with pytest.raises(ZeroDivisionError), database.writing() as session:
        session.add(ProjectRow(name="half", protocol="score", created_at=now))
        session.flush()
        raise ZeroDivisionError
    with database.reading() as session:
        assert session.query(ProjectRow).count() == 0


def test_a_reader_does_not_wait_for_a_writer_and_sees_one_moment(database, now):
    with database.writing() as session:
        session.add(ProjectRow(name="first", protocol="score", created_at=now))
        session.flush()
        seen = []
        thread = threading.Thread(target=lambda: seen.append(_count(database)))
        thread.start()
        thread.join(timeout=20)
        assert seen == [0]
    assert _count(database) == 1


def _count(database):
    with database.reading() as session:
        return session.query(ProjectRow).count()


def test_a_database_of_a_newer_version_is_left_alone(tmp_path):
    path = tmp_path / "newer.db"
    open_database(sqlite_url(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(CommongroundError, match=r"newer\.db was made by a newer version"):
        open_database(sqlite_url(path))


@pytest.mark.parametrize(
    "url", ["", "labels.db", "sqlite://", "sqlite:///:memory:", "mysql://me:hidden@host/labels"]
)
def test_other_urls_are_refused_without_repeating_a_password(url):
    with pytest.raises(InputError, match="must be sqlite:///FILE or postgresql://") as caught:
        open_database(url)
    assert "hidden" not in str(caught.value)


def test_postgresql_without_its_extra_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"needs the extra \[postgres\]"):
        open_database("postgresql://me:hidden@127.0.0.1/labels")


def test_a_file_that_is_no_database_is_one_line(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Not a database, only a few words that were here before. " * 40)
    with pytest.raises(CommongroundError, match=r"notes\.txt cannot be opened \(file is not a"):
        open_database(sqlite_url(path))
    with pytest.raises(CommongroundError, match="unable to open database file"):
        open_database(sqlite_url(tmp_path / "no folder" / "labels.db"))


def _projects(session):
    return session.execute(text("SELECT count(*) FROM projects")).scalar_one()


def test_a_reader_sees_one_moment(database, now):
    with database.reading() as reader:
        assert _projects(reader) == 0
        with database.writing() as writer:
            writer.add(ProjectRow(name="New", protocol="score", created_at=now))
        assert _projects(reader) == 0
    with database.reading() as reader:
        assert _projects(reader) == 1


@pytest.mark.skipif("COMMONGROUND_TEST_POSTGRES" not in os.environ, reason="about PostgreSQL")
def test_a_reader_changes_nothing_on_postgresql_and_the_next_writer_can(database, now):
    def add(session):
        session.add(ProjectRow(name="New", protocol="score", created_at=now))
        session.flush()

    with database.reading() as reader, pytest.raises(DBAPIError, match="read-only transaction"):
        add(reader)
    for _ in range(3):  # the same connection, from the pool
        with database.writing() as writer:
            add(writer)


@sqlite_only
def test_another_process_may_read_and_leave(tmp_path):
    """The last process to leave deletes the log: our locks must say that we are still here."""
    file = tmp_path / "labels.db"
    database = open_database(sqlite_url(file))
    first = save_result(database, "compare", {}).link
    code = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); "
        "connection.execute('SELECT count(*) FROM kept').fetchall(); connection.close()"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    assert file.with_name("labels.db-wal").exists()
    second = save_result(database, "compare", {}).link
    database.close()
    again = open_database(sqlite_url(file))
    assert {one.link for one in list_saved(again, 10)} == {first, second}
    again.close()
