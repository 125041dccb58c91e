"""Backups of servers that people use meanwhile, on SQLite and on PostgreSQL."""

import json
import subprocess
import sys
import threading
import zipfile

import pytest

from commonground.cli import run
from saved_pages import SAVED, same_pages, served


class Writers:
    """People who save without a pause; `links` are those that the server has confirmed."""

    def __init__(self, server, people=3):
        self.server, self.links, self.refused = server, [], []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._save) for _ in range(people)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, more):
        """Wait until so many more have been saved."""
        wanted = len(self.links) + more
        while len(self.links) < wanted:
            assert any(thread.is_alive() for thread in self._threads)
            self._stop.wait(0.01)

    def _save(self):
        with self.server.browser() as browser:
            browser.visit("/compare")
            while not self._stop.is_set():
                answer = browser.post("/api/saved", json=SAVED)
                if answer.status_code == 201:
                    self.links.append(answer.json()["link"])
                elif answer.status_code in (401, 403):  # a restore ends all sessions
                    self.refused.append(answer.status_code)
                    browser.cookies.clear()
                    browser.visit("/compare")
                else:  # the database was locked by a restore
                    assert answer.status_code == 503, answer.text
                    self.refused.append(503)


def _commonground(*arguments):
    command = [sys.executable, "-m", "commonground", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def _log(*options):
    """The lines of the audit log, newest first."""
    command = [sys.executable, "-m", "commonground", "accounts", "log", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request, tmp_path):
    """Makes options of `serve` for a new, empty database."""
    numbers = iter(range(10))

    def make():
        if request.param == "postgresql":
            return ("--database", request.getfixturevalue("postgres").url())
        return ("--data", tmp_path / f"data-{next(numbers)}")

    return make


def test_a_backup_under_load_has_all_that_was_confirmed_before(places, tmp_path):
    here, there = places(), places()
    with served(*here) as server, Writers(server) as writers:
        writers.wait_for(10)
        before = list(writers.links)
        _commonground("backup", tmp_path / "b.zip", *here)
        writers.wait_for(3)  # saving goes on
        assert writers.refused == []
        _commonground("restore", tmp_path / "b.zip", *there)
        with served(*there) as restored:
            same_pages(before, server, restored)
            with restored.browser() as browser:
                browser.visit("/saved")
                late = [browser.get(link).status_code for link in writers.links[-2:]]
                assert late == [404, 404]
                assert browser.post("/api/saved", json=SAVED).status_code == 201


def test_a_restore_under_load_goes_back_in_one_step(places, tmp_path):
    here = places()
    with served(*here) as server, Writers(server) as writers:
        writers.wait_for(5)
        _commonground("backup", tmp_path / "b.zip", *here)
        before = len(writers.links)
        writers.wait_for(5)
        lost = writers.links[before + 3 :]
        _commonground("restore", tmp_path / "b.zip", *here, "--overwrite")
        writers.wait_for(5)
        kept = writers.links[-3:]
        assert {401, 403} & set(writers.refused)  # everyone has logged in again
        with server.browser() as browser:
            browser.visit("/saved")
            assert {browser.get(link).status_code for link in writers.links[:3]} == {200}
            assert {browser.get(link).status_code for link in lost} == {404}
            assert {browser.get(link).status_code for link in kept} == {200}
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        made = json.loads(archive.read("manifest.json"))["created_at"]
    (entry,) = (one for one in _log(*here) if one["action"] == "backup restored")
    assert entry["subject"].startswith(f"backup of {made}, sha256 ")


def test_a_database_in_use_is_not_overwritten_by_accident(postgres, tmp_path, capsys):
    used, name = postgres.url(), str(tmp_path / "b.zip")
    with served("--database", used) as server, server.browser() as browser:
        browser.visit("/saved")
        link = browser.post("/api/saved", json=SAVED).json()["link"]
        assert run(["backup", name, "--database", used]) == 0
        assert run(["restore", name, "--database", used]) == 2
        said = capsys.readouterr().err
        assert "has data; give --overwrite" in said
        assert postgres.password not in said
        assert browser.get(link).status_code == 200
        assert run(["restore", name, "--data", str(tmp_path)]) == 2
        assert "use --database" in capsys.readouterr().err
        wrong = used.replace(postgres.password, "wrong")
        assert run(["backup", str(tmp_path / "c.zip"), "--database", wrong]) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
