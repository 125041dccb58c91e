"""Files of a new project: a look at them before they are stored, and templates to fill in."""

import base64
import csv
import io
import json
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, File, Form, UploadFile
from fastapi.responses import Response

from commonground.annotate import PROTOCOLS
from commonground.errors import unknown_name
from commonground.web.pages.annotate.example import example_data
from commonground.web.pages.jobs import Accepted, Submit

router = APIRouter(tags=["annotate"])

_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_WIDTH: Final = 40  # of a column with texts, in characters


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
    return Response(template_file(name, form), media_type=_TYPES[form], headers=headers)


@cache
def template_file(name: str, form: str) -> bytes:
    """Return the bytes of a template."""
    rows = example_data()["events" if name == "data-set" else "outputs"]
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    table = _wide(rows)
    return _xlsx(table) if form == "xlsx" else _csv(table)


def packed(upload: UploadFile | None) -> str:
    """Return an upload in base64, as tasks take it."""
    return base64.b64encode(upload.file.read()).decode() if upload else ""


def _wide(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Return rows of JSONL with a column for each narrative and reference, below their names."""
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
                yield f"narrative {number}", part["text"]


def _csv(table: list[list[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(table)
    return stream.getvalue().encode("utf-8-sig")  # Excel takes plain UTF-8 for another encoding


def _xlsx(table: list[list[str]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet: Any = book.active
    for row in table:
        sheet.append(row)
    for index, name in enumerate(table[0], start=1):
        sheet.cell(1, index).font = Font(bold=True)
        wide = not name.startswith(("id", "system", "source"))
        sheet.column_dimensions[get_column_letter(index)].width = _WIDTH if wide else _WIDTH // 2
        for cell in sheet[get_column_letter(index)]:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.number_format = "@"  # text: a spreadsheet must not turn an id into a date
    sheet.freeze_panes = "A2"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
