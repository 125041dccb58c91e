"""Texts with names, as pages send them, and the text of uploaded files."""

import base64
from typing import Annotated

from fastapi import APIRouter, UploadFile
from pydantic import AfterValidator, BaseModel, Field

from commonground.web.context import CurrentSession, TheJobs
from commonground.web.pages.jobs import Accepted

router = APIRouter(tags=["text"])


class NamedText(BaseModel):
    """A text and its name."""

    name: str = Field(max_length=200)
    text: str


def _checked(limit: int, *, may_be_empty: bool = False) -> AfterValidator:
    def check(value: NamedText) -> NamedText:
        name = f'"{value.name}"' if value.name else "A text"
        if not may_be_empty and not any(map(str.isalnum, value.text)):
            raise ValueError(f"{name} has no text.")
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


@router.post("/api/text", status_code=202)
async def file_text(file: UploadFile, session: CurrentSession, jobs: TheJobs) -> Accepted:
    """Extract the text of a TXT, Markdown, HTML, PDF or DOCX file: `{"name", "text"}`."""
    content = await file.read()
    payload = {"name": file.filename or "", "content": base64.b64encode(content).decode()}
    return Accepted(job=jobs.submit("text", payload, session.id).id)
