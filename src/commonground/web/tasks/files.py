"""Tasks that read uploaded files, which come in base64."""

import base64
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

from commonground.annotate import prepare
from commonground.errors import InputError
from commonground.io import count_rows, each_event, read_predictions
from commonground.web.documents import document_text, shown_name
from commonground.workers import Report, memory_limit

T = TypeVar("T")

# Bytes in addition to the models.
_TEXT_MEMORY: Final = 600_000_000
_PROJECT_MEMORY: Final = 2_000_000_000
_REPORTS: Final = 100  # per file


def text(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the display name and the text of a file."""
    name = shown_name(payload["name"])
    report(0.1, f"Reading {name}")
    try:
        with memory_limit(_TEXT_MEMORY):
            return {"name": name, "text": document_text(base64.b64decode(payload["content"]))}
    except InputError as error:
        raise InputError(f"{name} {error}") from None
    except MemoryError:
        raise InputError(f"{name} is too large when unpacked.") from None


def project(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return an annotation project as plain values of `Prepared`."""
    with tempfile.TemporaryDirectory() as folder, memory_limit(_PROJECT_MEMORY):
        try:
            return _prepared(Path(folder), payload, report)
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}{os.sep}", "")) from None


def _prepared(folder: Path, payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    # Our own file names: the name of an upload never reaches the disk.
    data_set, outputs = folder / "data set", folder / "outputs"
    data_set.write_bytes(base64.b64decode(payload["data_set"]))
    outputs.write_bytes(base64.b64decode(payload["outputs"]))
    progress = _progress(report, "Reading {} of {} events", 0.0, 0.1)
    events = {event.id: event for event in _counted(each_event(data_set), data_set, progress)}
    progress = _progress(report, "Reading {} of {} outputs", 0.1, 0.6)
    predictions = _counted(read_predictions(outputs), outputs, progress)
    progress = _progress(report, "Preparing {} of {} events", 0.6, 0.95)
    prepared = asdict(prepare(payload["protocol"], events, predictions, progress=progress))
    report(0.95, "Storing the project")
    return prepared


def _progress(report: Report, text: str, first: float, last: float) -> Callable[[int, int], None]:
    """Return a callback that reports a count as a share between `first` and `last`."""

    def progress(done: int, total: int) -> None:
        if done % max(1, total // _REPORTS) == 0:
            share = first + (last - first) * done / total
            report(share, text.format(f"{done:,}", f"{total:,}"))

    return progress


def _counted(rows: Iterable[T], path: Path, progress: Callable[[int, int], None]) -> Iterator[T]:
    total = count_rows(path)
    for number, row in enumerate(rows, start=1):
        progress(number, total)
        yield row
