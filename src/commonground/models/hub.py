"""Models of the hub: safe folders, the hub's local cache, and downloads without pickles.

huggingface_hub is imported on first use because it is slow.
"""

import errno
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import InputError, MissingExtraError, ModelError
from commonground.io import sha256_of
from commonground.models.inside import files_of, refuse_code

if TYPE_CHECKING:
    from commonground.models.catalogue import Hub

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
    "spiece.model", "tokenizer.model", "generation_config.json", "adapter_config.json",
    "wordembedding_config.json", "whitespacetokenizer_config.json", "lstm_config.json",
    "cnn_config.json",
))  # fmt: skip
_WANTED = ["*.safetensors", "*.json", "*.txt", "*.model"]
_DISK_ERRORS = (errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EROFS, errno.EDQUOT)


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
        files = files_of(folder)
        _refuse_pickles(folder, files, remedy)
        refuse_code(folder, files)
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


def _is_shadowed(path: Path) -> bool:
    """Say whether safetensors next to a pickled file are loaded instead of it."""
    if path.name.lower().startswith("adapter_model"):
        return path.with_name("adapter_model.safetensors").is_file()
    return path.with_name(_WEIGHTS).is_file() or path.with_name(_INDEX).is_file()


def _check_shards(index: Path) -> None:
    try:
        shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
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


def cached_file(hub: "Hub", name: str) -> Path | None:
    """Return a file of a repository in the hub's local cache; never uses the network."""
    if find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache

    try:
        path = try_to_load_from_cache(hub.repo, name, revision=hub.revision)
    except ValueError:  # not a valid name
        raise InputError(f"{hub.repo!r} is neither a folder nor a name on the hub") from None
    return Path(path) if isinstance(path, str) else None


def cached_snapshot(hub: "Hub") -> Path | None:
    """Return the folder of a repository in the hub's local cache; never uses the network."""
    paths = filter(None, (cached_file(hub, name) for name in TOP_FILES))
    return next((path.parent for path in paths), None)


def download_file(hub: "Hub", name: str, folder: Path) -> Path:
    """Download one file of a repository into a folder."""
    if find_spec("huggingface_hub") is None:
        raise MissingExtraError(f"fetching {hub.repo} from the hub", "hub")
    from huggingface_hub import snapshot_download

    # Not hf_hub_download, which needs half a minute to notice a missing network.
    with _one_line_errors(hub.repo):
        snapshot_download(hub.repo, revision=hub.revision, allow_patterns=[name], local_dir=folder)
    return folder / name


def download_snapshot(hub: "Hub") -> Path:
    """Download a repository without pickles into the hub's own cache."""
    if find_spec("huggingface_hub") is None or find_spec("sentence_transformers") is None:
        raise MissingExtraError(f"fetching {hub.repo} from the hub", "hub")
    from huggingface_hub import snapshot_download

    with _one_line_errors(hub.repo):
        return Path(snapshot_download(hub.repo, revision=hub.revision, allow_patterns=_WANTED))


@contextmanager
def _one_line_errors(repo: str) -> Iterator[None]:
    from huggingface_hub import errors

    try:
        yield
    except errors.HFValidationError:
        raise InputError(f"{repo!r} is not a name on the hub; write organisation/model") from None
    except errors.LocalEntryNotFoundError:
        raise ModelError(
            f"could not reach the hub for {repo}; check the network, or copy the model's folder "
            "here from another machine and name that folder"
        ) from None
    except (errors.RepositoryNotFoundError, errors.EntryNotFoundError):
        raise ModelError(f"the hub has no {repo}, or you have no access to it") from None
    except Exception as error:  # each version of the client has its own network errors
        if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
            raise ModelError(f"fetching {repo}: cannot write to disk: {error.strerror}") from None
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(f"could not fetch {repo} from the hub: {reason}") from error
