"""Backups of a SQLite database: one snapshot, private, checked, and never over data by accident."""

import json
import os
import sqlite3
import stat
import threading
import time
import zipfile

import pytest
from sqlalchemy import make_url, text

from commonground.cli import run
from commonground.database import (
    audit_entries,
    find_saved,
    list_saved,
    open_database,
    record,
    save_result,
    shared_setting,
    sqlite_url,
)
from commonground.database.backup import back_up, check_backup, postgres, restore

SAVED = {"title": "Ferry runs aground", "texts": ["One \ud800 surrogate", "Ωμέγα"]}


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder / "commonground.db"


@pytest.fixture
def database(source):
    opened = open_database(sqlite_url(source))
    yield opened
    opened.close()


def _rows(path):
    opened = open_database(sqlite_url(path))
    try:
        return {one.link: find_saved(opened, one.link).data for one in list_saved(opened, 10_000)}
    finally:
        opened.close()


def test_a_backup_comes_back(database, source, tmp_path):
    link = save_result(database, "compare", SAVED, "A title").link
    backup = tmp_path / "b.zip"
    manifest = back_up(sqlite_url(source), backup)
    assert manifest.kind == "sqlite"
    assert manifest.rows["kept"] == 1
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert check_backup(backup) == manifest
    target = tmp_path / "other.db"
    assert restore(backup, sqlite_url(target)) == manifest
    assert _rows(target) == {link: SAVED}
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip", "data", "other.db"]


