"""The guidelines of a project: written by its owner, shown beside every item."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from commonground.annotate import find_project, guideline_versions, save_guidelines
from commonground.web.context import TheDatabase, page
from commonground.web.markdown import rendered
from commonground.web.pages.annotate.labelling import Number

router = APIRouter(tags=["annotate"])


class Text(BaseModel):
    """Markdown to show."""

    text: str = Field(max_length=25_000)


class NewVersion(Text):
    """A new version, written after version `after`; 0 for the first."""

    after: int = Field(ge=0, le=2**31 - 1)


class Version(BaseModel):
    """The current version."""

    version: int


@router.get("/annotate/projects/{project}/guidelines", include_in_schema=False)
def guidelines_page(request: Request, project: Number, database: TheDatabase) -> Response:
    """Show and edit the guidelines, with their earlier versions."""
    versions = [(one, rendered(one.text)) for one in guideline_versions(database, project)]
    known = find_project(database, project)
    return page(request, "annotate_guidelines.html", project=known, versions=versions)


@router.post("/api/annotate/projects/{project}/guidelines/preview", response_class=HTMLResponse)
def preview(text: Text) -> str:
    """Return Markdown as HTML, as annotators will see it."""
    return rendered(text.text)


@router.put("/api/annotate/projects/{project}/guidelines")
def save(project: Number, version: NewVersion, database: TheDatabase) -> Version:
    """Save a new version; 409 if somebody else saved one meanwhile."""
    return Version(version=save_guidelines(database, project, version.text, version.after).version)
