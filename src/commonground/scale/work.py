"""A run: rows are read in order, processed by an engine and written shard by shard."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from commonground.errors import CommongroundError, InputError, MissingExtraError, ModelError
from commonground.io import encoded, place
from commonground.plain import Plain

if TYPE_CHECKING:
    from commonground.scale.run_folder import RunFolder

_FATAL = (ModelError, MissingExtraError)  # not a row's fault: all the others would fail too


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the input, and where it stands.

    `content` is what the work takes: plain values that can be sent to other processes.
    """

    file: str
    line: int
    id: str
    content: Any


@dataclass(frozen=True, slots=True)
class Failure(Plain):
    """A row without a result, and why."""

    file: str
    line: int
    id: str | None
    reason: str

    @classmethod
    def of(cls, file: Path, line: int, identifier: object, error: Exception) -> "Failure":
        """Return the failure of a row; the reason does not repeat where it stands."""
        name = str(identifier) if isinstance(identifier, str | int) else None
        reason = str(error).removeprefix(f"{place(file, line)}: ").removeprefix(f"{file}: ")
        return cls(str(file), line, name, " ".join(reason.split()))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rows of one shard."""

    number: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a chunk.

    Attributes:
        rows: The results as the bytes of a whole file, in the order of the items.
        failures: The items without a result.
        notes: JSON for the end of the run, if it needs to know anything of the results.
    """

    rows: bytes
    failures: tuple[Failure, ...] = ()
    notes: bytes = b""


Outcomes: TypeAlias = Generator[tuple[int, Outcome], None, None]


class Work(Protocol):
    """What is done to a chunk. It is pickled, and loads its models in each process."""

    def warm(self) -> None:
        """Load the models; an error here ends the run."""
        ...

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """Return the shard of these items, which must be the same in every process."""
        ...

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """Return the shard of items that all failed."""
        ...


class Engine(Protocol):
    """Runs the work on chunks, here or on other machines."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """Yield the number and the outcome of every chunk, in any order.

        Chunks are taken as they are needed, a bounded number at a time, since all of them may
        not fit into memory. An engine that loses a chunk repeatedly yields `work.lost` for it.
        Closing the generator ends all processes.
        """
        ...


class RowWork(ABC):
    """Work that makes a row of each item; an item that fails costs only itself.

    Args:
        form: The format of the results, one of `commonground.io.FORMS`.
    """

    def __init__(self, form: str) -> None:
        self.form = form

    def __getstate__(self) -> dict[str, Any]:
        # Each process loads its own models.
        return {name: value for name, value in vars(self).items() if name != "models"}

    @cached_property
    def models(self) -> Any:
        """The models, loaded when first needed."""
        return None

    def warm(self) -> None:
        """Load the models."""
        _ = self.models

    @abstractmethod
    def signature(self) -> str:
        """Return all that the results depend on besides the rows."""

    @abstractmethod
    def results(self, items: Sequence[Item]) -> Sequence[Mapping[str, Any]]:
        """Return a row for each item in order; raise if any of them fails."""

    def notes(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        """Return what the end of the run needs to know of these rows, as JSON."""
        return b""

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """Process all items at once; if that fails, one by one."""
        rows: list[Mapping[str, Any]] = []
        failures: list[Failure] = []
        try:
            rows.extend(self.results(items) if items else ())
        except _FATAL:
            raise
        except Exception:
            for item in items:
                try:
                    rows.extend(self.results([item]))
                except _FATAL:
                    raise
                except Exception as error:
                    failures.append(Failure(item.file, item.line, item.id, _reason(error)))
        return Outcome(encoded(rows, self.form), tuple(failures), self.notes(rows))

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """Return the shard of items that all failed."""
        failures = tuple(Failure(item.file, item.line, item.id, reason) for item in items)
        return Outcome(encoded([], self.form), failures, self.notes([]))


def _reason(error: Exception) -> str:
    prefix = "" if isinstance(error, CommongroundError) else f"unexpected {type(error).__name__}: "
    return " ".join(f"{prefix}{error}".split())


class InterruptedRunError(CommongroundError):
    """The user pressed Ctrl-C; finished shards are kept."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class Ended:
    """The counts of a finished run.

    Attributes:
        rows: Rows of the input.
        new: Rows that this run processed; fewer than `rows` if it was resumed.
        failed: Rows without a result.
        shards: Number of shards.
    """

    rows: int
    new: int
    failed: int
    shards: int


def run(
    rows: Iterable[Item | Failure],
    work: Work,
    engine: Engine,
    folder: "RunFolder",
    *,
    total: int,
    strict: bool = False,
    advance: Callable[[int, int], None] | None = None,
) -> Ended:
    """Process all rows that no shard has yet, and write the results.

    `rows` are the same at each start, in order; those of finished shards are skipped. With
    `strict` the first row that fails ends the run. `advance` is called with the number of rows
    done so far and in all.

    Raises:
        InterruptedRunError: After Ctrl-C.
        CommongroundError: The run cannot continue; the message says what is kept.
    """
    reading = _Reading(rows, folder)
    done = folder.rows_done(total)
    try:
        with closing(engine.run(work, reading.chunks())) as outcomes:
            for number, outcome in outcomes:
                failures, read = reading.waiting.pop(number)
                failures = sorted([*failures, *outcome.failures], key=lambda f: (f.file, f.line))
                if strict and failures:
                    first = failures[0]
                    raise InputError(f"{place(Path(first.file), first.line)}: {first.reason}")
                folder.write(number, outcome, failures)
                done += read
                if advance:
                    advance(done, total)
        if reading.rows:
            folder.finish(reading.shards)
    except KeyboardInterrupt:
        raise InterruptedRunError(f"interrupted; {_kept(folder, total)}") from None
    except sqlite3.OperationalError as error:  # of the index, mostly a full disk
        message = f"{folder.scratch}: not written ({error})"
        raise CommongroundError(f"{message}; {_kept(folder, total)}") from None
    except CommongroundError as error:
        error.args = (f"{error}; {_kept(folder, total)}",)
        raise
    failed = sum(1 for _ in folder.failures(reading.shards))
    return Ended(reading.rows, reading.new, failed, reading.shards)


class _Reading:
    """The rows as chunks; invalid rows wait for the shard that they belong to."""

    def __init__(self, rows: Iterable[Item | Failure], folder: "RunFolder") -> None:
        self._source = iter(rows)
        self._folder = folder
        self.rows = self.new = self.shards = 0
        self.waiting: dict[int, tuple[list[Failure], int]] = {}

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks of unfinished shards."""
        while rows := list(islice(self._source, self._folder.shard_rows)):
            number = self.shards
            self.shards += 1
            self.rows += len(rows)
            if self._folder.done(number):
                continue
            self.new += len(rows)
            failures = [row for row in rows if isinstance(row, Failure)]
            self.waiting[number] = failures, len(rows)
            yield Chunk(number, tuple(row for row in rows if isinstance(row, Item)))


def _kept(folder: "RunFolder", total: int) -> str:
    done = folder.rows_done(total)
    if not done:
        folder.abandon()
        return f"none of {total} rows is done"
    return f"{done} of {total} rows are done, in {folder.path.name}; continue with --resume"
