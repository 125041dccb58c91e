"""The text of a file that a user gave."""

from collections.abc import Mapping
from typing import Any

from commonground.web._work._worker import Report


def text(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The file's name for people, and its text."""
    raise NotImplementedError
