"""`load`: open any encoder by name."""

import importlib.util
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from commonground import models, settings
from commonground.encoders.base import BaseEncoder, Encoder
from commonground.encoders.bert import OnnxBert
from commonground.encoders.packages import HubEncoder, UniversalEncoder
from commonground.encoders.static import SifEncoder, StaticEncoder, read_component
from commonground.encoders.wtmf import DESCRIPTION, Wtmf
from commonground.encoders.wtmf_matrices import MODEL, WtmfMatrices
from commonground.errors import InputError, MissingExtraError, ModelError, unknown_name

DEFAULT = "minilm"

_ON_TORCH = ("minilm", "minilm-fp32")
_FROM_HUB = ("pv1", "stsb", "use-cmlm")
NAMES = (*_ON_TORCH, "use", "static", "sif", *_FROM_HUB)

_loaded: dict[tuple[str, bool, int | None, str], BaseEncoder] = {}
_lock = threading.Lock()


def as_encoder(encoder: str | Encoder) -> Encoder:
    """Return an encoder, loaded if it is a name.

    Raises:
        InputError: It is neither a name nor an encoder.
    """
    if isinstance(encoder, str):
        return load(encoder)
    if not callable(getattr(encoder, "encode", None)):
        raise InputError(f"encoder must be a name or an encoder, not {encoder!r}")
    return encoder


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


def check_device(device: str) -> str:
    """Return the device; raise an error if its name is invalid or it is not available."""
    if not re.fullmatch(r"cpu|cuda(:\d+)?", device):
        raise InputError(f"unknown device {device!r}: use cpu, cuda, or cuda:1 for the second GPU")
    if device == "cpu":
        return device
    if importlib.util.find_spec("torch") is None:
        raise MissingExtraError(f"the device {device!r}", "hub")
    import torch

    count = torch.cuda.device_count()
    if int(device.partition(":")[2] or 0) >= count:
        raise ModelError(f"device {device!r} is not available: torch finds {count or 'no'} GPU(s)")
    return device


def _open(name: str, device: str, **options: Any) -> BaseEncoder:
    if name not in NAMES:
        return _open_folder(name, device, **options)
    if device != "cpu" and name not in (*_ON_TORCH, *_FROM_HUB):
        raise InputError(
            f"{name} runs only on the CPU; a GPU supports {', '.join(_ON_TORCH)} and models of "
            "the hub"
        )
    model = models.locate("static" if name == "sif" else name)
    fingerprint, paths = model.fingerprint, tuple(model.paths.values())
    if name in _FROM_HUB:
        return HubEncoder(name, fingerprint, model.folder, device=device, **options)
    if name == "sif":
        return SifEncoder(name, read_component(fingerprint), *paths, **options)
    if device == "cpu" and name != "minilm-fp32":
        kinds: dict[str, Callable[..., BaseEncoder]]
        kinds = {"minilm": OnnxBert, "static": StaticEncoder, "use": UniversalEncoder}
        return kinds[name](name, fingerprint, *paths, **options)
    from commonground.encoders.weighted_bert import NumpyBert, TorchBert  # imports much of scipy

    if device == "cpu":
        return NumpyBert(name, fingerprint, *paths, **options)
    return TorchBert(name, fingerprint, *paths, device=device, threads=options["threads"])


def _open_folder(name: str, device: str, **options: Any) -> BaseEncoder:
    if device == "cpu" and (Path(name) / DESCRIPTION).is_file():
        return Wtmf.load(name)
    if device == "cpu" and (Path(name) / MODEL).is_file():
        return WtmfMatrices(name)
    if "/" in name or Path(name).is_dir():
        model = models.locate_folder(name)
        return HubEncoder(name, model.fingerprint, model.folder, device=device, **options)
    if name == "wtmf":
        raise InputError("wtmf is not shipped: fit one (encoders.Wtmf) and use its folder instead")
    raise unknown_name("encoder", name, NAMES)
