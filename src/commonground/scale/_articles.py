"""Piles of articles: text files, folders of them, and files of rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from commonground.errors import InputError
from commonground.io import Row, find_files, form_of, read_rows, read_text
from commonground.scale.group import Article

_TEXT = (".txt", ".md")


def read_articles(names: Sequence[str | Path]) -> Iterator[Article]:
    """The articles that names mean: text files, folders, globs, files of rows.

    A text file is an article, named and attributed by its path (below the folder that was
    given). A row is an article `{"id", "text"[, "source"]}`, or an event of a data set, whose
    narratives are the articles.

    Raises:
        InputError: A name that means nothing, a row that is neither, an id that comes twice.
    """
    places: dict[str, str] = {}
    for name in names:
        for article, place in _meant(Path(name)):
            if article.id in places:
                raise InputError(f"{place}: id {article.id!r} is also that of {places[article.id]}")
            places[article.id] = place
            yield article


def _meant(path: Path) -> Iterator[tuple[Article, str]]:
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if _is_article(one) or _has_rows(one))
        if not files:
            raise InputError(f"{path}: is a folder without articles (.txt, .md, .jsonl ...)")
    else:
        files = list(find_files([path]))
    for file in files:
        if _has_rows(file):
            for row in read_rows(file):
                yield from ((article, row.place) for article in _of_row(row))
        else:
            shown = file.relative_to(path).as_posix() if path.is_dir() else file.name
            yield Article(shown, shown, read_text(file)), str(file)


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
