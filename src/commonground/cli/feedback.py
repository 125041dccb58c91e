"""Summaries in folders, and the folder of feedback pages for a class."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import check_writable, whole_file
from commonground.pyramid import Pyramid, PyramidScore
from commonground.report import (
    FEEDBACK_GENERATOR,
    FEEDBACK_INDEX,
    class_page,
    feedback_page,
    page_names,
)
from commonground.text import split

_SUFFIXES: Final = (".txt", ".md")


def text_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files, with each folder replaced by its .txt and .md files in name order."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = [
            file
            for file in sorted(path.iterdir(), key=lambda file: file.name)
            if file.suffix.lower() in _SUFFIXES and file.is_file() and not file.name.startswith(".")
        ]
        if not inside:
            raise InputError(f"{path}: the folder has no {' or '.join(_SUFFIXES)} file")
        files += inside
    return files


class Feedback:
    """A folder of feedback pages, checked before the scoring and written after it.

    Args:
        folder: Folder for the pages, created if missing. Pages of an earlier run are replaced;
            any other file with such a name is an error.
        files: The students' summaries.
        inputs: Other files that must not be overwritten.
    """

    def __init__(self, folder: Path, files: Sequence[Path], *inputs: Path) -> None:
        self._folder = folder
        self._files = list(files)
        self._pages = page_names([file.stem for file in files])
        if not folder.is_dir():
            check_writable(folder)
            if folder.exists():
                raise InputError(f"{folder} is a file; give a folder")
            return
        for name in (FEEDBACK_INDEX, *self._pages):
            check_writable(folder / name, *files, *inputs)
            if not _ours(folder / name):
                raise InputError(f"{folder / name} is not a feedback page; choose another folder")

    def write(
        self, pyramid: Pyramid, texts: Sequence[str], scores: Sequence[PyramidScore], title: str
    ) -> None:
        """Write a page for each student and one for the class."""
        names = _names(self._files)
        students = [
            _student(name, text, pyramid, score)
            for name, text, score in zip(names, texts, scores, strict=True)
        ]
        self._folder.mkdir(exist_ok=True)
        for page, student in zip(self._pages, students, strict=True):
            self._put(page, feedback_page(student))
        self._put(FEEDBACK_INDEX, class_page(students, self._pages, title))

    def _put(self, name: str, content: str) -> None:
        with whole_file(self._folder / name) as stream:
            stream.write(content)


def _names(files: Sequence[Path]) -> list[str]:
    """Return the students' names: file names without suffix, or paths if these repeat."""
    counts = Counter(file.stem for file in files)
    return [file.stem if counts[file.stem] == 1 else str(file) for file in files]


def _ours(page: Path) -> bool:
    if not page.exists():
        return True
    with page.open(encoding="utf-8", errors="replace") as stream:
        return FEEDBACK_GENERATOR in stream.read(1000)


def _student(name: str, text: str, pyramid: Pyramid, score: PyramidScore) -> dict[str, Any]:
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
