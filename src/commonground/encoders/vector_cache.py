"""A cache of vectors on disk, which believes only what this user wrote."""

import contextlib
import hashlib
import hmac
import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonground.encoders.signing import signing_key

log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]

_KEYS_AT_ONCE = 500  # in one SELECT; SQLite allows at least 999
_BUSY_SECONDS = 30.0
_FULL_SHARE = 0.75  # of the limit that eviction leaves, so that it is rare
_DIGEST = 16  # bytes


class VectorCache:
    """The cached vectors of one model on disk.

    One SQLite file for each model and key: SQLite provides locking between processes and atomic
    writes. Each row is signed with the user's key over the model, the text and the vector, so a
    vector that was changed, copied from another text or written by another user is not believed
    but computed again. A damaged file is removed and rebuilt. The cache never raises: failed
    reads and writes are only logged.

    Args:
        folder: The folder with the files of all models.
        model: A name that changes whenever the model's vectors do.
        dimension: The length of a vector; None if it varies.
        limit: Maximum size of all files of the folder, in bytes.
    """

    def __init__(self, folder: Path, model: str, dimension: int | None, limit: int) -> None:
        self._key = signing_key()
        # Users of a shared folder have a file each, since they do not believe each other's rows.
        owner = hashlib.blake2b(self._key, digest_size=4).hexdigest()
        self.path = folder / f"{model}-{owner}.sqlite"
        self._model = model.encode()
        self._dimension = dimension
        self._limit = limit

    def get(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the cached vectors by text, without damaged ones."""
        if not self.path.is_file():
            return {}
        texts_by_key = {key_of(text): text for text in texts}
        result: dict[str, Vectors] = {}

        def read(connection: sqlite3.Connection) -> None:
            keys = list(texts_by_key)
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                batch = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, vector, signature FROM vectors WHERE key IN ({marks})"
                for key, blob, signature in connection.execute(query, batch):
                    has_length = len(blob) == 4 * (self._dimension or len(blob) // 4)
                    if has_length and self._is_signed(key, blob, signature):
                        vector = np.frombuffer(blob, dtype="<f4").astype(np.float32)
                        result[texts_by_key[key]] = vector

        self._attempt(read)
        return result

    def put(self, texts: Sequence[str], vectors: Sequence[Vectors] | Vectors) -> None:
        """Store vectors; evict the oldest ones above the limit."""
        rows = []
        for text, vector in zip(texts, vectors, strict=True):
            key, blob = key_of(text), vector.astype("<f4").tobytes()
            rows.append((key, blob, self._signature(key, blob)))
        insert = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
        self._attempt(lambda database: database.executemany(insert, rows))
        self._stay_within_limit()

    def _signature(self, key: bytes, blob: bytes) -> bytes:
        message = b"".join((len(self._model).to_bytes(4, "big"), self._model, key, blob))
        return hashlib.blake2b(message, key=self._key, digest_size=_DIGEST).digest()

    def _is_signed(self, key: bytes, blob: bytes, signature: object) -> bool:
        return isinstance(signature, bytes) and hmac.compare_digest(
            signature, self._signature(key, blob)
        )

    def _attempt(self, work: Callable[[sqlite3.Connection], object]) -> None:
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


def key_of(text: str) -> bytes:
    """Return the key of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()


def _prepare(connection: sqlite3.Connection) -> None:
    # With the write-ahead log, readers do not wait for writers.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS vectors"
        " (key BLOB PRIMARY KEY, vector BLOB NOT NULL, signature BLOB NOT NULL)"
    )
    columns = [row[1] for row in connection.execute("PRAGMA table_info(vectors)")]
    if columns != ["key", "vector", "signature"]:
        raise sqlite3.DatabaseError(f"a table of {', '.join(columns)}")


def _remove(path: Path) -> None:
    for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
