"""The hub: its local cache, and downloads without pickles.

huggingface_hub is imported on first use because it is slow.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from commonground.errors import InputError, MissingExtraError, ModelError
from commonground.models.catalogue import Hub
from commonground.models.folder import TOP_FILES

_WANTED = ["*.safetensors", "*.json", "*.txt", "*.model"]
_DISK_ERRORS = (errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EROFS, errno.EDQUOT)


def cached_file(hub: Hub, name: str) -> Path | None:
    """Return a file of a repository in the hub's local cache; never uses the network."""
    if find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache

    try:
        path = try_to_load_from_cache(hub.repo, name, revision=hub.revision)
    except ValueError:  # not a valid name
        raise InputError(f"{hub.repo!r} is neither a folder nor a name on the hub") from None
    return Path(path) if isinstance(path, str) else None


def cached_snapshot(hub: Hub) -> Path | None:
    """Return the folder of a repository in the hub's local cache; never uses the network."""
    paths = filter(None, (cached_file(hub, name) for name in TOP_FILES))
    return next((path.parent for path in paths), None)


def download_file(hub: Hub, name: str, folder: Path) -> Path:
    """Download one file of a repository into a folder."""
    if find_spec("huggingface_hub") is None:
        raise MissingExtraError(f"fetching {hub.repo} from the hub", "hub")
    from huggingface_hub import snapshot_download

    # Not hf_hub_download, which needs half a minute to notice a missing network.
    with _one_line_errors(hub.repo):
        snapshot_download(hub.repo, revision=hub.revision, allow_patterns=[name], local_dir=folder)
    return folder / name


def download_snapshot(hub: Hub) -> Path:
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
