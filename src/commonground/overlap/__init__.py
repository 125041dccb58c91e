"""What narratives have in common.

The package can be called: `commonground.overlap([left, right])` is short for the function
`overlap` in it, so that the job and its parts have one name.
"""

import sys
from types import ModuleType
from typing import Any

from commonground.overlap._knowledge import Knowledge
from commonground.overlap._overlap import Overlaps, overlap
from commonground.overlap._result import Conflict, Overlap, Passage, Side, Statement
from commonground.overlap._verified import Checked, Verified
from commonground.overlap._verify import Checker, verify
from commonground.overlap.statements.find import STRICTNESS

__all__ = [
    "STRICTNESS",
    "Checked",
    "Checker",
    "Conflict",
    "Knowledge",
    "Overlap",
    "Overlaps",
    "Passage",
    "Side",
    "Statement",
    "Verified",
    "overlap",
    "verify",
]


class _Called(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Overlap:
        return overlap(*arguments, **options)


sys.modules[__name__].__class__ = _Called
