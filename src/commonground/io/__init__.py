"""Rows in and out of files: JSONL, the data-set format, predictions."""

from commonground.io._dataset import (
    Event,
    Narrative,
    Prediction,
    each_event,
    read_events,
    read_predictions,
    write_events,
)
from commonground.io._files import check_writable, read_text, whole_file
from commonground.io._jsonl import Row, read_rows, write_rows
from commonground.io._resumable import ResumableRows

__all__ = [
    "Event",
    "Narrative",
    "Prediction",
    "ResumableRows",
    "Row",
    "check_writable",
    "each_event",
    "read_events",
    "read_predictions",
    "read_rows",
    "read_text",
    "whole_file",
    "write_events",
    "write_rows",
]
