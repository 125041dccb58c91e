"""Texts to unit vectors: `load(name)` opens an encoder, `encode(texts)` uses it."""

from commonground.encoders.base import one_blas_thread, readable_text
from commonground.encoders.cache import VectorCache
from commonground.encoders.onnx_file import onnx_weights
from commonground.encoders.protocol import Encoder, TokenEncoder, TokenVectors, shown
from commonground.encoders.registry import DEFAULT, NAMES, load
from commonground.encoders.torch_bert import check_device
from commonground.encoders.wordpiece import wordpiece_tokenizer
from commonground.encoders.wtmf import Wtmf

__all__ = [
    "DEFAULT",
    "NAMES",
    "Encoder",
    "TokenEncoder",
    "TokenVectors",
    "VectorCache",
    "Wtmf",
    "check_device",
    "load",
    "one_blas_thread",
    "onnx_weights",
    "readable_text",
    "shown",
    "wordpiece_tokenizer",
]
