"""The file of a backup: a ZIP archive with a manifest and a copy of the database."""

import contextlib
import hashlib
import json
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from commonground.database.audit import record
from commonground.database.engine import Database
from commonground.errors import InputError
from commonground.io import sha256_of, whole_bytes

_FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_COPY: Final = "database"
_MAX_MANIFEST: Final = 1_000_000
_PART: Final = 1 << 20
NOT_DATA: Final = ("alembic_version", "sessions", "settings")
"""Tables in which every server has rows from its start."""

# Of a file that was changed, cut or locked; RuntimeError also of JSON that is nested too deeply.
_DAMAGE: Final = (KeyError, TypeError, ValueError, zlib.error, EOFError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds; `rows` is the number of rows of each table."""

    kind: str
    """`sqlite` or `postgresql`."""
    version: str
    """The version of commonground that made the backup."""
    revision: str
    """The newest migration of the database."""
    created_at: str
    rows: Mapping[str, int]
    size: int
    sha256: str
    format: int = _FORMAT

    def record_restore(self, database: Database) -> None:
        """Add to the audit log that this backup was restored now."""
        subject = f"backup of {self.created_at}, sha256 {self.sha256[:12]}"
        record(database, "command line", "backup restored", subject)


@contextlib.contextmanager
def private_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a temporary folder that only this user can read."""
    folder = tempfile.mkdtemp(prefix=".commonground-", dir=parent)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def pack(path: Path, manifest: Manifest, copy: Path) -> None:
    """Write the file of a backup, readable by this user only; a failure leaves no file."""
    with whole_bytes(path, private=True) as out, zipfile.ZipFile(out, "w") as archive:
        archive.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
        # Dumps of PostgreSQL are compressed.
        packed = zipfile.ZIP_DEFLATED if manifest.kind == "sqlite" else zipfile.ZIP_STORED
        archive.write(copy, _COPY, packed)


def seal(copy: Path, **known: Any) -> Manifest:
    """Return the manifest of a copy."""
    return Manifest(size=copy.stat().st_size, sha256=sha256_of(copy), **known)


@contextlib.contextmanager
def unpacked(path: Path) -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup into a private folder and check its size and sha256.

    Raises:
        InputError: The file is missing, no backup, damaged, or of a newer format.
    """
    with private_folder() as folder:
        copy = folder / _COPY
        try:
            with zipfile.ZipFile(path) as archive:
                manifest = _manifest(archive.open(_MANIFEST).read(_MAX_MANIFEST))
                _extract(archive, manifest, copy)
        except OSError as error:
            raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
        except zipfile.BadZipFile:
            raise InputError(f"{path} is not a commonground backup, or it is damaged") from None
        except _DAMAGE as error:
            reason = str(error).strip("'\"") or type(error).__name__
            raise InputError(f"{path} is not a complete commonground backup ({reason})") from None
        yield manifest, copy


def _manifest(content: bytes) -> Manifest:
    values = json.loads(content)
    if not isinstance(values, dict) or values.get("format") != _FORMAT:
        raise ValueError(f"its format is not {_FORMAT}; a newer version may read it")
    if set(values) != {field.name for field in fields(Manifest)}:
        raise ValueError("its manifest has unknown or missing fields")
    manifest = Manifest(**values)
    lines = (manifest.version, manifest.revision, manifest.created_at)
    readable = all(isinstance(line, str) and line.isprintable() for line in lines)
    known = manifest.kind in ("sqlite", "postgresql")
    if not (known and readable and _is_rows(manifest.rows)):
        raise ValueError("its manifest has invalid values")
    return manifest


def _is_rows(rows: Any) -> bool:
    """Return whether these are names of tables and numbers; both go into SQL."""
    return isinstance(rows, dict) and all(
        re.fullmatch(r"[a-z_][a-z0-9_]*", name) and type(count) is int
        for name, count in rows.items()
    )


def _extract(archive: zipfile.ZipFile, manifest: Manifest, copy: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with archive.open(_COPY) as packed, copy.open("xb") as out:
        while part := packed.read(_PART):
            size += len(part)
            if size > manifest.size:
                break
            digest.update(part)
            out.write(part)
    if size != manifest.size or digest.hexdigest() != manifest.sha256:
        raise ValueError("its sha256 does not match its manifest")
