"""Read and write files of rows: JSONL, Parquet and Arrow, data sets, predictions."""

from commonground.io.dataset import (
    Event,
    Narrative,
    Prediction,
    each_event,
    event_of,
    prediction_of,
    read_events,
    read_predictions,
    write_events,
)
from commonground.io.files import check_writable, read_lines, read_text, whole_bytes, whole_file
from commonground.io.formats import (
    FORMS,
    check_form,
    encoded,
    form_of,
    join,
    json_line,
    same_columns,
)
from commonground.io.html import paragraphs, visible_text
from commonground.io.jsonl import BadRow, Row, place, read_rows, try_rows, write_rows
from commonground.io.resumable import ResumableRows
from commonground.io.sources import count_rows, find_files, would_read

__all__ = [
    "FORMS",
    "BadRow",
    "Event",
    "Narrative",
    "Prediction",
    "ResumableRows",
    "Row",
    "check_form",
    "check_writable",
    "count_rows",
    "each_event",
    "encoded",
    "event_of",
    "find_files",
    "form_of",
    "join",
    "json_line",
    "paragraphs",
    "place",
    "prediction_of",
    "read_events",
    "read_lines",
    "read_predictions",
    "read_rows",
    "read_text",
    "same_columns",
    "try_rows",
    "visible_text",
    "whole_bytes",
    "whole_file",
    "would_read",
    "write_events",
    "write_rows",
]
