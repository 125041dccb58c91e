"""Folders of sentence-transformers models: refuse pickles and code, compute a fingerprint."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commonground.errors import ModelError
from commonground.models.catalogue import sha256_of

# One of these is in every model folder: of sentence-transformers, or of plain transformers.
TOP_FILES = ("modules.json", "config.json")

_PICKLED = re.compile(
    r"(pytorch|adapter)_model.*\.bin|.*\.(pt|pth|pkl|pickle|ckpt|joblib)", re.DOTALL
)
_WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_SAVE = f"save the model as safetensors ({_WEIGHTS})"

# Pooling, prompts and tokenizer change the vectors, too. Only these names, so that the fingerprint
# does not depend on how much of a repository was downloaded.
_SETTINGS = frozenset((
    "modules.json", "config.json", "config_sentence_transformers.json", "sentence_bert_config.json",
    "router_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.txt", "vocab.json", "merges.txt", "sentencepiece.bpe.model",
    "spiece.model",
))  # fmt: skip


def has_weights(folder: Path) -> bool:
    """Say whether a folder has weights of any kind, including pickled ones."""
    return any(_is_pickled(path) or path.suffix == ".safetensors" for path in _files(folder))


def folder_fingerprint(folder: Path, remedy: str = _SAVE) -> str:
    """Return the sha256 of the safetensors files and settings of a model.

    Pickled weights are tolerated only next to safetensors of the same module, which are loaded
    instead.

    Args:
        folder: The top folder of the model.
        remedy: What to do about pickled weights, for the error message.

    Raises:
        ModelError: The model is incomplete, or loading it would unpickle files or run code.
    """
    if not any((folder / name).is_file() for name in TOP_FILES):
        raise ModelError(
            f"{folder} is not the folder of a model: no {' and no '.join(TOP_FILES)} there"
        )
    try:
        files = sorted(_files(folder))
        _refuse_pickles(folder, files, remedy)
        _refuse_code(folder)
        return _fingerprint(folder, files)
    except OSError as error:
        raise ModelError(f"{error.filename or folder} cannot be read: {error.strerror}") from None


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _is_pickled(path: Path) -> bool:
    return _PICKLED.fullmatch(path.name.lower()) is not None


def _refuse_pickles(folder: Path, files: list[Path], remedy: str) -> None:
    for path in files:
        if _is_pickled(path) and not _is_shadowed(path):
            raise ModelError(
                f"{path} is refused: it is pickled, and loading it could run code; {remedy}"
            )
        if path.name == _INDEX:
            _check_shards(path)
    if not any(path.suffix == ".safetensors" for path in files):
        raise ModelError(f"{folder} holds no weights: there is no {_WEIGHTS}")


def _refuse_code(folder: Path) -> None:
    """Refuse a model with classes of its own: loading it would run its Python files."""
    for module in _settings_of(folder / "modules.json", []):
        kind = str(module.get("type", "")) if isinstance(module, dict) else ""
        if kind and not kind.startswith("sentence_transformers."):
            raise ModelError(f"{folder / 'modules.json'} is refused: {kind!r} is code of its own")
    for path in folder.rglob("config.json"):
        if "auto_map" in _settings_of(path, {}):
            raise ModelError(f"{path} is refused: its auto_map names code of its own")


def _settings_of(path: Path, default: Any) -> Any:
    if not path.is_file():
        return default
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise ModelError(f"{path} is not JSON") from None


def _is_shadowed(path: Path) -> bool:
    """Say whether safetensors next to a pickled file are loaded instead of it."""
    if path.name.lower().startswith("adapter_model"):
        return path.with_name("adapter_model.safetensors").is_file()
    return path.with_name(_WEIGHTS).is_file() or path.with_name(_INDEX).is_file()


def _check_shards(index: Path) -> None:
    try:
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (ValueError, KeyError, AttributeError, TypeError):
        raise ModelError(f"{index} is not an index of safetensors files") from None
    missing = shards - {path.name for path in index.parent.glob("*.safetensors")}
    if missing:
        first = min(map(str, missing))
        raise ModelError(f"{index} names {first!r}, which is not a safetensors file beside it")


def _fingerprint(folder: Path, files: list[Path]) -> str:
    lines = (
        f"{sha256_of(path)} {path.relative_to(folder).as_posix()}\n"
        for path in files
        if path.suffix == ".safetensors" or path.name in _SETTINGS
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
