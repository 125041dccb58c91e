"""A cache of vectors on disk.

One SQLite file for each model, named after its hash: SQLite provides locking between processes
and atomic writes. Each row has a checksum; a damaged file is removed and rebuilt. The cache never
raises: unreadable vectors are encoded again, and failed writes are only logged.
"""

import contextlib
import hashlib
import logging
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from commonground.encoders.protocol import Vectors

log = logging.getLogger(__name__)

_KEYS_AT_ONCE = 500  # in one SELECT; SQLite allows at least 999
_BUSY_SECONDS = 30.0
_FULL_SHARE = 0.75  # of the limit that eviction leaves, so that it is rare


class VectorCache:
    """The cached vectors of one model.

    Args:
        folder: The folder with the files of all models.
        model: A name that changes whenever the model's vectors do.
        dimension: The length of a vector; None if it varies.
        limit: Maximum size of all files of the folder, in bytes.
    """

    def __init__(self, folder: Path, model: str, dimension: int | None, limit: int) -> None:
        self.path = folder / f"{model}.sqlite"
        self._dimension = dimension
        self._limit = limit

    def get(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the cached vectors by text, without damaged ones."""
        if not self.path.is_file():
            return {}
        texts_by_key = {_key(text): text for text in texts}
        result: dict[str, Vectors] = {}

        def read(connection: sqlite3.Connection) -> None:
            keys = list(texts_by_key)
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                batch = keys[start : start + _KEYS_AT_ONCE]
                query = "SELECT key, vector, checksum FROM vectors WHERE key IN"
                for key, blob, checksum in connection.execute(
                    f"{query} ({','.join('?' * len(batch))})", batch
                ):
                    has_length = len(blob) == 4 * (self._dimension or len(blob) // 4)
                    if has_length and checksum == zlib.crc32(key + blob):
                        vector = np.frombuffer(blob, dtype="<f4").astype(np.float32)
                        result[texts_by_key[key]] = vector

        self._attempt(read)
        return result

    def put(self, texts: Sequence[str], vectors: Sequence[Vectors] | Vectors) -> None:
        """Store vectors; evict the oldest ones above the limit."""
        rows = []
        for text, vector in zip(texts, vectors, strict=True):
            key, blob = _key(text), vector.astype("<f4").tobytes()
            rows.append((key, blob, zlib.crc32(key + blob)))

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._attempt(write)
        self._stay_within_limit()

    def _attempt(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Run `work` in a transaction; remove a damaged file, log any other error."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS)) as database:
                _prepare(database)
                with database:
                    work(database)
        except (sqlite3.OperationalError, OSError) as error:
            log.warning("vector cache %s not used: %s", self.path, error)
        except sqlite3.DatabaseError as error:
            log.warning("vector cache %s is damaged (%s) and is rebuilt", self.path, error)
            _remove(self.path)

    def _stay_within_limit(self) -> None:
        files = []
        for path in self.path.parent.glob("*.sqlite"):
            with contextlib.suppress(OSError):  # another process has removed it
                status = path.stat()
                files.append((path == self.path, status.st_mtime, status.st_size, path))
        excess = sum(size for _, _, size, _ in files) - self._limit
        for is_own, _, size, path in sorted(files):  # the oldest first, this one last
            if excess <= 0:
                return
            if is_own:
                self._evict_oldest(size)
            else:
                _remove(path)
            excess -= size

    def _evict_oldest(self, size: int) -> None:
        def shrink(connection: sqlite3.Connection) -> None:
            (rows,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
            # From the size of the file: a long row fills a page of its own.
            keep = int(rows * _FULL_SHARE * self._limit / size)
            connection.execute(
                "DELETE FROM vectors WHERE rowid NOT IN"
                " (SELECT rowid FROM vectors ORDER BY rowid DESC LIMIT ?)",
                (keep,),
            )
            connection.commit()
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        self._attempt(shrink)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _prepare(connection: sqlite3.Connection) -> None:
    # With the write-ahead log, readers do not wait for writers.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS vectors"
        " (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)"
    )
    columns = [row[1] for row in connection.execute("PRAGMA table_info(vectors)")]
    if columns != ["key", "vector", "checksum"]:
        raise sqlite3.DatabaseError(f"a table of {', '.join(columns)}")


def _remove(path: Path) -> None:
    for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
