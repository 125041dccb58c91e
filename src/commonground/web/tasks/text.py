"""The text of a file that a user gave, read in a process of its own."""

import base64
from collections.abc import Mapping
from typing import Any, Final

from commonground.errors import InputError
from commonground.web.documents import document_text, shown_name
from commonground.workers import Report, memory_limit

_MEMORY: Final = 600_000_000  # bytes, beside the models


def text(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The file's name for people, and its text."""
    name = shown_name(payload["name"])
    report(0.1, f"Reading {name}")
    try:
        with memory_limit(_MEMORY):
            return {"name": name, "text": document_text(base64.b64decode(payload["content"]))}
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except MemoryError:
        raise InputError(f"{name}: unpacks to more than the server takes") from None
