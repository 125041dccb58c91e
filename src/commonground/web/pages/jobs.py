"""Jobs over HTTP: how far one is, its result, and ending it."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel

from commonground.web.context import CurrentSession, TheJobs
from commonground.web.work import Job, Jobs

router = APIRouter(prefix="/api/jobs", tags=["jobs"])

_PATIENCE_SECONDS: Final = 5.0
_GONE = "This work is not known here any more: start it again."
_TOO_LATE = "It is too late to cancel: the result is being stored."


class Accepted(BaseModel):
    """The answer to a request that takes a while: ask for the job by its id."""

    job: str


class JobStatus(BaseModel):
    """How far a job is; `result` is there when it is done, `error` when it failed."""

    state: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: float
    message: str
    version: int
    result: Any = None
    error: str | None = None


@router.get("/{job_id}", response_model_exclude_none=True)
async def job_status(
    job_id: str,
    session: CurrentSession,
    jobs: TheJobs,
    after: Annotated[int, Query(description="Wait for a later version, some seconds.")] = -1,
) -> JobStatus:
    """How far a job is, once it is further than `after`."""
    job = _found(jobs, job_id, session.id)
    for _ in range(int(_PATIENCE_SECONDS / 0.1)):
        if job.version > after or job.over:
            break
        await asyncio.sleep(0.1)
    return _status(jobs, job)


@router.delete("/{job_id}", status_code=204)
async def cancel_job(job_id: str, session: CurrentSession, jobs: TheJobs) -> None:
    """End a job; one that is over stays as it is. 409 where its result is being stored, or is."""
    if not jobs.cancel(_found(jobs, job_id, session.id)):
        raise HTTPException(409, _TOO_LATE)


def _found(jobs: Jobs, job_id: str, owner: str) -> Job:
    job = jobs.get(job_id, owner)
    if job is None:
        raise HTTPException(404, _GONE)
    return job


def _status(jobs: Jobs, job: Job) -> JobStatus:
    message = job.message
    if job.state == "queued":
        before = jobs.ahead(job)
        message = f"Waiting; {before} before this one" if before else "Waiting for a free worker"
    return JobStatus(
        state=job.state,
        progress=job.progress,
        message=message,
        version=job.version,
        result=job.result,
        error=job.error or None,
    )
