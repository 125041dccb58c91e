"""Back up, check and restore a database of either kind."""

from datetime import UTC, datetime
from pathlib import Path

from commonground.database.backup import postgres, sqlite
from commonground.database.backup.archive import Manifest, pack, private_folder, seal, unpacked
from commonground.database.engine import known_revisions, parsed_url
from commonground.errors import CommongroundError, InputError
from commonground.io import check_writable
from commonground.version import __version__

_OPTIONS = {"sqlite": "--data", "postgresql": "--database"}


def back_up(url: str, path: Path, *, overwrite: bool = False) -> Manifest:
    """Write one snapshot of a database to a file that only this user can read.

    Servers that use the database can save meanwhile.

    Raises:
        InputError: There is no database, or the file exists and may not be overwritten.
        CommongroundError: The database is damaged or cannot be read.
    """
    check_writable(path)
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists; give --overwrite to replace it")
    parsed = parsed_url(url)
    kind = parsed.get_backend_name()
    with private_folder(path.resolve().parent) as folder:
        copy = folder / "copy"
        if kind == "sqlite":
            revision, rows = sqlite.dump(Path(parsed.database or ""), copy)
        else:
            revision, rows = postgres.dump(parsed, copy)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        known = {"kind": kind, "version": __version__, "created_at": now}
        manifest = seal(copy, **known, revision=revision, rows=rows)
        pack(path, manifest, copy)
    return manifest


def check_backup(path: Path) -> Manifest:
    """Check that a file is a whole backup that this version can restore, and return its manifest.

    Raises:
        InputError: The file is not a backup, or it is damaged.
        CommongroundError: A newer version made it.
    """
    with unpacked(path) as (manifest, copy):
        _check(path, manifest, copy)
        return manifest


def restore(path: Path, url: str, *, overwrite: bool = False) -> Manifest:
    """Put a backup in place of a database, in one transaction; everyone has to log in again.

    The audit log is the backup's, with one entry more: that it was restored.

    Raises:
        InputError: The file is not a backup or is damaged, is of the other kind of database, or the
            database has data that may not be overwritten.
        CommongroundError: A newer version made the backup, or the database cannot be written.
    """
    parsed = parsed_url(url)
    with unpacked(path) as (manifest, copy):
        _check(path, manifest, copy)
        if manifest.kind != parsed.get_backend_name():
            option = _OPTIONS[manifest.kind]
            raise InputError(f"{path} is a backup of a {manifest.kind} database: use {option}")
        if manifest.kind == "sqlite":
            sqlite.load(copy, Path(parsed.database or ""), manifest, overwrite=overwrite)
        else:
            postgres.load(copy, parsed, manifest, overwrite=overwrite)
        return manifest


def _check(path: Path, manifest: Manifest, copy: Path) -> None:
    if manifest.revision not in known_revisions():
        raise CommongroundError(
            f"{path} was made by a newer version ({manifest.version}): update commonground"
        )
    if manifest.kind != "sqlite":
        return
    with sqlite.one_line_errors(path):
        found = sqlite.inspect(copy)
    if found != (manifest.revision, manifest.rows):
        raise InputError(f"{path} is damaged: its rows do not match its manifest")
