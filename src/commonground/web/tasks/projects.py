"""Tasks that read the files of an annotation project: JSONL, CSV or XLSX, in base64."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

from commonground.annotate import prepare
from commonground.errors import InputError
from commonground.io import (
    Event,
    Prediction,
    count_rows,
    each_event,
    ignored_columns,
    is_sheet,
    read_predictions,
)
from commonground.web.names import seen_name
from commonground.web.tasks.files import shown_name
from commonground.web.tasks.uploads import uploaded, without_paths
from commonground.workers import Report

T = TypeVar("T")

_REPORTS: Final = 100  # per file
_FIRST: Final = 5
_MAX_PROBLEMS: Final = 20
_MAX_COUNTED: Final = 1_000  # outputs of which a preview counts the sentences
_EXCERPT: Final = 160  # characters


def project(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return an annotation project as plain values of `Prepared`."""
    with uploaded(_files(payload), _names(payload)) as (data_set, outputs):
        progress = _progress(report, "Reading {} of {} events", 0.0, 0.1)
        events = {event.id: event for event in _counted(each_event(data_set), data_set, progress)}
        progress = _progress(report, "Reading {} of {} outputs", 0.1, 0.6)
        predictions = _counted(read_predictions(outputs), outputs, progress)
        progress = _progress(report, "Preparing {} of {} events", 0.6, 0.95)
        prepared = asdict(prepare(payload["protocol"], events, predictions, progress=progress))
        report(0.95, "Storing the project")
        return prepared


def preview(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the first rows of the files and a line for each problem.

    The result has `events` and `outputs` (the first rows), `counts`, `ignored` (columns),
    `problems` (at most 20 lines) and `more` (the number of further problems).
    """
    problems: list[str] = []

    def complain(error: InputError) -> None:
        problems.append(str(error))

    with uploaded(_files(payload), _names(payload)) as (data_set, outputs):
        report(0.1, "Reading the data set")
        events, predictions = [], []
        ignored: list[str] = []
        for path in (data_set, outputs):
            if path.stat().st_size == 0:
                continue
            try:
                if path is data_set:
                    events = list(each_event(path, complain))
                else:
                    report(0.5, "Reading the outputs")
                    predictions = list(read_predictions(path, complain))
                if is_sheet(path):
                    ignored += ignored_columns(path)
            except InputError as error:  # the file as a whole
                complain(error)
        counts = _counts(payload, events, predictions, problems)
        folder, names = data_set.parent, _names(payload)
        return {
            "events": [_shown_event(event) for event in events[:_FIRST]],
            "outputs": [_shown_output(row) for row in predictions[:_FIRST]],
            "counts": counts,
            "ignored": ignored,
            "problems": [without_paths(line, folder, names) for line in problems[:_MAX_PROBLEMS]],
            "more": max(0, len(problems) - _MAX_PROBLEMS),
        }


def _files(payload: Mapping[str, Any]) -> dict[str, str]:
    return {"data set": payload["data_set"], "outputs": payload["outputs"]}


def _names(payload: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the files as errors show them."""
    return {kind: shown_name(name) for kind, name in payload["names"].items()}


def _counts(
    payload: Mapping[str, Any],
    events: list[Event],
    predictions: list[Prediction],
    problems: list[str],
) -> dict[str, int]:
    """Return what there is; a problem of the project as a whole is added to the others."""
    known = {event.id: event for event in events}
    counts = {
        "events": len(events),
        "outputs": len(predictions),
        "systems": len({row.system for row in predictions}),
    }
    if events:
        problems += [
            f"{row.place}: id {row.id!r} is not in the data set"
            for row in predictions
            if row.id not in known
        ]
    waits = payload["needs_outputs"] and not payload["outputs"]  # for the second file
    if not problems and events and not waits and len(predictions) <= _MAX_COUNTED:
        try:
            prepared = prepare(payload["protocol"], known, predictions)
        except InputError as error:
            problems.append(str(error))
        else:
            counts["items"] = len(prepared.items)
            counts["labels"] = sum(item.units for item in prepared.items)
    return counts


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


def _shown_event(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "narratives": [
            f"{seen_name(row.source)}: {_excerpt(row.text)}" for row in event.narratives
        ],
        "references": [_excerpt(text) for text in event.references],
    }


def _shown_output(row: Prediction) -> dict[str, Any]:
    return {"id": row.id, "system": row.system, "summary": _excerpt(row.summary)}


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]} …"
