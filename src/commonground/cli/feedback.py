"""Feedback pages of a class: a folder, or a ZIP file."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.cli.pyramid_files import Student
from commonground.errors import InputError
from commonground.io import check_writable, whole_bytes, whole_file
from commonground.pyramid import Comment, GradeScale, Pyramid, PyramidScore
from commonground.report import (
    FEEDBACK_GENERATOR,
    FEEDBACK_INDEX,
    WORDING,
    class_page,
    feedback_page,
    page_names,
)
from commonground.text import split

_ZIP = ".zip"


class Feedback:
    """A folder or ZIP file of feedback pages, checked before the scoring and written after it.

    A name that ends in `.zip` is a ZIP file. A folder is created if missing. Pages of an earlier
    run are replaced; any other file with such a name is an error.
    """

    def __init__(self, folder: Path, students: Sequence[Student], *inputs: Path) -> None:
        self._folder = folder
        self._students = list(students)
        self._pages = page_names([student.page for student in students])
        if folder.suffix.lower() == _ZIP and not folder.is_dir():
            check_writable(folder, *inputs)
            return
        if not folder.is_dir():
            check_writable(folder)
            if folder.exists():
                raise InputError(f"{folder} is a file; give a folder")
            return
        for name in (FEEDBACK_INDEX, *self._pages):
            check_writable(folder / name, *inputs)
            if not _ours(folder / name):
                raise InputError(f"{folder / name} is not a feedback page; choose another folder")

    def write(
        self,
        pyramid: Pyramid,
        scores: Sequence[PyramidScore],
        title: str,
        *,
        scale: GradeScale | None = None,
        comments: Mapping[str, Comment] | None = None,
        words: Mapping[str, str] = WORDING,
    ) -> None:
        """Write a page for each student and one for the class."""
        students = []
        for one, score in zip(self._students, scores, strict=True):
            student = student_of(one.name, one.text, pyramid, score)
            comment = (comments or {}).get(one.name)
            student["comment"] = comment.to_dict() if comment else None
            student["grade"] = scale.mark(student) if scale else ""
            students.append(student)
        counts = scale.histogram(student["grade"] for student in students) if scale else None
        pages = {FEEDBACK_INDEX: class_page(students, self._pages, title, counts)}
        for page, student in zip(self._pages, students, strict=True):
            pages[page] = feedback_page(student, words)
        if self._folder.suffix.lower() == _ZIP and not self._folder.is_dir():
            with (
                whole_bytes(self._folder) as stream,
                zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
            ):
                for name, content in pages.items():
                    archive.writestr(name, content)
            return
        self._folder.mkdir(exist_ok=True)
        for name, content in pages.items():
            with whole_file(self._folder / name) as page_stream:
                page_stream.write(content)


def _ours(page: Path) -> bool:
    if not page.exists():
        return True
    with page.open(encoding="utf-8", errors="replace") as stream:
        return FEEDBACK_GENERATOR in stream.read(1000)


def student_of(name: str, text: str, pyramid: Pyramid, score: PyramidScore) -> dict[str, Any]:
    """Return a student as `feedback_page` takes it."""
    units = pyramid.to_dict()["units"]
    matches = score.to_dict()["matches"]
    return {
        **score.to_dict(),
        "name": name,
        "text": text,
        "sentences": [(sentence.start, sentence.end) for sentence in split(text)],
        "references": max(len(pyramid.references), 1),
        "units": [
            {**match, "contributors": unit["contributors"]}
            for unit, match in zip(units, matches, strict=True)
        ],
    }
