"""The articles of a pile: text files, pages, and rows of files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.errors import InputError
from commonground.io import (
    BadRow,
    Row,
    count_rows,
    form_of,
    place,
    read_lines,
    try_rows,
    visible_text,
)
from commonground.scale.grouping.groups import Article, same_text
from commonground.scale.work import Failure, Item

_PAGES = (".html", ".htm")


def read_articles(
    files: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> Iterator[Article | Failure]:
    """The articles of files, and what is wrong in the place of those that are none.

    A text file or a page is an article, named and attributed by its path. A row is an article
    `{"id", "text"[, "source"]}`, or an event of a data set, whose narratives are the articles.

    Args:
        files: Of any kind; what a name does not tell is read as text.
        progress: Called with the number of rows and texts that are read, and of all.
    """
    total = sum(map(_count, files)) if progress else 0
    places: dict[str, str] = {}
    rows = (row for file in files for row in (_rows(file) if form_of(file) else [_text(file)]))
    for done, row in enumerate(rows, start=1):
        yield from (_checked(one, places) if isinstance(one, Item) else one for one in row)
        if progress:
            progress(done, total)


def without_copies(articles: Iterable[Article]) -> list[Article]:
    """The first of those that have the same text, blanks aside."""
    found: dict[bytes, Article] = {}
    for article in articles:
        found.setdefault(same_text(article.text), article)
    return list(found.values())


def _count(file: Path) -> int:
    try:
        return count_rows(file) if form_of(file) else 1
    except InputError:
        return 1  # which will fail


def _checked(item: Item, places: dict[str, str]) -> Article | Failure:
    article: Article = item.content
    here = place(Path(item.file), item.line)
    if not article.text.strip():
        return Failure(item.file, item.line, item.id, "has no text in it")
    if article.id in places:
        reason = f"id {article.id!r} stands already in {places[article.id]}"
        return Failure(item.file, item.line, item.id, reason)
    places[article.id] = here
    return article


def _text(file: Path) -> list[Item | Failure]:
    name = file.as_posix()
    lines: list[str] = []
    try:
        for _, line in read_lines(file):
            lines.append(line)
    except InputError as error:
        return [_failure(file, len(lines) + 1, name, error)]
    text = "\n".join(lines)
    if file.name.lower().removesuffix(".gz").endswith(_PAGES):
        text = visible_text(text)
    return [Item(str(file), 1, name, Article(name, name, text))]


def _rows(file: Path) -> Iterator[list[Item | Failure]]:
    line = 0
    try:
        for row in try_rows(file):
            line = row.line
            if isinstance(row, BadRow):
                yield [_failure(file, line, None, row.error)]
            else:
                yield _of_row(row)
    except InputError as error:  # nothing more of it can be read
        yield [_failure(file, line + 1, None, error)]


def _of_row(row: Row) -> list[Item | Failure]:
    try:
        return [Item(str(row.path), row.line, one.id, one) for one in _told(row)]
    except InputError as error:
        given = row.values.get("id")
        name = str(given) if isinstance(given, str | int) else None
        return [_failure(row.path, row.line, name, error)]


def _told(row: Row) -> Iterator[Article]:
    if "text" in row.values:
        name = row.identifier()
        yield Article(name, _source(row, row.values, name), row.text("text"))
        return
    if "narratives" not in row.values:
        raise row.missing('"text" and "narratives" are both')
    for number, one in enumerate(row.list_of("narratives"), start=1):
        if not isinstance(one, dict) or not isinstance(one.get("text"), str):
            raise row.wrong(f'"narratives": number {number} must be an object with a "text"')
        source = _source(row, one, f"narrative {number}")
        yield Article(f"{row.identifier()}/{number}", source, one["text"])


def _source(row: Row, values: Mapping[str, Any], otherwise: str) -> str:
    source = values.get("source")
    if source is None:  # as tables say that there is none
        return otherwise
    if not isinstance(source, str):
        raise row.wrong('"source" must be a string')
    return source


def _failure(file: Path, line: int, name: str | None, error: InputError) -> Failure:
    reason = str(error).removeprefix(f"{place(file, line)}: ").removeprefix(f"{file}: ")
    return Failure(str(file), line, name, " ".join(reason.split()))
