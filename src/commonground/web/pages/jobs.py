"""Slow requests: their texts and files, and the status of their jobs."""

import asyncio
import base64
from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Query, UploadFile
from pydantic import AfterValidator, BaseModel, Field

from commonground.documents import is_link, only_a_link
from commonground.web.context import CurrentSession, TheJobs
from commonground.web.jobs import Job, Jobs, State, Then

router = APIRouter()

_WAIT_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.05  # between two looks at a job ...
_MAX_LOOK_SECONDS: Final = 1.0  # ... that grow with the number of jobs before it
_PROGRESS_SECONDS: Final = 0.5  # between two reports of progress


class NamedText(BaseModel):
    """A text and its name."""

    name: str = Field(max_length=200)
    text: str


def _checked(limit: int, *, may_be_empty: bool = False) -> AfterValidator:
    def check(value: NamedText) -> NamedText:
        name = f'"{value.name}"' if value.name else "A text"
        if not may_be_empty and not any(map(str.isalnum, value.text)):
            raise ValueError(f"{name} has no text.")
        if address := is_link(value.text):
            raise ValueError(f"{name} {only_a_link(address)}")
        if len(value.text) > limit:
            length = f"{len(value.text):,} characters (limit {limit:,})"
            raise ValueError(f"{name} is too long: {length}.")
        return value

    return AfterValidator(check)


Narrative = Annotated[NamedText, _checked(100_000)]
"""A narrative, summary or reference."""

Essay = Annotated[NamedText, _checked(20_000)]
"""A reference of a pyramid, whose cost grows fast with the length."""

Answer = Annotated[NamedText, _checked(20_000, may_be_empty=True)]
"""A student's summary, which may be empty."""


class Accepted(BaseModel):
    """The response to a slow request: the id of its job."""

    job: str


class _Submit:
    def __init__(self, session: CurrentSession, jobs: TheJobs) -> None:
        self._session, self._jobs = session, jobs

    def __call__(self, task: str, payload: Mapping[str, Any], then: Then | None = None) -> Accepted:
        return Accepted(job=self._jobs.submit(task, payload, self._session.id, then).id)


Submit = Annotated[_Submit, Depends()]
"""Starts a job of the current session: `submit(task, payload, then)`."""


class JobStatus(BaseModel):
    """The status of a job; `result` is set once it is done, `error` if it failed."""

    state: State
    progress: float
    message: str
    version: int
    result: Any = None
    error: str | None = None


@router.post("/api/text", status_code=202, tags=["text"])
async def file_text(file: UploadFile, submit: Submit) -> Accepted:
    """Extract the text of a file: `{"name", "title", "text", "notices"}`.

    TXT, Markdown, HTML, MHTML, PDF and DOCX files are supported.
    """
    content = await file.read()
    name = file.filename or ""
    return submit("text", {"name": name, "content": base64.b64encode(content).decode()})


@router.get("/api/jobs/{job_id}", tags=["jobs"], response_model_exclude_none=True)
async def job_status(
    job_id: str,
    session: CurrentSession,
    jobs: TheJobs,
    after: Annotated[int, Query(description="Wait some seconds for a later version.")] = -1,
) -> JobStatus:
    """Return the status of a job, once its version is later than `after`."""
    job = _find(jobs, job_id, session.id)
    clock = asyncio.get_running_loop().time
    start = clock()
    while not job.over and clock() < start + _WAIT_SECONDS:
        if job.version > after and (after < 0 or clock() >= start + _PROGRESS_SECONDS):
            break
        await asyncio.sleep(min(_MAX_LOOK_SECONDS, _LOOK_SECONDS * (1 + jobs.ahead(job))))
    message = job.message
    if job.state == "queued":
        ahead = jobs.ahead(job)
        message = f"Waiting: {ahead} ahead of this one" if ahead else "Waiting for a free worker"
    return JobStatus(
        state=job.state,
        progress=job.progress,
        message=message,
        version=job.version,
        result=job.result,
        error=job.error or None,
    )


@router.delete("/api/jobs/{job_id}", tags=["jobs"], status_code=204)
async def cancel_job(job_id: str, session: CurrentSession, jobs: TheJobs) -> None:
    """Cancel a job; a finished one stays as it is. 409 if its result is already being stored."""
    if not jobs.cancel(_find(jobs, job_id, session.id)):
        raise HTTPException(409, "Too late to cancel: the result is being stored.")


def _find(jobs: Jobs, job_id: str, owner: str) -> Job:
    job = jobs.get(job_id, owner)
    if job is None:
        raise HTTPException(404, "This job no longer exists. Start it again.")
    return job
