"""The Annotate pages for the owner: projects, invitations, agreement and exports."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, BackgroundTasks, File, Form, Request, UploadFile
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field, TypeAdapter

from commonground.annotate import (
    PROTOCOLS,
    Prepared,
    change_mark,
    check_project,
    close_invitation,
    each_project,
    exported,
    final_count,
    hide_project,
    invite,
    purge_unfinished,
    renew_invitation,
    store_project,
)
from commonground.report import to_html
from commonground.web.context import CurrentSession, TheDatabase, page
from commonground.web.pages.annotate.example import example_item, make_example
from commonground.web.pages.annotate.figures import agreement_table, noun, project_figures
from commonground.web.pages.annotate.importing import names_of, packed
from commonground.web.pages.annotate.labelling import Number, sections
from commonground.web.pages.jobs import Accepted, Submit
from commonground.web.pages.sheets import FILE_TYPES

router = APIRouter(tags=["annotate"])

_PREPARED: Final = TypeAdapter(Prepared)


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
    """List the projects, and show the worked example."""
    item, agreement = example_item()
    return page(
        request,
        "annotate.html",
        protocols=PROTOCOLS.values(),
        projects=each_project(database, session.viewer),
        sections=sections(item, PROTOCOLS["sentences"]),
        figures=[to_html(agreement_table(part, noun("sentences"))) for part in agreement],
    )


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
    """Make a project from a data set and, except for written overlaps, outputs.

    The files are JSONL, CSV or XLSX.

    The result is `{"project", "link"}`. A cancelled job makes no project.
    """
    check_project(name, protocol)

    def store(result: Any, settle: Callable[[], None]) -> dict[str, Any]:
        prepared = _PREPARED.validate_python(result)
        project = store_project(database, name, prepared, owner=session.viewer, confirm=settle)
        return _new_project(project.id).model_dump()

    payload = {
        "protocol": protocol,
        "data_set": packed(data_set),
        "outputs": packed(outputs),
        "names": names_of(data_set, outputs),
    }
    return submit("project", payload, store)


@router.post("/api/annotate/example", status_code=201)
def example_project(session: CurrentSession, database: TheDatabase) -> NewProject:
    """Store the worked example as a project, with its annotators and labels."""
    return _new_project(make_example(database, session.viewer))


@router.get("/annotate/projects/{project}", include_in_schema=False)
def project_page(request: Request, project: Number, database: TheDatabase) -> Response:
    """Show progress, invitations, agreement and exports of a project."""
    final, every, without = final_count(database, project)
    values = {"final": final, "undecided": every - final, "without_final": without}
    return page(request, "annotate_project.html", **values, **project_figures(database, project))


@router.get("/annotate/projects/{project}/figures", include_in_schema=False)
def figures(request: Request, project: Number, database: TheDatabase, seen: str = "") -> Response:
    """Return the live part of the page, or 204 if nothing changed since `seen`."""
    if change_mark(database, project) == seen:
        return Response(status_code=204)
    values = project_figures(database, project)
    response = page(request, "annotate_figures.html", **values)
    response.headers["X-Change-Mark"] = values["mark"]
    return response


@router.get("/annotate/projects/{project}/labels.{form}", response_class=StreamingResponse)
def export(project: Number, form: Literal["csv", "jsonl"], database: TheDatabase) -> Response:
    """Return the labels as a file for `commonground agreement labels`."""
    return _file(f"labels-{project}.{form}", exported(database, project, form))


@router.get("/annotate/projects/{project}/adjudicated.{form}", response_class=StreamingResponse)
def export_final(project: Number, form: Literal["csv", "jsonl"], database: TheDatabase) -> Response:
    """Return the final labels, decided or agreed, as a label file."""
    chunks = exported(database, project, form, adjudicated=True)
    return _file(f"adjudicated-{project}.{form}", chunks)


def _file(name: str, chunks: Iterator[str]) -> Response:
    """Return a file to save; CSV has the mark that Excel needs to read UTF-8."""
    form = name.rpartition(".")[2]
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    marked = chain(["\ufeff"], chunks) if form == "csv" else chunks
    return StreamingResponse(marked, media_type=FILE_TYPES[form], headers=headers)


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
