"""Input rows as items of work; an invalid row becomes a failure."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from commonground.errors import InputError
from commonground.io import BadRow, Row, event_of, place, prediction_of, try_rows
from commonground.scale.index import Index
from commonground.scale.work import Failure, Item

T = TypeVar("T")


def prediction_rows(
    files: Sequence[Path], index: Index, references: str | None
) -> Iterator[Item | Failure]:
    """Yield predictions; an item has the system's name, the summary and the references.

    Args:
        files: The predictions.
        index: Detects repeated ids, and has the references of the data set.
        references: The data set's name, or None if each row has its own references.

    Raises:
        InputError: Some rows have a system and some have none, so that it is not clear whose
            summaries are whose.
    """

    def parse(row: Row) -> Item:
        if references is None and "references" not in row.values:
            raise row.missing('there is no --references, and "references" is')
        prediction = prediction_of(row, references=references is None)
        of_system = f" of system {prediction.system!r}" if prediction.system else ""
        key = f"{prediction.system}\0{prediction.id}"
        _check_new(row, index, key, f"id {prediction.id!r}{of_system}")
        texts: Sequence[str] | None = prediction.references
        if references is not None:
            texts = index.references(prediction.id)
            if texts is None:
                raise row.wrong(f"id {prediction.id!r} is not in {references}")
            if not texts:
                raise row.wrong(f"id {prediction.id!r} has no references in {references}")
        content = (prediction.system, prediction.summary, tuple(texts or ()))
        return Item(str(row.path), row.line, prediction.id, content)

    first: Item | None = None
    for item in (item for path in files for item in parsed_rows(path, parse)):
        if isinstance(item, Item):
            first = first or item
            if bool(item.content[0]) != bool(first.content[0]):
                has, other = ("has", "has none") if item.content[0] else ("has no", "has one")
                here, there = (place(Path(each.file), each.line) for each in (item, first))
                raise InputError(f'{here}: {has} "system", and {there} {other}')
        yield item


def event_rows(files: Sequence[Path], index: Index, narratives: int) -> Iterator[Item | Failure]:
    """Yield events with at least so many narratives; an item has the narratives."""

    def parse(row: Row) -> Item:
        event = event_of(row, narratives)
        _check_new(row, index, event.id, f"id {event.id!r}")
        return Item(str(row.path), row.line, event.id, event.narratives)

    return (item for path in files for item in parsed_rows(path, parse))


def parsed_rows(path: Path, parse: Callable[[Row], T]) -> Iterator[T | Failure]:
    """Yield what `parse` makes of each row of a file, or why it could not."""
    for row in try_rows(path):
        if isinstance(row, BadRow):
            yield Failure.of(path, row.line, None, row.error)
            continue
        try:
            yield parse(row)
        except InputError as error:
            yield Failure.of(path, row.line, row.values.get("id"), error)


def _check_new(row: Row, index: Index, key: str, what: str) -> None:
    if before := index.seen(key, row.path, row.line):
        raise row.wrong(f"{what} stands already in {before}")
