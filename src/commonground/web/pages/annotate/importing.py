"""Files of a new project: a look at them before they are stored, and templates to fill in."""

import base64
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
from commonground.web.pages.sheets import attachment, template_file

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
        "names": names_of(data_set, outputs),
    }
    return submit("project-preview", payload)


@router.get("/annotate/templates/{name}.{form}", include_in_schema=False)
def template(
    name: Literal["data-set", "outputs"], form: Literal["csv", "xlsx", "jsonl"]
) -> Response:
    """Return a file to fill in, with rows of the example."""
    return attachment(f"{name}.{form}", _template(name, form))


@cache
def _template(name: str, form: str) -> bytes:
    """Return the bytes of a template."""
    rows = example_data()["events" if name == "data-set" else "outputs"]
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    return template_file(_wide(rows), form)


def packed(upload: UploadFile | None) -> str:
    """Return an upload in base64, as tasks take it."""
    return base64.b64encode(upload.file.read()).decode() if upload else ""


def names_of(data_set: UploadFile | None, outputs: UploadFile | None) -> dict[str, str]:
    """Return the names of the uploads by the kinds that tasks know."""
    uploads = {"data set": data_set, "outputs": outputs}
    return {kind: upload.filename for kind, upload in uploads.items() if upload and upload.filename}


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
