"""Piles of articles: text files, folders of them, and files of rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from commonground.errors import InputError
from commonground.io import (
    BadRow,
    Row,
    check_writable,
    find_files,
    form_of,
    read_rows,
    read_text,
    try_rows,
)
from commonground.scale.group import Article

_TEXT = (".txt", ".md")


def read_articles(names: Sequence[str | Path], output: Path | None = None) -> Iterator[Article]:
    """The articles that names mean: text files, folders, globs, files of rows.

    A text file is an article, named and attributed by its path (below the folder that was
    given). A row is an article `{"id", "text"[, "source"]}`, or an event of a data set, whose
    narratives are the articles.

    Args:
        names: What a user gives.
        output: Where the groups will go. Those of an earlier run, in a folder that is given, are
            no part of the pile; no other file that is read may be replaced.

    Raises:
        InputError: A name that means nothing, a row that is neither, an id that comes twice, an
            output that is one of the files.
    """
    files = [pair for name in names for pair in _meant(Path(name), output)]
    if output:
        check_writable(output, *(file for file, _ in files))
    places: dict[str, str] = {}
    for article, place in (one for file, shown in files for one in _articles(file, shown)):
        if article.id in places:
            raise InputError(f"{place}: id {article.id!r} is also that of {places[article.id]}")
        places[article.id] = place
        yield article


def _meant(path: Path, output: Path | None) -> Iterator[tuple[Path, str]]:
    """The files that a name means, and how each is called as an article."""
    if not path.is_dir():
        yield from ((file, file.name) for file in find_files([path]))
        return
    files = sorted(one for one in path.rglob("*") if _is_article(one) or _has_rows(one))
    files = [file for file in files if not (output and _earlier_groups(file, output))]
    if not files:
        raise InputError(f"{path}: is a folder without articles (.txt, .md, .jsonl ...)")
    yield from ((file, file.relative_to(path).as_posix()) for file in files)


def _articles(file: Path, shown: str) -> Iterator[tuple[Article, str]]:
    if not _has_rows(file):
        yield Article(shown, shown, read_text(file)), str(file)
        return
    for row in read_rows(file):
        yield from ((article, row.place) for article in _of_row(row))


def _earlier_groups(file: Path, output: Path) -> bool:
    """Whether the file is the output, and has what `Group.to_dict` gives or nothing."""
    if not (output.exists() and file.samefile(output)):
        return False
    first = next(try_rows(file), None)
    if first is None or isinstance(first, BadRow):
        return first is None
    told = first.values.get("narratives")
    return isinstance(told, list) and all(isinstance(one, dict) and "id" in one for one in told)


def _is_article(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _TEXT and not path.name.startswith(".")


def _has_rows(path: Path) -> bool:
    return path.is_file() and form_of(path) is not None and not path.name.startswith((".", "_"))


def _of_row(row: Row) -> Iterator[Article]:
    if "text" in row.values:
        source = row.text("source") if "source" in row.values else row.identifier()
        yield Article(row.identifier(), source, row.text("text"))
        return
    if "narratives" not in row.values:
        raise row.missing('"text" and "narratives" are both')
    for number, one in enumerate(row.list_of("narratives"), start=1):
        if not isinstance(one, dict) or not isinstance(one.get("text"), str):
            raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
        source = str(one.get("source", f"narrative {number}"))
        yield Article(f"{row.identifier()}/{number}", source, one["text"])
