"""Texts to unit vectors: `load(name)` opens an encoder, `encode(texts)` uses it."""

from commonground.encoders._base import readable_text
from commonground.encoders._cache import VectorCache
from commonground.encoders._load import DEFAULT, NAMES, load
from commonground.encoders._onnx_weights import onnx_weights
from commonground.encoders._protocol import Encoder, TokenEncoder, TokenVectors, shown
from commonground.encoders._torch_bert import check_device
from commonground.encoders._wordpiece import wordpiece_tokenizer
from commonground.encoders._wtmf import Wtmf

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
    "onnx_weights",
    "readable_text",
    "shown",
    "wordpiece_tokenizer",
]
