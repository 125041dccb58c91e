"""Backups that somebody made up: one line each, and nothing is restored."""

import hashlib
import json
import sqlite3
import zipfile

import pytest

from commonground.cli import run
from commonground.database import open_database, sqlite_url
from commonground.database.backup import back_up


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """The manifest and the database of an honest backup."""
    folder = tmp_path_factory.mktemp("honest")
    url = sqlite_url(folder / "source.db")
    open_database(url).close()
    back_up(url, folder / "backup")
    with zipfile.ZipFile(folder / "backup") as archive:
        return json.loads(archive.read("manifest.json")), archive.read("database")


def forged(path, manifest, database):
    manifest = manifest | {"size": len(database), "sha256": hashlib.sha256(database).hexdigest()}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("database", database)


def assert_refused(path, said, capsys):
    target = path.with_name("data")
    for arguments in (["--check"], ["--data", str(target), "--overwrite"]):
        assert run(["restore", str(path), *arguments]) in (1, 2)
        line = capsys.readouterr().err
        assert said in line
        assert line.count("\n") == 1
        assert "unexpected" not in line
    assert not (target / "commonground.db").exists()


@pytest.mark.parametrize(
    "values",
    [{"revision": []}, {"version": {}}, {"created_at": "\x1b[2J"}, {"created_at": "\ud800"}],
)
def test_fields_that_are_no_lines(honest, tmp_path, capsys, values):
    manifest, database = honest
    forged(tmp_path / "forged", manifest | values, database)
    assert_refused(tmp_path / "forged", "its manifest has invalid values", capsys)


def test_a_manifest_without_bottom_and_a_locked_archive(honest, tmp_path, capsys):
    manifest, database = honest
    with zipfile.ZipFile(tmp_path / "deep", "w") as archive:
        archive.writestr("manifest.json", "[" * 100_000)
    assert_refused(tmp_path / "deep", "is not a complete commonground backup", capsys)
    forged(tmp_path / "locked", manifest, database)
    content = bytearray((tmp_path / "locked").read_bytes())
    content[6] |= 1
    content[content.find(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "locked").write_bytes(content)
    assert_refused(tmp_path / "locked", "is not a complete commonground backup", capsys)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM alembic_version", "not a commonground database"),
        ('CREATE TABLE "a""b" (x)', "its rows do not match its manifest"),
        (
            "CREATE TRIGGER t AFTER INSERT ON sessions BEGIN "
            "UPDATE accounts SET role = 'administrator'; END",
            "not a commonground database",
        ),
        ("CREATE VIEW v AS SELECT 1", "not a commonground database"),
    ],
)
def test_databases_that_no_server_made(honest, tmp_path, capsys, sql, said):
    manifest, database = honest
    (tmp_path / "changed.db").write_bytes(database)
    connection = sqlite3.connect(tmp_path / "changed.db")
    connection.execute(sql)
    connection.commit()
    connection.close()
    forged(tmp_path / "forged", manifest, (tmp_path / "changed.db").read_bytes())
    assert_refused(tmp_path / "forged", said, capsys)


@pytest.mark.parametrize("part", [slice(0, 4096), slice(100, None)])
def test_files_that_are_no_database(honest, tmp_path, capsys, part):
    manifest, database = honest
    forged(tmp_path / "forged", manifest, database[part])
    assert_refused(tmp_path / "forged", f"{tmp_path / 'forged'}", capsys)
