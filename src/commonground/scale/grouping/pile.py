"""Which files are a pile of articles, of all that a user names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from commonground.errors import InputError
from commonground.io import BadRow, find_files, form_of, try_rows

_TEXT = (".txt", ".md", ".html", ".htm")
_GROUP = re.compile(r"event-[0-9a-f]{12}")  # an id as `Group` makes it; `overlap` keeps it


@dataclass(frozen=True, slots=True)
class Pile:
    """The files that are read, and those in the same folders that are not.

    Attributes:
        files: Each once, by the first path that was given for it.
        others: Of kinds that are not read.
        earlier: Groups of an earlier run, or what was made of them: their texts stand elsewhere.
    """

    files: tuple[Path, ...]
    others: tuple[Path, ...]
    earlier: tuple[Path, ...]


def find_pile(names: Sequence[str]) -> Pile:
    """The files that names mean: those that are named themselves, and all articles in folders.

    Raises:
        InputError: A name that means nothing, or a folder without articles.
    """
    files: list[Path] = []
    others: list[Path] = []
    earlier: list[Path] = []
    for name in names:
        if not Path(name).is_dir():
            files += find_files([name])
            continue
        before = len(files)
        for file in _below(Path(name)):
            if not (form_of(file) or file.suffix.lower() in _TEXT):
                others.append(file)
            elif form_of(file) and _is_earlier(file):
                earlier.append(file)
            else:
                files.append(file)
        if len(files) == before:
            raise InputError(f"{name}: is a folder without articles (.txt, .md, .html, .jsonl ...)")
    return Pile(_once(files), _once(others, files), _once(earlier, files))


def _below(folder: Path) -> list[Path]:
    """The files of a folder and of all below it that are the user's own."""
    found = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return [one for one in found if not _is_hidden(one.relative_to(folder))]


def _is_hidden(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    # What runs leave beside their results.
    aside = path.name.startswith("_") or path.name.endswith(".errors.jsonl")
    return hidden or (aside and form_of(path) is not None)


def _is_earlier(path: Path) -> bool:
    try:
        first = next(try_rows(path), None)
    except InputError:
        return False  # whoever reads it will say what is wrong
    if isinstance(first, BadRow):
        return False
    # Where there was no group, there is no row.
    return first is None or bool(_GROUP.fullmatch(str(first.values.get("id"))))


def _once(files: Iterable[Path], but: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Files without those that come again, whatever they are called."""
    left_out = {file.resolve() for file in but}
    found: dict[Path, Path] = {}
    for file in files:
        found.setdefault(file.resolve(), file)
    return tuple(file for place, file in found.items() if place not in left_out)
