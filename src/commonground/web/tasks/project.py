"""A data set and outputs made ready for annotators, for the Annotate page."""

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
from commonground.workers import Report, memory_limit

T = TypeVar("T")

_MEMORY: Final = 2_000_000_000  # bytes, beside the models
_REPORTS: Final = 100  # of a file, however many rows it has


def project(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """What is to be stored, as `Prepared` has it; `data_set` and `outputs` come in base64."""
    with tempfile.TemporaryDirectory() as folder, memory_limit(_MEMORY):
        try:
            return _prepared(Path(folder), payload, report)
        except InputError as error:
            raise InputError(str(error).replace(f"{folder}{os.sep}", "")) from None


def _prepared(folder: Path, payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    # The names are ours, so that nothing of what an upload calls itself reaches a disk.
    data_set, outputs = folder / "data set", folder / "outputs"
    data_set.write_bytes(base64.b64decode(payload["data_set"]))
    outputs.write_bytes(base64.b64decode(payload["outputs"]))
    reading = _teller(report, "Reading {} of {} events", 0.0, 0.1)
    events = {event.id: event for event in _told(each_event(data_set), data_set, reading)}
    reading = _teller(report, "Reading {} of {} outputs", 0.1, 0.6)
    predictions = _told(read_predictions(outputs), outputs, reading)
    ready = _teller(report, "Preparing {} of {} events", 0.6, 0.95)
    found = asdict(prepare(payload["protocol"], events, predictions, progress=ready))
    report(0.95, "Storing the project")
    return found


def _teller(report: Report, words: str, first: float, last: float) -> Callable[[int, int], None]:
    """Reports a count as a share between two others."""

    def tell(done: int, total: int) -> None:
        if done % max(1, total // _REPORTS) == 0:
            share = first + (last - first) * done / total
            report(share, words.format(f"{done:,}", f"{total:,}"))

    return tell


def _told(rows: Iterable[T], path: Path, tell: Callable[[int, int], None]) -> Iterator[T]:
    total = count_rows(path)
    for number, row in enumerate(rows, start=1):
        tell(number, total)
        yield row
