"""The tasks that read an uploaded file, which comes in base64, with a limit on memory."""

import base64
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from commonground.documents import extract
from commonground.errors import InputError
from commonground.io import read_class
from commonground.text import language_notices
from commonground.web.tasks.uploads import uploaded
from commonground.workers import Report, memory_limit

_TABLES: Final = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".jsonl")
_TEXT_MEMORY: Final = 600_000_000  # bytes in addition to the models


def text(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the display name, title and text of a file, and a notice about its language."""
    name = shown_name(payload["name"])
    if name.lower().endswith(_TABLES):  # several texts would become one
        raise InputError(f"{name} is a table, not a text. Save each text as a file of its own.")
    report(0.1, f"Reading {name}")
    try:
        with memory_limit(_TEXT_MEMORY):
            found = extract(base64.b64decode(payload["content"]), name)
            notices = [notice.to_dict() for notice in language_notices([(name, found.text)])]
    except InputError as error:
        raise InputError(f"{name} {error}") from None
    except MemoryError:
        raise InputError(f"{name} is too large when unpacked.") from None
    return {"name": name, "title": _visible(found.title), "text": found.text, "notices": notices}


def students(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the display name of a class's file, its students with a summary, and those without."""
    name, most = shown_name(payload["name"]), payload["most"]
    report(0.1, f"Reading {name}")
    with uploaded({"class": payload["content"]}) as (path,):
        try:
            found = read_class(path)
        except InputError as error:
            raise InputError(str(error).replace(str(path), name, 1)) from None
    if len(found) > most:
        raise InputError(f"{name} has {len(found):,} students (limit {most}).")
    return {
        "name": name,
        "students": [{"name": one.name[:200], "text": one.text} for one in found if one.text],
        "blank": [one.name[:200] for one in found if not one.text],
    }


def shown_name(name: str) -> str:
    r"""Return a file name to display, without folders and invisible characters.

    Example:
        >>> shown_name("C:\\texts\\paper\u202etxt.exe"), shown_name("../../etc/passwd")
        ('papertxt.exe', 'passwd')
    """
    last = re.split(r"[/\\]", name)[-1]
    return _visible(last) or "file"


def _visible(text: str) -> str:
    visible = "".join(letter for letter in text if unicodedata.category(letter)[0] != "C")
    return " ".join(visible.split())[:120]
