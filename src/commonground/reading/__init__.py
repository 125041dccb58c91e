"""A text read once: its sentences with parse, words, clauses and vectors."""

from commonground.reading.document import (
    Document,
    Parsed,
    Words,
    read,
    token_encoder,
    word_weight,
)

__all__ = ["Document", "Parsed", "Words", "read", "token_encoder", "word_weight"]
