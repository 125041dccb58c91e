"""The files of the pyramid commands: folders of texts."""

from collections.abc import Sequence
from pathlib import Path

from commonground.documents import SUFFIXES
from commonground.errors import InputError


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
