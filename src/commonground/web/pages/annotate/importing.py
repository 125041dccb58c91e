"""Files of a new project: a look at them before they are stored, and templates to fill in."""

import base64
import csv
import io
import json
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import Response

from commonground.annotate import PROTOCOLS
from commonground.errors import unknown_name
from commonground.web.pages.annotate.example import example_data
from commonground.web.pages.jobs import Accepted, Submit
from commonground.web.pages.sheets import FILE_TYPES, xlsx_file

router = APIRouter(tags=["annotate"])


@router.post("/api/annotate/preview", status_code=202)
def preview(
    submit: Submit,
    protocol: Annotated[str, Form(max_length=50)],
    data_set: Annotated[UploadFile | None, File()] = None,
    outputs: Annotated[UploadFile | None, File()] = None,
) -> Accepted:
    """Read the files of a project without storing anything.

    The result has the first rows (`events`, `outputs`), `counts`, `ignored` columns and
    `problems`, a line for each wrong cell.
    """
    if protocol not in PROTOCOLS:
        raise unknown_name("protocol", protocol, PROTOCOLS)
    needs = PROTOCOLS[protocol].outputs
    payload = {
        "protocol": protocol,
        "needs_outputs": needs,
        "data_set": packed(data_set),
        "outputs": packed(outputs) if needs else "",
    }
    return submit("project-preview", payload)


@router.get("/annotate/templates/{name}.{form}", include_in_schema=False)
def template(
    name: Literal["data-set", "outputs"], form: Literal["csv", "xlsx", "jsonl"]
) -> Response:
    """Return a file to fill in, with rows of the example."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(template_file(name, form), media_type=FILE_TYPES[form], headers=headers)


@cache
def template_file(name: str, form: str) -> bytes:
    """Return the bytes of a template."""
    rows = example_data()["events" if name == "data-set" else "outputs"]
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    table = _wide(rows)
    return xlsx_file(table, text=True) if form == "xlsx" else _csv(table)


def packed(upload: UploadFile | None) -> str:
    """Return an upload in base64, as tasks take it."""
    return base64.b64encode(upload.file.read()).decode() if upload else ""


def _wide(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Return rows of JSONL with a column for each text and reference, below their names."""
    flat = [dict(_cells(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    return [names, *([row.get(name, "") for name in names] for row in flat)]


def _cells(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    for key, value in row.items():
        if isinstance(value, str):
            yield key, value
        for number, part in enumerate(value if isinstance(value, list) else (), start=1):
            if isinstance(part, str):
                yield f"reference {number}", part
            else:
                yield f"source {number}", part["source"]
                yield f"text {number}", part["text"]


def _csv(table: list[list[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(table)
    return stream.getvalue().encode("utf-8-sig")  # Excel takes plain UTF-8 for another encoding