def test_a_backup_under_load_is_one_snapshot(database, source, tmp_path):
    """Pairs are saved in one transaction; every backup has whole pairs, and all earlier ones."""
    saved, stop = [0], threading.Event()
    insert = text(
        "INSERT INTO kept (link, kind, data, title, created_at) "
        "VALUES (:link, 'compare', '{}', '\"\"', '2026-01-01')"
    )

    def save():
        while not stop.is_set():
            with database.writing() as session:
                for half in "ab":
                    session.execute(insert, {"link": f"{saved[0]}{half}"})
            saved[0] += 1

    thread = threading.Thread(target=save)
    thread.start()
    try:
        for number in range(5):
            while saved[0] < 20 * (number + 1):
                time.sleep(0.001)
            at_least = saved[0]
            back_up(sqlite_url(source), tmp_path / f"{number}.zip")
            restore(tmp_path / f"{number}.zip", sqlite_url(tmp_path / f"{number}.db"))
            with sqlite3.connect(tmp_path / f"{number}.db") as copy:
                links = {link for (link,) in copy.execute("SELECT link FROM kept")}
            assert len(links) % 2 == 0
            assert links == {f"{n}{half}" for n in range(len(links) // 2) for half in "ab"}
            assert len(links) >= 2 * at_least
    finally:
        stop.set()
        thread.join()


def test_a_restore_reaches_those_who_have_the_database_open(database, source, tmp_path):
    first = save_result(database, "compare", SAVED).link
    back_up(sqlite_url(source), tmp_path / "b.zip")
    later = save_result(database, "compare", {}).link
    restore(tmp_path / "b.zip", sqlite_url(source), overwrite=True)
    assert find_saved(database, later) is None
    assert find_saved(database, first).data == SAVED
    again = save_result(database, "compare", {}).link
    assert set(_rows(source)) == {first, again}


def test_a_restore_is_in_the_audit_log(database, source, tmp_path):
    record(database, "ada", "project deleted", "project 1")
    manifest = back_up(sqlite_url(source), tmp_path / "b.zip")
    record(database, "ada", "project deleted", "project 2")  # rolled back
    for _ in range(2):
        restore(tmp_path / "b.zip", sqlite_url(source), overwrite=True)
        newest, older = audit_entries(database, 10)
        assert (newest.actor, newest.action) == ("command line", "backup restored")
        assert newest.subject == f"backup of {manifest.created_at}, sha256 {manifest.sha256[:12]}"
        assert newest.at.isoformat() >= manifest.created_at
        assert older.subject == "project 1"


def test_ended_sessions_stay_ended(database, source, tmp_path):
    with database.writing() as session:
        columns = {column.name: column for column in _sessions().columns}
        needed = {name: _value(one) for name, one in columns.items() if not one.nullable}
        session.execute(_sessions().insert(), needed)
    assert back_up(sqlite_url(source), tmp_path / "b.zip").rows["sessions"] == 1
    restore(tmp_path / "b.zip", sqlite_url(source), overwrite=True)
    with database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM sessions")).scalar_one() == 0


def _sessions():
    from commonground.database.tables import Base

    return Base.metadata.tables["sessions"]


def _value(column):
    from datetime import UTC, datetime

    return datetime(2030, 1, 1, tzinfo=UTC) if column.name.endswith("_at") else "x"


def test_data_and_files_are_replaced_only_when_told(database, source, tmp_path, capsys):
    link = save_result(database, "compare", SAVED).link
    folder, backup = ["--data", str(source.parent)], str(tmp_path / "b.zip")
    assert run(["backup", backup, *folder]) == 0
    assert run(["backup", backup, *folder]) == 2
    assert "exists; give --overwrite" in capsys.readouterr().err
    assert run(["backup", backup, *folder, "--overwrite"]) == 0
    later = save_result(database, "compare", {}).link
    assert run(["restore", backup, *folder]) == 2
    assert "has data; give --overwrite" in capsys.readouterr().err
    assert set(_rows(source)) == {link, later}
    assert run(["restore", backup, *folder, "--check"]) == 0
    assert set(_rows(source)) == {link, later}
    assert run(["restore", backup, *folder, "--overwrite"]) == 0
    assert "restored" in capsys.readouterr().err
    assert set(_rows(source)) == {link}


def _changed(backup, **values):
    """The backup with another manifest."""
    with zipfile.ZipFile(backup) as archive:
        manifest = {**json.loads(archive.read("manifest.json")), **values}
        copy = archive.read("database")
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("database", copy)


@pytest.mark.parametrize(
    ("values", "said", "code"),
    [
        ({"format": 2}, "format", 2),
        ({"revision": "9999"}, "newer version", 1),
        ({"sha256": "0" * 64}, "sha256", 2),
        ({"size": 10}, "sha256", 2),
        ({"rows": {"kept": 7}}, "rows", 2),
        ({"rows": None}, "manifest", 2),
        ({"rows": {'kept" CASCADE; --': 1}}, "manifest", 2),
        ({"kind": "oracle"}, "manifest", 2),
        ({"surprise": 1}, "unknown or missing fields", 2),
        ({"kind": "postgresql"}, "postgresql database: use --database", 2),
    ],
)
def test_a_wrong_backup_changes_nothing(database, source, tmp_path, capsys, values, said, code):
    save_result(database, "compare", SAVED)
    backup = tmp_path / "b.zip"
    back_up(sqlite_url(source), backup)
    _changed(backup, **values)
    before = _rows(source)
    assert run(["restore", str(backup), "--data", str(source.parent), "--overwrite"]) == code
    line = capsys.readouterr().err
    assert said in line
    assert line.count("\n") == 1
    assert "unexpected" not in line
    assert _rows(source) == before


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.99])
def test_a_cut_or_damaged_backup_is_refused(database, source, tmp_path, capsys, kept):
    save_result(database, "compare", {"text": os.urandom(30_000).hex()})
    backup = tmp_path / "b.zip"
    back_up(sqlite_url(source), backup)
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(len(whole) * kept)])
    assert run(["restore", str(backup), "--check"]) == 2
    middle = bytearray(whole)
    middle[len(whole) // 2] ^= 0xFF
    backup.write_bytes(middle)
    assert run(["restore", str(backup), "--check"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(str(backup) in line for line in lines)


def test_what_is_not_there_is_one_line(tmp_path, capsys):
    assert run(["backup", str(tmp_path / "b.zip"), "--data", str(tmp_path / "none")]) == 2
    assert run(["restore", str(tmp_path / "none.zip"), "--data", str(tmp_path)]) == 2
    (tmp_path / "commonground.db").write_text("not a database, but long enough to be looked at")
    assert run(["backup", str(tmp_path / "b.zip"), "--data", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["commonground.db"]


def test_an_older_backup_is_migrated(source, tmp_path):
    from commonground.database import engine

    old = engine._sqlite(engine.parsed_url(sqlite_url(source)))
    with old.begin() as connection:
        engine._migrate(connection, to="0001")
    old.dispose()
    assert back_up(sqlite_url(source), tmp_path / "b.zip").revision == "0001"
    restore(tmp_path / "b.zip", sqlite_url(tmp_path / "new.db"))
    assert back_up(sqlite_url(tmp_path / "new.db"), tmp_path / "c.zip").revision != "0001"


def test_a_server_that_was_only_started_has_no_data(database, source, tmp_path):
    shared_setting(database, "mark", lambda: "made by the server")
    back_up(sqlite_url(source), tmp_path / "b.zip")
    restore(tmp_path / "b.zip", sqlite_url(source))


@pytest.mark.parametrize(
    "url", ["postgresql://ada:hidden@db/x", "postgresql://db/x?password=hidden"]
)
def test_no_password_is_in_the_list_of_processes(url, tmp_path, monkeypatch):
    (tmp_path / "pg_dump").write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/seen\necho $PGPASSWORD > {tmp_path}/secret\n'
    )
    (tmp_path / "pg_dump").chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    postgres._run(make_url(url), "pg_dump")
    assert (tmp_path / "seen").read_text() in (
        "--dbname=postgresql://ada@db/x\n",
        "--dbname=postgresql://db/x\n",
    )
    assert (tmp_path / "secret").read_text() == "hidden\n"
