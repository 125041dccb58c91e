"""Files in, plain text out: for every page that takes files."""

import base64

from fastapi import APIRouter, UploadFile

from commonground.web.context import CurrentSession, TheJobs
from commonground.web.pages.jobs import Accepted

router = APIRouter(tags=["text"])


@router.post("/api/text", status_code=202)
async def file_text(file: UploadFile, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """The text of a TXT, Markdown, HTML, PDF or DOCX file; the result is `{"name", "text"}`."""
    content = await file.read()
    payload = {"name": file.filename or "", "content": base64.b64encode(content).decode()}
    return Accepted(job=jobs.submit("text", payload, session.id).id)
