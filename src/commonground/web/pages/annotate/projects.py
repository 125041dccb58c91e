"""The Annotate pages for the owner: projects, invitations, agreement and exports."""

import base64
import json
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, BackgroundTasks, File, Form, Request, UploadFile
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field, TypeAdapter

from commonground.agreement import Agreement, annotator_agreement, tables
from commonground.annotate import (
    PROTOCOLS,
    Database,
    Item,
    Prepared,
    Progress,
    agreement_now,
    change_mark,
    check_project,
    close_invitation,
    each_progress,
    each_project,
    exported,
    find_project,
    hide_project,
    invite,
    make_project,
    purge_unfinished,
    renew_invitation,
    save,
    sentence_labels,
    store_project,
    units_of,
    written_now,
)
from commonground.database import Viewer
from commonground.io import Event, Narrative, Prediction
from commonground.report import to_html
from commonground.text import sentences
from commonground.web.context import DATA, CurrentSession, TheDatabase, page
from commonground.web.pages.annotate.labelling import Number, sections
from commonground.web.pages.jobs import Accepted, Submit

router = APIRouter(tags=["annotate"])

_PREPARED: Final = TypeAdapter(Prepared)
_TYPES: Final = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


class NewProject(BaseModel):
    """A new project and its address."""

    project: int
    link: str


class Invite(BaseModel):
    """An annotator to invite; the name appears in the exported files."""

    name: str = Field(max_length=200)


class Invitation(BaseModel):
    """An invitation link, shown only once: just its hash is stored."""

    annotator: int
    link: str


@router.get("/annotate", include_in_schema=False)
def annotate_page(request: Request, session: CurrentSession, database: TheDatabase) -> Response:
    """List the projects, or show a worked example if there are none."""
    values: dict[str, Any] = {"projects": each_project(database, session.viewer)}
    if not values["projects"]:
        item, agreement = _example()
        values["sections"] = sections(item, PROTOCOLS["sentences"])
        values["figures"] = [to_html(tables.annotator_table(part)) for part in agreement]
    return page(request, "annotate.html", protocols=PROTOCOLS.values(), **values)


@router.post("/api/annotate/projects", status_code=202)
def new_project(
    submit: Submit,
    session: CurrentSession,
    database: TheDatabase,
    name: Annotated[str, Form(max_length=200)],
    protocol: Annotated[str, Form(max_length=50)],
    data_set: Annotated[UploadFile, File()],
    outputs: Annotated[UploadFile | None, File()] = None,
) -> Accepted:
    """Make a project from a data set and, except for written overlaps, outputs (both JSONL).

    The result is `{"project", "link"}`. A cancelled job makes no project.
    """
    check_project(name, protocol)

    def store(result: Any, settle: Callable[[], None]) -> dict[str, Any]:
        prepared = _PREPARED.validate_python(result)
        project = store_project(database, name, prepared, owner=session.viewer, confirm=settle)
        return _new_project(project.id).model_dump()

    payload = {"protocol": protocol, "data_set": _base64(data_set), "outputs": _base64(outputs)}
    return submit("project", payload, store)


@router.post("/api/annotate/example", status_code=201)
def example_project(session: CurrentSession, database: TheDatabase) -> NewProject:
    """Store the worked example as a project, with its annotators and labels."""
    return _new_project(_make_example(database, session.viewer))


@router.get("/annotate/projects/{project}", include_in_schema=False)
def project_page(request: Request, project: Number, database: TheDatabase) -> Response:
    """Show progress, invitations, agreement and exports of a project."""
    return page(request, "annotate_project.html", **_figures(database, project))


@router.get("/annotate/projects/{project}/figures", include_in_schema=False)
def figures(request: Request, project: Number, database: TheDatabase, seen: str = "") -> Response:
    """Return the live part of the page, or 204 if nothing changed since `seen`."""
    if change_mark(database, project) == seen:
        return Response(status_code=204)
    values = _figures(database, project)
    response = page(request, "annotate_figures.html", **values)
    response.headers["X-Change-Mark"] = values["mark"]
    return response


@router.get("/annotate/projects/{project}/labels.{form}", response_class=StreamingResponse)
def export(project: Number, form: Literal["csv", "jsonl"], database: TheDatabase) -> Response:
    """Return the labels as a file for `commonground agreement labels`."""
    headers = {"Content-Disposition": f'attachment; filename="labels-{project}.{form}"'}
    chunks = exported(database, project, form)
    return StreamingResponse(chunks, media_type=_TYPES[form], headers=headers)


