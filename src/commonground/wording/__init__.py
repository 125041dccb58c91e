"""Sentences as people read them: trees, printed words, and what lets a sentence stand alone."""

from commonground.wording.alone import are_statements, lead, named, pointers, points_away
from commonground.wording.clause import clause_cut, resolve
from commonground.wording.tree import SUBJECTS, Floats, Root, Tree, by_token
from commonground.wording.words import (
    STOP_WORDS,
    balanced,
    contains,
    flat,
    has_speaker,
    is_content,
    open_quotes,
    sentence_of,
    stems,
    worded,
)

__all__ = [
    "STOP_WORDS",
    "SUBJECTS",
    "Floats",
    "Root",
    "Tree",
    "are_statements",
    "balanced",
    "by_token",
    "clause_cut",
    "contains",
    "flat",
    "has_speaker",
    "is_content",
    "lead",
    "named",
    "open_quotes",
    "pointers",
    "points_away",
    "resolve",
    "sentence_of",
    "stems",
    "worded",
]
