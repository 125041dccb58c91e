"""The configuration of a run: its settings and its inputs, as one JSON file."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from commonground.encoders import DEFAULT as DEFAULT_ENCODER
from commonground.errors import InputError, check_known
from commonground.io import read_json, whole_file
from commonground.metrics import PRESETS, registry
from commonground.plain import Plain
from commonground.pyramid import BUILDERS, METHODS, PERCENTILE
from commonground.pyramid import PRESETS as PYRAMID_PRESETS
from commonground.text import SPLITTERS
from commonground.version import __version__

METRICS: Final = tuple(sorted(registry.DEFAULT))
DRAWS: Final = 10
GIVEN: Final = ("manual", "units")
"""Pyramids that are given, not built."""

_VARIANT = re.compile(r"([\w-]+)(?:@([^+]+))?(?:\+(\w+))?")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to build pyramids and to score with them; None is the default.

    The builder is one of `pyramid.BUILDERS`, `manual` for given pyramids, or `units` for given
    content units.
    """

    builder: str
    encoder: str | None = None
    method: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Variant":
        """Parse `builder[@encoder][+method]`.

        Example:
            >>> Variant.parse("edua-g@use+wmin")
            Variant(builder='edua-g', encoder='use', method='wmin')
        """
        match = _VARIANT.fullmatch(text)
        if not match:
            raise InputError(f"a pyramid is builder[@encoder][+method], not {text!r}")
        variant = cls(*match.groups())
        check_known("builder", (*BUILDERS, *GIVEN), variant.builder)
        if variant.method:
            check_known("method", METHODS, variant.method)
        return variant

    def __str__(self) -> str:
        encoder = f"@{self.encoder}" if self.encoder else ""
        return f"{self.builder}{encoder}{f'+{self.method}' if self.method else ''}"


@dataclass(frozen=True, slots=True)
class Config(Plain):
    """The settings of a run.

    Attributes:
        metrics: Names in `metrics.registry`; may be empty if scores are given.
        encoders: For metrics with an encoder; each is its own column.
        splitter: For metrics with a sentence splitter.
        stemmer: For metrics with a stemmer; on, as in the papers' ROUGE.
        options: Further options by metric, such as {"bert-score": {"model": FOLDER}}.
        thresholds: The pairs of thresholds for metrics that label sentences.
        pyramids: Ways to build and score pyramids, as `Variant.parse` reads them.
        preset, percentile, alpha, beta: How pyramids are built, as in `Pyramid.build`; alpha and
            beta count for `edua-g`.
        grid: Whether to run the hyper-parameter study of `edua-g`.
        gold: The gold standard, among the given scores or labels (default: the first known).
        draws: The number of draws of the random baselines.
        seed: The seed of every draw.
        title: The name of the run in tables and leaderboards.
    """

    metrics: Sequence[str] = METRICS
    encoders: Sequence[str] = (DEFAULT_ENCODER,)
    splitter: str = "layout"
    stemmer: bool = True
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thresholds: Sequence[str] = tuple(PRESETS)
    pyramids: Sequence[str] = ()
    preset: str | None = None
    percentile: float = PERCENTILE
    alpha: float | None = None
    beta: float | None = None
    grid: bool = False
    gold: str | None = None
    draws: int = DRAWS
    seed: int = 0
    title: str = ""

    def __post_init__(self) -> None:
        check_known("metric", registry.names(), *self.metrics)
        check_known("splitter", SPLITTERS, self.splitter)
        check_known("metric with options", self.metrics, *self.options)
        for text in self.pyramids:
            Variant.parse(text)
        if self.preset is not None:
            check_known("preset", PYRAMID_PRESETS, self.preset)
        if self.draws < 1:
            raise InputError(f"draws must be at least 1, not {self.draws}")

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The parsed `pyramids`."""
        return tuple(map(Variant.parse, self.pyramids))


def inputs_of(**files: Sequence[Path]) -> dict[str, dict[str, str]]:
    """Return the sha256 of each input by kind and file name."""
    for kind, paths in files.items():
        names = [path.name for path in paths]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise InputError(f"two files of {kind} are named {min(twice)!r}; rename one")
    return {kind: {path.name: _sha256(path) for path in paths} for kind, paths in files.items()}


def settle(folder: Path, config: Config, inputs: dict[str, dict[str, str]]) -> None:
    """Write `config.json` into a new run folder, or check that it is the same.

    Raises:
        InputError: The folder holds another run, or other files.
    """
    wanted = {"version": __version__, "settings": config.to_dict(), "inputs": inputs}
    path = folder / "config.json"
    if path.is_file():
        known = _read(path)
        for part, new in wanted.items():
            old = known.get(part)
            if old != new:
                what = part
                if isinstance(old, dict) and isinstance(new, dict):
                    key = next(key for key in [*new, *old] if old.get(key) != new.get(key))
                    what = f"{part}: {key}"
                raise InputError(f"{folder} has another configuration ({what}); give a new folder")
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty and not a run; give a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as stream:
        stream.write(json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")


def read_config(folder: Path) -> Config:
    """Read the settings of a run folder."""
    path = folder / "config.json"
    if not path.is_file():
        raise InputError(f"{folder} is not a run folder (no config.json)")
    settings = _read(path).get("settings")
    if not isinstance(settings, dict) or not _are_settings(settings):
        raise InputError(f"{path} is not the configuration of a run of this version")
    return replace(Config(), **settings)


def _read(path: Path) -> dict[str, Any]:
    config = read_json(path)
    return config if isinstance(config, dict) else {}


def _are_settings(values: Mapping[str, Any]) -> bool:
    """Say whether each setting is there, with a value of its type."""
    defaults = Config().to_dict()
    return set(values) == set(defaults) and all(
        _is_like(values[name], default) for name, default in defaults.items()
    )


def _is_like(value: object, default: object) -> bool:
    if isinstance(default, list):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if default is None:
        return value is None or isinstance(value, str | int | float)
    return type(value) is type(default)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from None
