"""Vectors on disk, so that no text is encoded twice.

One SQLite file for each model, named after its hash: SQLite gives the locking between
processes and the atomic writes. A row carries a checksum, so a flipped bit is noticed; a file
that SQLite cannot read is removed and grows anew. The cache can never fail the work: what it
cannot read is encoded again, what it cannot write is forgotten.
"""

import contextlib
import hashlib
import logging
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from commonground.encoders.protocol import Vectors

log = logging.getLogger(__name__)

_QUESTION_MARKS = 500  # keys in one SELECT; SQLite's oldest limit is 999
_BUSY_SECONDS = 30.0
_FULL_SHARE = 0.75  # eviction goes down to this share of the limit, so that it is rare


class VectorCache:
    """The cached vectors of one model.

    Args:
        folder: Where the files of all models lie.
        model: A name that changes whenever the model's vectors do.
        dimension: The length of a vector; None where it varies.
        limit: Bytes that all files of the folder may take together.
    """

    def __init__(self, folder: Path, model: str, dimension: int | None, limit: int) -> None:
        self.path = folder / f"{model}.sqlite"
        self._dimension = dimension
        self._limit = limit

    def get(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that are there and whole, by text."""
        if not self.path.is_file():
            return {}
        keys = {_key(text): text for text in texts}
        found: dict[str, Vectors] = {}

        def read(connection: sqlite3.Connection) -> None:
            for key, blob, checksum in _select(connection, list(keys)):
                if self._has_length(blob) and checksum == zlib.crc32(key + blob):
                    found[keys[key]] = np.frombuffer(blob, dtype="<f4").astype(np.float32)

        self._attempt(read)
        return found

    def _has_length(self, blob: bytes) -> bool:
        if self._dimension is None:
            return len(blob) % 4 == 0
        return len(blob) == 4 * self._dimension

    def put(self, texts: Sequence[str], vectors: Sequence[Vectors] | Vectors) -> None:
        """Keep these vectors; the oldest go where the limit is passed."""
        rows = []
        for text, vector in zip(texts, vectors, strict=True):
            key, blob = _key(text), vector.astype("<f4").tobytes()
            rows.append((key, blob, zlib.crc32(key + blob)))

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._attempt(write)
        self._stay_within_limit()

    def _attempt(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do this in one transaction; remove a damaged file, and only log any other trouble."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS)) as opened:
                _prepare(opened)
                with opened:
                    work(opened)
        except (sqlite3.OperationalError, OSError) as error:
            log.warning("vector cache %s not used: %s", self.path, error)
        except sqlite3.DatabaseError as error:
            log.warning("vector cache %s is damaged (%s) and is rebuilt", self.path, error)
            _remove(self.path)

    def _stay_within_limit(self) -> None:
        sizes = {path: size for path in self.path.parent.glob("*.sqlite") if (size := _size(path))}
        excess = sum(sizes.values()) - self._limit
        others = sorted((path for path in sizes if path != self.path), key=_last_change)
        for path in others:
            if excess <= 0:
                return
            _remove(path)
            excess -= sizes[path]
        if excess > 0:
            self._evict_oldest()

    def _evict_oldest(self) -> None:
        def shrink(connection: sqlite3.Connection) -> None:
            (rows,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
            # The file knows best what a row costs: a long one fills a page of its own.
            keep = int(rows * _FULL_SHARE * self._limit / _size(self.path))
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
    # The write-ahead log lets readers go on while another process writes.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS vectors"
        " (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)"
    )
    columns = [row[1] for row in connection.execute("PRAGMA table_info(vectors)")]
    if columns != ["key", "vector", "checksum"]:
        raise sqlite3.DatabaseError(f"a table of {', '.join(columns)}")


def _select(
    connection: sqlite3.Connection, keys: Sequence[bytes]
) -> Iterator[tuple[bytes, bytes, int]]:
    for start in range(0, len(keys), _QUESTION_MARKS):
        some = keys[start : start + _QUESTION_MARKS]
        marks = ",".join("?" * len(some))
        yield from connection.execute(
            f"SELECT key, vector, checksum FROM vectors WHERE key IN ({marks})", some
        )


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0  # another process has just removed it


def _last_change(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _remove(path: Path) -> None:
    for part in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
