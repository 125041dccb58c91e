"""Settings: a flag wins, then the environment, then `commonground.toml` in the current folder.

| key        | environment             | meaning                                                  |
|------------|-------------------------|----------------------------------------------------------|
| encoder    | COMMONGROUND_ENCODER    | default encoder of the command line                      |
| cache      | COMMONGROUND_CACHE      | folder of fetched models and cached vectors              |
| cache_size | COMMONGROUND_CACHE_SIZE | maximum size of cached vectors in megabytes; 0: no cache |
| models     | COMMONGROUND_MODELS     | additional folder with model files                       |
| threads    | COMMONGROUND_THREADS    | maximum number of threads of an encoder                  |
| device     | COMMONGROUND_DEVICE     | device of encoders: cpu, cuda, cuda:1                    |
"""

import os
import re
import tomllib
from pathlib import Path

from commonground.errors import InputError

FILE_NAME = "commonground.toml"
KEYS = ("encoder", "cache", "cache_size", "models", "threads", "device")
DEFAULT_CACHE_MEGABYTES = 2048


def setting(key: str) -> str | None:
    """Return the value of a setting as text, or None if it is not set."""
    value = os.environ.get(f"COMMONGROUND_{key.upper()}") or _from_file().get(key)
    return str(value) if value not in (None, "") else None


def cache_folder() -> Path:
    """Return the folder of fetched models and cached vectors."""
    if chosen := setting("cache"):
        return Path(chosen).expanduser()
    import platformdirs  # not needed if a folder is set

    return platformdirs.user_cache_path("commonground")


def vector_cache_bytes() -> int:
    """Return the maximum size of the vector cache; 0 switches it off."""
    return _whole_number("cache_size", DEFAULT_CACHE_MEGABYTES) * 1_000_000


def thread_count() -> int:
    """Return the number of threads of an encoder (default: cores of this process)."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    threads = _whole_number("threads", cores)
    if threads < 1:
        raise InputError("setting threads must be 1 or more, not 0")
    return threads


def _whole_number(key: str, default: int) -> int:
    value = setting(key)
    if value is None:
        return default
    if not re.fullmatch(r"\d{1,9}", value):
        raise InputError(f"setting {key}={value!r} is not a whole number")
    return int(value)


def _from_file() -> dict[str, object]:
    path = Path(FILE_NAME)
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{FILE_NAME}: {error}") from None
    unknown = sorted(set(table) - set(KEYS))
    if unknown:
        raise InputError(f"{FILE_NAME}: unknown key {unknown[0]!r} (known: {', '.join(KEYS)})")
    return table
