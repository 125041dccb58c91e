"""The files of the pyramid commands: folders of texts, and the students of a class."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from commonground.cli.texts import note_languages, read_texts
from commonground.documents import SUFFIXES
from commonground.errors import InputError
from commonground.io import is_sheet, read_class


@dataclass(frozen=True, slots=True)
class Student:
    """A student of a class.

    Attributes:
        name: The file name without suffix, or the path if two files have the same name; or the name
            in a table.
        text: The summary.
        file: Where it comes from.
        shown: What tables show: the file name, or the name in a table.
        page: The name of the feedback page, before it is made safe and unique.
    """

    name: str
    text: str
    file: Path
    shown: str
    page: str


def read_students(files: Sequence[Path]) -> list[Student]:
    """Read a student from each file, and all those of a CSV, TSV or XLSX file."""
    alone = [file for file in files if not is_sheet(file)]
    stems = Counter(file.stem for file in alone)
    names = [file.stem if stems[file.stem] == 1 else str(file) for file in alone]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise InputError(f"{twice[0]} is given twice; name each summary once")
    texts = read_texts(alone, may_be_empty=True)
    singles = {
        file: Student(name, text, file, file.name, file.stem)
        for file, name, text in zip(alone, names, texts, strict=True)
    }
    taken = set(names)
    students: list[Student] = []
    for file in files:
        if file in singles:
            students.append(singles[file])
            continue
        found = read_class(file, taken)
        note_languages((one.name, one.text) for one in found)
        taken.update(one.name for one in found)
        students += [Student(one.name, one.text, file, one.name, one.name) for one in found]
    return students


def text_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files, with each folder replaced by the documents in it, in name order."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        inside = [
            file
            for file in sorted(path.iterdir(), key=lambda file: file.name)
            if file.suffix.lower() in SUFFIXES and file.is_file() and not file.name.startswith(".")
        ]
        if not inside:
            raise InputError(
                f"{path}: the folder has no file with text (.txt, .md, .html, .pdf, .docx)"
            )
        files += inside
    return files
