"""Is a file the one that the manifest means?"""

import hashlib
from pathlib import Path

from commonground.models.catalogue import File


def sha256_of(path: Path) -> str:
    """The sha256 of a file's content, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def fault(path: Path, file: File) -> str | None:
    """What is wrong with the file at `path`, as the end of a sentence; None if it is right."""
    try:
        size = path.stat().st_size
        if size != file.size:
            return f"has {size:,} bytes, expected {file.size:,}"
        found = sha256_of(path)
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if found != file.sha256:
        return f"has sha256 {found[:8]}..., expected {file.sha256[:8]}..."
    return None
