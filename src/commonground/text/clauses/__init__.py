"""Sentences to clauses, and what a sentence can lose."""

from commonground.text.clauses.loose import Loose, bearable, loose_parts, without

__all__ = ["Loose", "bearable", "loose_parts", "without"]
