"""The rows of the input as items of work, each checked; what is wrong with one is a failure."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from commonground.errors import InputError
from commonground.io import BadRow, Row, event_of, place, prediction_of, try_rows
from commonground.scale.index import Index
from commonground.scale.work import Failure, Item

_Check = Callable[[Row], Item]


def prediction_rows(
    files: Sequence[Path], index: Index, references: str | None
) -> Iterator[Item | Failure]:
    """Predictions; an item has the system's name, the summary and the references.

    Args:
        files: The predictions.
        index: Remembers which there were, and has the references of the data set.
        references: The data set's name, or None where each row has its own references.

    Raises:
        InputError: Some rows have a system and some have none, so that it is not clear whose
            summaries are whose.
    """

    def checked(row: Row) -> Item:
        if references is None and "references" not in row.values:
            raise row.missing('there is no --references, and "references" is')
        found = prediction_of(row, references=references is None)
        who = f" of system {found.system!r}" if found.system else ""
        _check_new(row, index, f"{found.system}\0{found.id}", f"id {found.id!r}{who}")
        texts: Sequence[str] | None = found.references
        if references is not None:
            texts = index.references(found.id)
            if texts is None:
                raise row.wrong(f"id {found.id!r} is not in {references}")
            if not texts:
                raise row.wrong(f"id {found.id!r} has no references in {references}")
        content = (found.system, found.summary, tuple(texts or ()))
        return Item(str(row.path), row.line, found.id, content)

    return _alike(_each(files, checked))


def event_rows(files: Sequence[Path], index: Index, narratives: int) -> Iterator[Item | Failure]:
    """Events with at least so many narratives, which are what an item has."""

    def checked(row: Row) -> Item:
        event = event_of(row, narratives)
        _check_new(row, index, event.id, f"id {event.id!r}")
        return Item(str(row.path), row.line, event.id, event.narratives)

    return _each(files, checked)


def _each(files: Sequence[Path], checked: _Check) -> Iterator[Item | Failure]:
    for path in files:
        for row in try_rows(path):
            if isinstance(row, BadRow):
                yield _failure(row.path, row.line, None, row.error)
                continue
            try:
                yield checked(row)
            except InputError as error:
                given = row.values.get("id")
                name = str(given) if isinstance(given, str | int) else None
                yield _failure(row.path, row.line, name, error)


def _alike(rows: Iterator[Item | Failure]) -> Iterator[Item | Failure]:
    """The rows, as long as all have a system, or none has."""
    first: Item | None = None
    for row in rows:
        if isinstance(row, Item):
            first = first or row
            if bool(row.content[0]) != bool(first.content[0]):
                has, other = ("has", "has none") if row.content[0] else ("has no", "has one")
                here, there = (place(Path(one.file), one.line) for one in (row, first))
                raise InputError(f'{here}: {has} "system", and {there} {other}')
        yield row


def _check_new(row: Row, index: Index, key: str, what: str) -> None:
    before = index.seen(key, row.path, row.line)
    if before:
        raise row.wrong(f"{what} stands already in {before}")


def _failure(path: Path, line: int, name: str | None, error: InputError) -> Failure:
    reason = str(error).removeprefix(f"{place(path, line)}: ")
    return Failure(str(path), line, name, " ".join(reason.split()))
