"""Texts to unit vectors: `load(name)` opens an encoder, `encode(texts)` uses it."""

from commonground.encoders.base import (
    Encoder,
    TokenEncoder,
    TokenVectors,
    one_blas_thread,
    readable_text,
    shown,
)
from commonground.encoders.bert import wordpiece_tokenizer
from commonground.encoders.onnx_file import onnx_weights
from commonground.encoders.registry import DEFAULT, NAMES, as_encoder, check_device, load
from commonground.encoders.vector_cache import VectorCache
from commonground.encoders.wtmf import Wtmf

__all__ = [
    "DEFAULT",
    "NAMES",
    "Encoder",
    "TokenEncoder",
    "TokenVectors",
    "VectorCache",
    "Wtmf",
    "as_encoder",
    "check_device",
    "load",
    "one_blas_thread",
    "onnx_weights",
    "readable_text",
    "shown",
    "wordpiece_tokenizer",
]
