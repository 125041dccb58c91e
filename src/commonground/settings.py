"""Settings: a flag wins, then the environment, then `commonground.toml` in the current folder.

| key        | environment             | meaning                                               |
|------------|-------------------------|-------------------------------------------------------|
| encoder    | COMMONGROUND_ENCODER    | the command line's encoder where no flag names one    |
| cache      | COMMONGROUND_CACHE      | folder of fetched models and cached vectors           |
| cache_size | COMMONGROUND_CACHE_SIZE | megabytes of cached vectors at most; 0 switches it off |
| models     | COMMONGROUND_MODELS     | folder that is searched for model files               |
| threads    | COMMONGROUND_THREADS    | threads an encoder may use                            |
| device     | COMMONGROUND_DEVICE     | where encoders run: cpu, cuda, cuda:1                 |
"""

import os
import tomllib
from pathlib import Path

from commonground.errors import InputError

FILE_NAME = "commonground.toml"
KEYS = ("encoder", "cache", "cache_size", "models", "threads", "device")
DEFAULT_CACHE_MEGABYTES = 2048


def setting(key: str) -> str | None:
    """The value of one setting as text, or None where nobody set it."""
    value = os.environ.get(f"COMMONGROUND_{key.upper()}") or _from_file().get(key)
    return str(value) if value not in (None, "") else None


def cache_folder() -> Path:
    """Where fetched models and cached vectors live."""
    chosen = setting("cache")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # here: not needed where a folder is set

    return platformdirs.user_cache_path("commonground")


def vector_cache_bytes() -> int:
    """How large the vector cache may grow; 0 means that it is off."""
    return _whole_number("cache_size", DEFAULT_CACHE_MEGABYTES) * 1_000_000


def thread_count() -> int:
    """How many threads an encoder may use: all cores that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, _whole_number("threads", cores))


def _whole_number(key: str, default: int) -> int:
    value = setting(key)
    if value is None:
        return default
    if not value.isdecimal():
        raise InputError(f"setting {key}={value!r} is not a whole number")
    return int(value)


def _from_file() -> dict[str, object]:
    path = Path(FILE_NAME)
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{FILE_NAME}: {error}") from None
    strangers = sorted(set(table) - set(KEYS))
    if strangers:
        raise InputError(f"{FILE_NAME}: unknown key {strangers[0]!r} (known: {', '.join(KEYS)})")
    return table
