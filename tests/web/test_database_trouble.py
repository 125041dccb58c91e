"""A database that is deleted, locked or full while the server runs, and what the log says."""

import os
import sqlite3
import stat

import pytest

from commonground.annotate import invite, make_project
from commonground.errors import InputError
from commonground.io import Event, Narrative
from commonground.web import WebSettings
from live import live
from web_browser import Browser

SECRET = "Unspeakable"


def _project(database):
    texts = (Narrative("a", "One text."), Narrative("b", "Another text."))
    project = make_project(database, "Study", "overlap", {"e": Event("e", texts, ())})
    return invite(database, project.id, "L1")[1].id


def _label(key, value="Shared."):
    return {"item": 1, "unit": "text", "value": value, "key": f"the-key-{key}"}


@pytest.mark.parametrize("suffixes", [("", "-wal", "-shm"), ("",), ("-wal",)])
def test_a_deleted_database_is_noticed(tmp_path, suffixes):
    with live(tmp_path) as server:
        annotator = _project(server.database)
        with server.browser("annotator", annotator) as browser:
            path = "/api/annotate/work/labels"
            assert browser.post(path, json=_label(1)).status_code == 200
            for suffix in suffixes:
                (tmp_path / f"commonground.db{suffix}").unlink()
            answer = browser.post(path, json=_label(2))
            assert answer.status_code == 503
            assert answer.json()["error"].startswith("The server's database was deleted")


def test_a_replaced_database_is_noticed(tmp_path):
    with live(tmp_path) as server:
        file = tmp_path / "commonground.db"
        file.rename(tmp_path / "old.db")
        file.write_bytes((tmp_path / "old.db").read_bytes())
        with server.connected(b"GET /compare HTTP/1.1\r\nHost: localhost\r\n\r\n") as raw:
            assert raw.recv(12) == b"HTTP/1.1 503"


def test_a_locked_database_is_503_and_one_line_in_the_log(make_app, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("commonground.database.engine._TIMEOUT_SECONDS", 0.1)
    with Browser(make_app()) as browser:
        browser.visit()
        other = sqlite3.connect(tmp_path / "commonground.db")
        other.execute("BEGIN IMMEDIATE")
        answer = browser.post("/api/annotate/example")
        other.close()
        assert (answer.status_code, "Traceback" in caplog.text) == (503, False)
        assert len(caplog.records) == 1
        assert browser.post("/api/annotate/example").status_code == 201


def test_a_full_disk_is_507(make_app, tmp_path, caplog):
    app = make_app()
    with Browser(app) as browser:
        browser.visit()
        with app.state.database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
        answer = browser.post("/api/annotate/example")
        assert (answer.status_code, "Traceback" in caplog.text) == (507, False)
        assert "full" in answer.json()["error"]


def test_no_text_comes_into_the_log(make_app, monkeypatch, caplog, capfd):
    """Errors quote what they meet: a parameter, a title, a key."""

    def fails(database, *arguments):
        from sqlalchemy import text

        with database.writing() as session:
            session.execute(text("INSERT INTO nowhere VALUES (:a)"), {"a": SECRET})

    def breaks(*arguments):
        raise KeyError(SECRET)

    app = make_app()
    with Browser(app) as browser:
        browser.visit()
        project = browser.post("/api/annotate/example").json()["link"].rsplit("/", 1)[1]
        for broken in (fails, breaks):
            monkeypatch.setattr("commonground.web.pages.annotate.projects.invite", broken)
            path = f"/api/annotate/projects/{project}/annotators"
            answer = browser.post(path, json={"name": SECRET})
            assert answer.status_code in (500, 503)
            monkeypatch.setattr("commonground.web.pages.annotate.labelling.accept", broken)
            assert browser.get(f"/invite/{SECRET}").status_code in (500, 503)
    assert len(caplog.records) == 4
    assert SECRET not in caplog.text + "".join(capfd.readouterr())


def test_the_log_of_a_failed_job_has_no_text(make_app, caplog, capfd):
    def then(result, settle):
        raise ValueError(SECRET)

    app = make_app()
    with Browser(app) as browser:
        browser.visit()
        job = app.state.jobs.submit("text", {}, "owner", then)
        app.state.jobs._finish(job, {}, b"{}")
        assert job.state == "failed"
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text + "".join(capfd.readouterr())


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_data_is_private_whoever_made_the_folder(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    file = folder / "commonground.db"
    file.touch(0o644)
    with live(folder):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert set(modes.values()) == {0o600}
        assert len(modes) == 3
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_an_open_folder_with_other_files_is_refused_and_left_as_it_is(tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    (folder / "thesis.txt").touch()
    with pytest.raises(
        InputError, match=r"also holds thesis\.txt: give --data a folder of its own"
    ):
        WebSettings(data=folder).database_url()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    folder.chmod(0o700)
    assert WebSettings(data=folder).database_url().endswith("shared/commonground.db")