@router.delete("/api/annotate/projects/{project}", status_code=204)
def remove(project: Number, database: TheDatabase, later: BackgroundTasks) -> None:
    """Delete a project with all its labels; its rows go after the response."""
    hide_project(database, project)
    later.add_task(purge_unfinished, database, "deleting")


@router.post("/api/annotate/projects/{project}/annotators", status_code=201)
def invite_annotator(project: Number, request: Invite, database: TheDatabase) -> Invitation:
    """Invite an annotator with a link."""
    token, annotator = invite(database, project, request.name)
    return Invitation(annotator=annotator.id, link=f"/invite/{token}")


@router.post("/api/annotate/projects/{project}/annotators/{annotator}/link")
def new_link(project: Number, annotator: Number, database: TheDatabase) -> Invitation:
    """Make a new link for an annotator; the old one stops working."""
    token = renew_invitation(database, project, annotator)
    return Invitation(annotator=annotator, link=f"/invite/{token}")


@router.delete("/api/annotate/projects/{project}/annotators/{annotator}/link", status_code=204)
def close_link(project: Number, annotator: Number, database: TheDatabase) -> None:
    """Close an annotator's link; the labels stay."""
    close_invitation(database, project, annotator)


def _new_project(project: int) -> NewProject:
    return NewProject(project=project, link=f"/annotate/projects/{project}")


def _base64(upload: UploadFile | None) -> str:
    return base64.b64encode(upload.file.read()).decode() if upload else ""


def _figures(database: TheDatabase, project: int) -> dict[str, Any]:
    # The mark comes first, so that a label saved meanwhile is shown twice rather than never.
    mark, known = change_mark(database, project), find_project(database, project)
    if known.protocol.name == "overlap":
        figures = [_written_table(written_now(database, project))]
    else:
        figures = [tables.annotator_table(part) for part in agreement_now(database, project)]
    return {
        "mark": mark,
        "project": known,
        "annotators": each_progress(database, project),
        "figures": [to_html(table) for table in figures],
    }


def _written_table(written: dict[str, list[int]]) -> dict[str, Any]:
    rows = []
    for annotator, lengths in written.items():
        words = [length for length in lengths if length]
        mean = sum(words) / len(words) if words else None
        rows.append([annotator, len(lengths), len(lengths) - len(words), mean])
    return {
        "title": "Written overlaps",
        "columns": ["annotator", "events", "without overlap", "words"],
        "rows": rows,
        "notes": ["Words: mean length of the overlaps that are not empty."],
    }


@cache
def _example() -> tuple[Item, tuple[Agreement, ...]]:
    """Return an item to practise on, and the agreement of the three annotators."""
    values = _example_data()
    output = values["outputs"][0]
    event = next(event for event in values["events"] if event["id"] == output["id"])
    summary = sentences(output["summary"])
    references = [sentences(text) for text in event["references"]]
    units = units_of("sentences", summary, references)
    item = Item(
        position=1,
        narratives=(),
        summary=tuple(summary),
        references=tuple(map(tuple, references)),
        units=units,
        labels={},
        undoable=None,
        progress=Progress(0, len(units), 1, 1),
        remarks={},
    )
    return item, annotator_agreement(sentence_labels(values["labels"]))


def _make_example(database: Database, owner: Viewer) -> int:
    """Store the example as a project and return its id."""
    values = _example_data()
    events, outputs, positions = {}, [], {}
    for row in values["events"]:
        narratives = tuple(Narrative(text["source"], text["text"]) for text in row["narratives"])
        events[row["id"]] = Event(row["id"], narratives, tuple(row["references"]))
    for position, row in enumerate(values["outputs"], start=1):
        outputs.append(Prediction(row["id"], row["summary"], row["system"], position))
        positions[row["id"], row["system"]] = position
    project = make_project(database, "Example", "sentences", events, outputs, owner=owner)
    names = dict.fromkeys(row["annotator"] for row in values["labels"])
    annotators = {name: invite(database, project.id, name)[1].id for name in names}
    for number, row in enumerate(values["labels"]):
        side, reference, sentence = row["side"], row["reference"], row["sentence"]
        unit = f"recall/{reference}/{sentence}" if reference else f"{side}/{sentence}"
        annotator, position = annotators[row["annotator"]], positions[row["id"], row["system"]]
        save(database, annotator, position, unit, row["label"], f"example-{number}")
    return project.id


@cache
def _example_data() -> dict[str, Any]:
    values: dict[str, Any] = json.loads((DATA / "annotate_example.json").read_text("utf-8"))
    return values
