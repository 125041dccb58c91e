"""The status of jobs over HTTP."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel

from commonground.web.context import CurrentSession, TheJobs
from commonground.web.work import Job, Jobs

router = APIRouter(prefix="/api/jobs", tags=["jobs"])

_WAIT_SECONDS: Final = 5.0


class Accepted(BaseModel):
    """The response to a slow request: the id of its job."""

    job: str


class JobStatus(BaseModel):
    """The status of a job; `result` is set once it is done, `error` if it failed."""

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
    after: Annotated[int, Query(description="Wait some seconds for a later version.")] = -1,
) -> JobStatus:
    """Return the status of a job, once its version is later than `after`."""
    job = _find(jobs, job_id, session.id)
    for _ in range(int(_WAIT_SECONDS / 0.1)):
        if job.version > after or job.over:
            break
        await asyncio.sleep(0.1)
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


@router.delete("/{job_id}", status_code=204)
async def cancel_job(job_id: str, session: CurrentSession, jobs: TheJobs) -> None:
    """Cancel a job; a finished one stays as it is. 409 if its result is already being stored."""
    if not jobs.cancel(_find(jobs, job_id, session.id)):
        raise HTTPException(409, "Too late to cancel: the result is being stored.")


def _find(jobs: Jobs, job_id: str, owner: str) -> Job:
    job = jobs.get(job_id, owner)
    if job is None:
        raise HTTPException(404, "This job no longer exists. Start it again.")
    return job
