"""`load`: open any encoder by name."""

import threading
from pathlib import Path
from typing import Any

from commonground import models, settings
from commonground.encoders.base import BaseEncoder
from commonground.encoders.bert import OnnxBert
from commonground.encoders.hub import HubEncoder
from commonground.encoders.protocol import Encoder
from commonground.encoders.sif import SifEncoder, read_component
from commonground.encoders.static import StaticEncoder
from commonground.encoders.torch_bert import TorchBert, check_device
from commonground.encoders.use import UniversalEncoder
from commonground.encoders.wtmf import DESCRIPTION, Wtmf
from commonground.encoders.wtmf_matrices import MODEL, WtmfMatrices
from commonground.errors import InputError, unknown_name

DEFAULT = "minilm"

_ON_TORCH = ("minilm", "minilm-fp32")
_FROM_HUB = ("pv1", "stsb", "use-cmlm")
NAMES = (*_ON_TORCH, "use", "static", "sif", *_FROM_HUB)

_loaded: dict[tuple[str, bool, int | None, str], BaseEncoder] = {}
_lock = threading.Lock()


def load(
    name: str = DEFAULT,
    *,
    cache: bool = True,
    threads: int | None = None,
    device: str | None = None,
) -> Encoder:
    """Load an encoder by name; the same call returns the same object.

    Args:
        name: A built-in name (see `NAMES`), the folder of a sentence-transformers model, of a
            saved `Wtmf` or of PyrEval's WTMF (`vocab`, `idf`, `model.mat`), or the name of a
            fetched model on the hub (`organisation/model`).
        cache: Keep vectors on disk, under the cache folder, up to the size in the settings.
        threads: Maximum number of threads (default: number of CPUs).
        device: `cpu`, `cuda`, or `cuda:1` and so on (default: the setting, else `cpu`). A GPU
            supports `minilm`, `minilm-fp32` and models of the hub.

    Example:
        >>> load("minilm").encode(["Rain fell.", "It rained."]).shape
        (2, 384)
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"the name of an encoder is a string, not {name!r}")
    if threads is not None and threads < 1:
        raise InputError(f"threads must be at least 1, not {threads}")
    if name not in NAMES and Path(name).is_dir():
        name = str(Path(name).resolve())  # independent of the working directory
    device = check_device(device or settings.setting("device") or "cpu")
    key = (name, cache, threads, device)
    with _lock:
        if key not in _loaded:
            _loaded[key] = _open(name, device, cache=cache, threads=threads)
        return _loaded[key]


def reload(name: str, cache: bool, threads: int | None, device: str) -> Encoder:
    """Call `load` with positional arguments, to unpickle in a worker process."""
    return load(name, cache=cache, threads=threads, device=device)


def _open(name: str, device: str, **options: Any) -> BaseEncoder:
    if name not in NAMES:
        if device == "cpu" and (Path(name) / DESCRIPTION).is_file():
            return Wtmf.load(name)
        if device == "cpu" and (Path(name) / MODEL).is_file():
            return WtmfMatrices(name)
        if "/" in name or Path(name).is_dir():
            model = models.locate_folder(name)
            return HubEncoder(name, model.fingerprint, model.folder, device=device, **options)
    if device != "cpu" and name not in (*_ON_TORCH, *_FROM_HUB):
        raise InputError(
            f"{name} runs only on the CPU; a GPU supports {', '.join(_ON_TORCH)} and models of "
            "the hub"
        )
    if name == "wtmf":
        raise InputError("wtmf is not shipped: fit one (encoders.Wtmf) and use its folder instead")
    if name not in NAMES:
        raise unknown_name("encoder", name, NAMES)
    model = models.locate("static" if name == "sif" else name)
    if name in _FROM_HUB:
        return HubEncoder(name, model.fingerprint, model.folder, device=device, **options)
    if device != "cpu":
        (path,) = model.paths.values()
        threads = options["threads"]
        return TorchBert(name, model.fingerprint, path, device=device, threads=threads)
    return _open_built_in(name, model, options)


def _open_built_in(name: str, model: models.Located, options: dict[str, Any]) -> BaseEncoder:
    if name == "sif":
        component = read_component(model.fingerprint)
        return SifEncoder("sif", component, *model.paths.values(), **options)
    if name == "minilm-fp32":
        from commonground.encoders.numpy_bert import NumpyBert  # imports much of scipy

        return NumpyBert(name, model.fingerprint, *model.paths.values(), **options)
    kinds = {"minilm": OnnxBert, "static": StaticEncoder, "use": UniversalEncoder}
    encoder: BaseEncoder = kinds[name](name, model.fingerprint, *model.paths.values(), **options)
    return encoder
