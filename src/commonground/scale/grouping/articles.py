"""The articles of a pile: which files they are in, and what is in the files."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.documents import SUFFIXES, read_document
from commonground.errors import CommongroundError, InputError
from commonground.io import (
    BadRow,
    Row,
    count_rows,
    find_files,
    form_of,
    place,
    try_rows,
)
from commonground.scale.grouping.groups import Article, same_text
from commonground.scale.rows import parsed_rows
from commonground.scale.work import Failure, Item

_GROUP = re.compile(r"event-[0-9a-f]{12}")  # an id of a `Group`, which `overlap` keeps


@dataclass(frozen=True, slots=True)
class Pile:
    """The files that are read, and those in the same folders that are not.

    Attributes:
        files: Each once, by the first path given for it.
        others: Files of kinds that are not read.
        earlier: Groups of an earlier run, or results made from them; their texts are elsewhere.
    """

    files: tuple[Path, ...]
    others: tuple[Path, ...]
    earlier: tuple[Path, ...]


def find_pile(names: Sequence[str]) -> Pile:
    """Return the named files, and all articles in the named folders.

    Raises:
        InputError: A name matches no file, or a folder has no articles.
    """
    files: list[Path] = []
    others: list[Path] = []
    earlier: list[Path] = []
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            files += find_files([name])
            continue
        before = len(files)
        for file in sorted(folder.rglob("*")):
            if not file.is_file() or _is_hidden(file.relative_to(folder)):
                continue
            if not (form_of(file) or file.suffix.lower() in SUFFIXES):
                others.append(file)
            elif form_of(file) and _is_earlier(file):
                earlier.append(file)
            else:
                files.append(file)
        if len(files) == before:
            raise InputError(
                f"{name}: is a folder without articles (.txt, .md, .html, .pdf, .docx, .jsonl ...)"
            )
    return Pile(_unique(files), _unique(others, files), _unique(earlier, files))


def _is_hidden(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    by_a_run = path.name.startswith("_") or path.name.endswith(".errors.jsonl")
    return hidden or (by_a_run and form_of(path) is not None)


def _is_earlier(path: Path) -> bool:
    try:
        first = next(try_rows(path), None)
    except InputError:
        return False  # reported when it is read
    if isinstance(first, BadRow):
        return False
    # A run without groups writes no row.
    return first is None or bool(_GROUP.fullmatch(str(first.values.get("id"))))


def _unique(files: Iterable[Path], excluded: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Return each file once, whatever it is called, without the excluded ones."""
    unique: dict[Path, Path] = {}
    for file in files:
        unique.setdefault(file.resolve(), file)
    for file in excluded:
        unique.pop(file.resolve(), None)
    return tuple(unique.values())


def read_articles(
    files: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> Iterator[Article | Failure]:
    """Yield the articles of files, and a failure for each that is invalid.

    A text file or a page is an article, named and attributed by its path. A row is an article
    `{"id", "text"[, "source"]}`, or an event of a data set, whose narratives are the articles.

    Args:
        files: Files of rows by their names; all others are read as text.
        progress: Called with the number of rows and texts read so far, and in all.
    """
    total = sum(map(_count, files)) if progress else 0
    places: dict[str, str] = {}
    rows = (row for file in files for row in (_rows(file) if form_of(file) else [_text(file)]))
    for done, row in enumerate(rows, start=1):
        yield from (_checked(item, places) if isinstance(item, Item) else item for item in row)
        if progress:
            progress(done, total)


def without_copies(articles: Iterable[Article]) -> list[Article]:
    """Return the first of the articles that have the same text, ignoring white space."""
    unique: dict[bytes, Article] = {}
    for article in articles:
        unique.setdefault(same_text(article.text), article)
    return list(unique.values())


def _count(file: Path) -> int:
    try:
        return count_rows(file) if form_of(file) else 1
    except InputError:
        return 1  # one failure


def _checked(item: Item, places: dict[str, str]) -> Article | Failure:
    article: Article = item.content
    if not article.text.strip():
        return Failure(item.file, item.line, item.id, "has no text")
    if article.id in places:
        reason = f"duplicate id {article.id!r} (first in {places[article.id]})"
        return Failure(item.file, item.line, item.id, reason)
    places[article.id] = place(Path(item.file), item.line)
    return article


def _text(file: Path) -> list[Item | Failure]:
    name = file.as_posix()
    try:
        text = read_document(file).text
    except CommongroundError as error:
        return [Failure.of(file, 1, name, error)]
    return [Item(str(file), 1, name, Article(name, name, text))]


def _rows(file: Path) -> Iterator[Sequence[Item | Failure]]:
    line = 0

    def parse(row: Row) -> list[Item]:
        nonlocal line
        line = row.line
        return [Item(str(file), line, article.id, article) for article in _articles_of_row(row)]

    try:
        for items in parsed_rows(file, parse):
            if isinstance(items, Failure):
                line = items.line
            yield [items] if isinstance(items, Failure) else items
    except InputError as error:  # the rest of the file cannot be read
        yield [Failure.of(file, line + 1, None, error)]


def _articles_of_row(row: Row) -> Iterator[Article]:
    if "text" in row.values:
        name = row.identifier()
        yield Article(name, _source(row, row.values, name), row.text("text"))
        return
    if "narratives" not in row.values:
        raise row.missing('"text" and "narratives" are both')
    for number, narrative in enumerate(row.list_of("narratives"), start=1):
        if not isinstance(narrative, dict) or not isinstance(narrative.get("text"), str):
            raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
        source = _source(row, narrative, f"narrative {number}")
        yield Article(f"{row.identifier()}/{number}", source, narrative["text"])


def _source(row: Row, values: Mapping[str, Any], default: str) -> str:
    source = values.get("source")
    if source is None:  # tables have null for a missing value
        return default
    if not isinstance(source, str):
        raise row.wrong('"source" must be a string')
    return source
