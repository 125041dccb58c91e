"""The key that signs what this user caches.

The key is outside the cache, so a cache folder that others can write to, or that was copied from
elsewhere, cannot make up vectors.
"""

import logging
import os
import secrets
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)

_BYTES = 32


@cache
def signing_key() -> bytes:
    """Return the key of this user, which is made on first use.

    If it can be neither read nor written, a key for this process: then nothing cached is
    believed, and nothing written now will be believed later.
    """
    path = key_file()
    try:
        return _read(path) or _create(path)
    except OSError as error:
        log.warning("%s: no key for the vector cache (%s)", path, error.strerror)
        return secrets.token_bytes(_BYTES)


def key_file() -> Path:
    """Return the path of the key."""
    import platformdirs  # not needed without a cache

    return platformdirs.user_data_path("commonground") / "cache.key"


def _read(path: Path) -> bytes | None:
    """Return the key, or None if it is missing or incomplete."""
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return None
    return key if len(key) == _BYTES else None


def _create(path: Path) -> bytes:
    """Write a new key, readable for its user only; if another process was faster, return its."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    key = secrets.token_bytes(_BYTES)
    try:
        with os.fdopen(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
        ) as out:
            out.write(key)
        _publish(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return _read(path) or key


def _publish(temporary: Path, path: Path) -> None:
    """Give the key its name, unless there is a whole one by now."""
    if path.exists() and _read(path) is None:  # cut off
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)  # unlike a rename, never replaces a key
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        temporary.replace(path)
