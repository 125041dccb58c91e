"""What narratives have in common, where they differ, and what sources state."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.narratives.comparison import Overlaps, overlap
    from commonground.narratives.knowledge import Knowledge
    from commonground.narratives.result import (
        Against,
        Conflict,
        Overlap,
        Passage,
        SentenceReading,
        Side,
        Statement,
    )
    from commonground.narratives.statements.find import LEAST_LIKELY, STRICTNESS
    from commonground.narratives.verification.checker import Checker, verify
    from commonground.narratives.verification.verified import MODES, Checked, Verified
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "comparison": ["Overlaps", "overlap"],
            "knowledge": ["Knowledge"],
            "result": [
                "Against",
                "Conflict",
                "Overlap",
                "Passage",
                "SentenceReading",
                "Side",
                "Statement",
            ],
            "statements.find": ["LEAST_LIKELY", "STRICTNESS"],
            "verification.checker": ["Checker", "verify"],
            "verification.verified": ["Checked", "MODES", "Verified"],
        },
    )

__all__ = [
    "LEAST_LIKELY",
    "MODES",
    "STRICTNESS",
    "Against",
    "Checked",
    "Checker",
    "Conflict",
    "Knowledge",
    "Overlap",
    "Overlaps",
    "Passage",
    "SentenceReading",
    "Side",
    "Statement",
    "Verified",
    "overlap",
    "verify",
]
