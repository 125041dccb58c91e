"""The commands of docs/backup.md, run as they are written, beside servers that are in use."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from saved_pages import SAVED, same_pages, served

PAGE = Path(__file__).parents[2] / "docs" / "backup.md"


def _commands(heading):
    section = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"^```sh\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE))


def _run(heading, folder, **variables):
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, **variables, "PATH": path}
    commands = _commands(heading)
    assert commands.count("commonground backup") >= 1
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def _saved(server):
    with server.browser() as browser:
        browser.visit("/saved")
        return browser.post("/api/saved", json=SAVED).json()["link"]


def test_the_commands_for_sqlite(tmp_path):
    with served("--data", tmp_path / "data") as server:
        link = _saved(server)
        _run("SQLite", tmp_path)
        with served("--data", tmp_path / "restored") as restored:
            same_pages([link], server, restored)


@pytest.fixture
def databases(postgres):
    """The server's address, with a new database that has the name in the page."""
    place = urlsplit(postgres.url())
    whole = place._replace(path="/commonground").geturl()
    with psycopg.connect(place.geturl(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE commonground")
    yield place, whole
    names = ("commonground", "commonground_restored", "commonground_copy")
    with psycopg.connect(place.geturl(), autocommit=True) as connection:
        for name in names:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def test_the_commands_for_postgresql(databases, tmp_path):
    """`pg_dump` and a restore into an empty database give the same pages, too."""
    place, whole = databases
    known = {"PGUSER": place.username, "PGPASSWORD": place.password, "PGHOST": place.hostname}
    with served("--database", whole) as server:
        links = [_saved(server) for _ in range(3)]
        _run("PostgreSQL", tmp_path, **known, PGPORT=str(place.port))
        for name in ("commonground_restored", "commonground_copy"):
            with served("--database", place._replace(path=f"/{name}").geturl()) as restored:
                same_pages(links, server, restored)


def test_the_nightly_command_of_the_service(tmp_path):
    """As cron runs it, with a short PATH; only its folders are others."""
    (line,) = re.findall(r"^15 3 \* \* \* (/opt/commonground/.*)$", PAGE.read_text("utf-8"), re.M)
    backups, data = tmp_path / "backups", tmp_path / "data"
    backups.mkdir()
    for there, here in {
        "/opt/commonground/bin": Path(sys.executable).parent,
        "/var/backups/commonground": backups,
        "/var/lib/commonground": data,
        r"\%": "%",
    }.items():
        assert there in line
        line = line.replace(there, str(here))
    with served("--data", data) as server:
        link = _saved(server)
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        (file,) = backups.iterdir()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d\.zip", file.name)
        restored = tmp_path / "restored"
        program = [sys.executable, "-m", "commonground"]
        subprocess.run([*program, "restore", file, "--data", restored], check=True)
        with served("--data", restored) as other:
            same_pages([link], server, other)
