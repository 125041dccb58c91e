"""Checks that a model's folder holds all that loading it reads, and no code of its own."""

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from commonground.errors import ModelError

# Large files of words, from which nothing is imported.
_VOCABULARIES: Final = ("tokenizer.json", "vocab.json")

_READ: Final = ("modules.json", "config.json", "tokenizer_config.json", "adapter_config.json")


def files_of(folder: Path) -> list[Path]:
    """Return every file of a folder, sorted.

    Raises:
        ModelError: A link leads out of the folder or to a folder, whose files would escape the
            checks and the fingerprint.
    """
    files = []
    root = _root(folder)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            target = path.resolve()
            if target.is_dir() or not target.is_relative_to(root):
                raise ModelError(f"{path} is refused: the link leads out of the model's folder")
        if path.is_file():
            files.append(path)
    return files


def _root(folder: Path) -> Path:
    """Return the folder in which links may lead; files of the hub's cache are links to `blobs`."""
    whole = folder.resolve()
    if whole.parent.name == "snapshots" and (whole.parent.parent / "blobs").is_dir():
        return whole.parent.parent / "blobs"
    return whole


def refuse_code(folder: Path, files: list[Path]) -> None:
    """Refuse a model with classes of its own, or with parts outside its folder."""
    for module in _each(_json(folder / "modules.json")):
        _check_kind(folder / "modules.json", module.get("type"))
        _check_path(folder / "modules.json", module.get("path", ""))
    for path in files:
        if path.suffix != ".json" or path.name in _VOCABULARIES:
            continue
        content = _json(path)
        if "auto_map" in _keys(content):
            raise ModelError(f"{path} is refused: its auto_map names code of its own")
        if path.name == "router_config.json":
            for name, kind in _dict(_dict(content).get("types")).items():
                _check_path(path, name)
                _check_kind(path, kind)
        if path.name == "adapter_config.json":
            _check_base(path, folder, _dict(content).get("base_model_name_or_path"))


def _check_kind(path: Path, kind: Any) -> None:
    if kind and not str(kind).startswith("sentence_transformers."):
        raise ModelError(f"{path} is refused: {str(kind)[:100]!r} is code of its own")


def _check_path(path: Path, name: Any) -> None:
    for part in (PurePosixPath(str(name)), PureWindowsPath(str(name))):
        if part.is_absolute() or part.drive or ".." in part.parts:
            raise ModelError(f"{path} is refused: {str(name)[:100]!r} is not in the model's folder")


def _check_base(path: Path, folder: Path, base: Any) -> None:
    """Refuse an adapter of weights elsewhere, which the fingerprint would not cover."""
    try:
        whole = (folder / str(base)).resolve()
        inside = whole.is_relative_to(folder.resolve()) and whole.is_dir()
    except (OSError, ValueError):  # no name of a file
        inside = False
    if base and not inside:
        raise ModelError(
            f"{path} is refused: its weights belong to {str(base)[:100]!r}, which is not in the "
            "model's folder; save the merged model"
        )


def _json(path: Path) -> Any:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        if path.name not in _READ:  # then no loader can read it either
            return None
        raise ModelError(f"{path} is not JSON") from None


def _each(value: Any) -> Iterator[dict[str, Any]]:
    return (
        (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())
    )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _keys(value: Any) -> Iterator[str]:
    """Yield the keys of all objects in a value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield from item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
