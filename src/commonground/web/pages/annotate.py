"""Annotate, for the owner: projects, invitations, agreement as it stands, exports."""

import base64
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi import Path as InPath
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field, TypeAdapter

from commonground.agreement import tables
from commonground.annotate import (
    PROTOCOLS,
    Prepared,
    agreement_now,
    change_mark,
    check_project,
    close_invitation,
    delete_project,
    each_progress,
    each_project,
    exported,
    find_project,
    invite,
    renew_invitation,
    store_project,
    written_now,
)
from commonground.report import to_html
from commonground.web.context import CurrentSession, TheDatabase, TheJobs, page
from commonground.web.pages import annotate_example
from commonground.web.pages.annotate_view import sections
from commonground.web.pages.jobs import Accepted

router = APIRouter(tags=["annotate"])

# The largest number that PostgreSQL takes for an integer.
Number = Annotated[int, InPath(ge=1, le=2**31 - 1)]
_PREPARED: Final = TypeAdapter(Prepared)
_TYPES: Final = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


class Made(BaseModel):
    """A project that was made, and where it is."""

    project: int
    link: str


class Invite(BaseModel):
    """Whom to invite; the name stands in the exported files."""

    name: str = Field(max_length=200)


class Invitation(BaseModel):
    """The link is told this once: only its hash is kept."""

    annotator: int
    link: str


@router.get("/annotate", include_in_schema=False)
def annotate_page(request: Request, database: TheDatabase) -> Response:
    """The projects; as long as there are none, a worked example."""
    projects = each_project(database)
    example = None if projects else annotate_example.example()
    shown: dict[str, Any] = {}
    if example:
        shown = {
            "sections": sections(example.item, PROTOCOLS["sentences"]),
            "figures": [to_html(tables.annotator_table(one)) for one in example.agreement],
        }
    return page(
        request,
        "annotate.html",
        projects=projects,
        protocols=PROTOCOLS.values(),
        example=example,
        **shown,
    )


@router.post("/api/annotate/projects", status_code=202)
def new_project(
    session: CurrentSession,
    jobs: TheJobs,
    database: TheDatabase,
    name: Annotated[str, Form(max_length=200)],
    protocol: Annotated[str, Form(max_length=50)],
    data_set: Annotated[UploadFile, File()],
    outputs: Annotated[UploadFile | None, File()] = None,
) -> Accepted:
    """Make a project from a data set and, for all but written overlaps, outputs (both JSONL).

    The result is `{"project", "link"}`; a job that is cancelled makes none.
    """
    check_project(name, protocol)

    def store(found: Any, settle: Callable[[], None]) -> dict[str, Any]:
        prepared = _PREPARED.validate_python(found)
        project = store_project(database, name, prepared, confirm=settle)
        return _made(project.id).model_dump()

    payload = {"protocol": protocol, "data_set": _packed(data_set), "outputs": _packed(outputs)}
    return Accepted(job=jobs.submit("project", payload, session.id, then=store).id)


@router.post("/api/annotate/example", status_code=201)
def example_project(database: TheDatabase) -> Made:
    """The worked example as a project, with its three annotators and their labels."""
    return _made(annotate_example.make(database))


@router.get("/annotate/projects/{project}", include_in_schema=False)
def project_page(request: Request, project: Number, database: TheDatabase) -> Response:
    """Progress, invitations, agreement and exports of one project."""
    return page(
        request,
        "annotate_project.html",
        project=find_project(database, project),
        **_figures(database, project),
    )


@router.get("/annotate/projects/{project}/figures", include_in_schema=False)
def figures(request: Request, project: Number, database: TheDatabase, seen: str = "") -> Response:
    """The part of the page that changes, or 204 where nothing has since `seen`."""
    if change_mark(database, project) == seen:
        return Response(status_code=204)
    shown = _figures(database, project)
    answer = page(
        request, "annotate_figures.html", project=find_project(database, project), **shown
    )
    answer.headers["X-Change-Mark"] = shown["mark"]
    return answer


@router.get("/annotate/projects/{project}/labels.{form}", response_class=StreamingResponse)
def export(project: Number, form: Literal["csv", "jsonl"], database: TheDatabase) -> Response:
    """The labels as a file that `commonground agreement labels` reads."""
    headers = {"Content-Disposition": f'attachment; filename="labels-{project}.{form}"'}
    pieces = exported(database, project, form)
    return StreamingResponse(pieces, media_type=_TYPES[form], headers=headers)


@router.delete("/api/annotate/projects/{project}", status_code=204)
def remove(project: Number, database: TheDatabase) -> None:
    """Take a project away with all its labels."""
    delete_project(database, project)


@router.post("/api/annotate/projects/{project}/annotators", status_code=201)
def invite_annotator(project: Number, wanted: Invite, database: TheDatabase) -> Invitation:
    """Invite an annotator by a link."""
    token, annotator = invite(database, project, wanted.name)
    return Invitation(annotator=annotator.id, link=f"/invite/{token}")


@router.post("/api/annotate/projects/{project}/annotators/{annotator}/link")
def new_link(project: Number, annotator: Number, database: TheDatabase) -> Invitation:
    """A new link for an annotator; the old one is over."""
    token = renew_invitation(database, project, annotator)
    return Invitation(annotator=annotator, link=f"/invite/{token}")


@router.delete("/api/annotate/projects/{project}/annotators/{annotator}/link", status_code=204)
def close_link(project: Number, annotator: Number, database: TheDatabase) -> None:
    """Let an annotator in no more; the labels stay."""
    close_invitation(database, project, annotator)


def _made(project: int) -> Made:
    return Made(project=project, link=f"/annotate/projects/{project}")


def _packed(upload: UploadFile | None) -> str:
    return base64.b64encode(upload.file.read()).decode() if upload else ""


def _figures(database: TheDatabase, project: int) -> dict[str, Any]:
    # The mark is taken first: what comes in meanwhile is then shown twice rather than never.
    mark = change_mark(database, project)
    if find_project(database, project).protocol.name == "overlap":
        shown = [_written_table(written_now(database, project))]
    else:
        shown = [tables.annotator_table(one) for one in agreement_now(database, project)]
    return {
        "mark": mark,
        "annotators": each_progress(database, project),
        "figures": [to_html(table) for table in shown],
    }


def _written_table(written: dict[str, list[int]]) -> dict[str, Any]:
    rows = []
    for who, lengths in written.items():
        words = [length for length in lengths if length]
        mean = sum(words) / len(words) if words else None
        rows.append([who, len(lengths), len(lengths) - len(words), mean])
    return {
        "title": "Written overlaps",
        "columns": ["annotator", "events", "without overlap", "words"],
        "rows": rows,
        "notes": ["Words: the mean of overlaps that are not empty."],
    }
