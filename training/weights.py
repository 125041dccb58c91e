"""A student's weights in a small file: matrices in 8 bits with a scale for each row."""

from pathlib import Path

import numpy as np
import torch
from torch import nn

_FROZEN = "word.weight"  # as in all-MiniLM-L6-v2, so never written


def save_weights(network: nn.Module, path: Path) -> None:
    """Write all weights but the word vectors."""
    parts = {}
    for name, value in network.state_dict().items():
        array = value.detach().float().cpu().numpy()
        if name == _FROZEN:
            continue
        if array.ndim == 2 and array.shape[0] > 4 and "heads" not in name:
            scale = np.maximum(np.abs(array).max(axis=1, keepdims=True), 1e-8) / 127
            parts[f"{name}|q"] = np.round(array / scale).astype(np.int8)
            parts[f"{name}|s"] = scale.astype(np.float32)
        else:
            parts[name] = array.astype(np.float32)
    np.savez_compressed(path, **parts)


def load_weights(path: Path) -> dict[str, torch.Tensor]:
    """Read what `save_weights` wrote, in full precision."""
    with np.load(path) as data:
        found = {}
        for name in data.files:
            if name.endswith("|q"):
                whole = name.removesuffix("|q")
                found[whole] = torch.from_numpy(data[name] * data[f"{whole}|s"])
            elif not name.endswith("|s"):
                found[name] = torch.from_numpy(data[name])
    return found
