"""`load`: the one door to every encoder."""

import threading
from collections.abc import Callable
from pathlib import Path

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
from commonground.errors import InputError, unknown_name

DEFAULT = "minilm"

_loaded: dict[tuple[str, bool, int | None, str], BaseEncoder] = {}
_lock = threading.Lock()


def load(
    name: str = DEFAULT,
    *,
    cache: bool = True,
    threads: int | None = None,
    device: str | None = None,
) -> Encoder:
    """Load an encoder by name, once: the same call gives the same object.

    Args:
        name: A built-in name (see `NAMES`), the folder of a sentence-transformers model or of a
            saved `Wtmf`, or the name of a model on the hub (`organisation/model`) that has been
            fetched before.
        cache: Keep vectors on disk, under the cache folder, up to the size in the settings.
        threads: Threads to use at most; by default all cores.
        device: `cpu`, `cuda`, or `cuda:1` and so on; by default what the settings say, else
            `cpu`. A GPU takes `minilm`, `minilm-fp32` and models of the hub.

    Example:
        >>> load("minilm").encode(["Rain fell.", "It rained."]).shape
        (2, 384)
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"an encoder is named by a string, not {name!r}")
    if threads is not None and threads < 1:
        raise InputError(f"threads must be at least 1, not {threads}")
    if name not in NAMES and Path(name).is_dir():
        name = str(Path(name).resolve())  # the same wherever the process or its workers go
    place = check_device(device or settings.setting("device") or "cpu")
    key = (name, cache, threads, place)
    with _lock:
        if key not in _loaded:
            _loaded[key] = _open(name, cache, threads, place)
        return _loaded[key]


def reload(name: str, cache: bool, threads: int | None, device: str) -> Encoder:
    """`load` with plain arguments, for unpickling in a worker process."""
    return load(name, cache=cache, threads=threads, device=device)


def _open(name: str, cache: bool, threads: int | None, device: str) -> BaseEncoder:
    if device != "cpu":
        return _open_on(device, name, cache, threads)
    if name in _BUILT_IN:
        return _BUILT_IN[name](models.locate(_TABLES.get(name, name)), cache, threads)
    if (Path(name) / DESCRIPTION).is_file():
        return Wtmf.load(name)
    if name == "wtmf":
        raise InputError("wtmf is not shipped: fit one (encoders.Wtmf) and give its folder instead")
    if "/" in name or Path(name).is_dir():
        return _hub(models.locate_folder(name), cache, threads)
    raise unknown_name("encoder", name, NAMES)


def _open_on(device: str, name: str, cache: bool, threads: int | None) -> BaseEncoder:
    if name in _ON_TORCH:
        found = models.locate(name)
        path = next(iter(found.paths.values()))
        return TorchBert(name, found.fingerprint, path, device=device, threads=threads)
    if _BUILT_IN.get(name) is _hub:
        found = models.locate(name)
    elif name not in NAMES and ("/" in name or Path(name).is_dir()):
        found = models.locate_folder(name)
    else:
        fits = ", ".join(_ON_TORCH)
        raise InputError(f"{name} runs on the CPU alone; a GPU takes {fits} and models of the hub")
    return HubEncoder(
        found.name, found.fingerprint, found.folder, cache=cache, threads=threads, device=device
    )


def _minilm(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    path = found.paths["model.onnx"]
    return OnnxBert(found.name, found.fingerprint, path, cache=cache, threads=threads)


def _minilm_fp32(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    from commonground.encoders.numpy_bert import NumpyBert  # imports a large part of scipy

    path = found.paths["model.safetensors"]
    return NumpyBert(found.name, found.fingerprint, path, cache=cache, threads=threads)


def _static(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    weights, tokenizer = found.paths.values()
    return StaticEncoder(
        found.name, found.fingerprint, weights, tokenizer, cache=cache, threads=threads
    )


def _sif(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    weights, tokenizer = found.paths.values()
    component = read_component(found.fingerprint)
    return SifEncoder("sif", component, weights, tokenizer, cache=cache, threads=threads)


def _use(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    weights = next(iter(found.paths.values()))
    return UniversalEncoder(found.name, found.fingerprint, weights, cache=cache, threads=threads)


def _hub(found: models.Located, cache: bool, threads: int | None) -> BaseEncoder:
    return HubEncoder(found.name, found.fingerprint, found.folder, cache=cache, threads=threads)


_BUILT_IN: dict[str, Callable[[models.Located, bool, int | None], BaseEncoder]] = {
    "minilm": _minilm,
    "minilm-fp32": _minilm_fp32,
    "use": _use,
    "static": _static,
    "sif": _sif,
    "pv1": _hub,
    "stsb": _hub,
    "use-cmlm": _hub,
}
_TABLES = {"sif": "static"}  # names that stand on the weights of another
_ON_TORCH = ("minilm", "minilm-fp32")  # beside the hub's
NAMES = tuple(_BUILT_IN)
