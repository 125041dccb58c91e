"""Texts to unit vectors: `load(name)` opens an encoder, `encode(texts)` uses it."""

from commonground.encoders._load import DEFAULT, NAMES, load
from commonground.encoders._protocol import Encoder, TokenEncoder, TokenVectors, shown
from commonground.encoders._wtmf import Wtmf

__all__ = ["DEFAULT", "NAMES", "Encoder", "TokenEncoder", "TokenVectors", "Wtmf", "load", "shown"]
