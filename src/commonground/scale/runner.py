"""A run: rows read in order, worked on wherever there are hands, written shard by shard."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from commonground.errors import CommongroundError, InputError
from commonground.io import place
from commonground.scale.run_folder import RunFolder
from commonground.scale.work import Chunk, Engine, Failure, Item, Work

_EXIT_AFTER_INTERRUPT = 130


class InterruptedRunError(CommongroundError):
    """Whoever runs the command has had enough; what is done is kept."""

    exit_code = _EXIT_AFTER_INTERRUPT


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that has come to its end.

    Attributes:
        rows: Of the input.
        new: Those that this run worked on, where it went on with another.
        failed: Those that have no result.
        shards: How many there are.
    """

    rows: int
    new: int
    failed: int
    shards: int


def run(
    rows: Iterable[Item | Failure],
    work: Work,
    engine: Engine,
    folder: RunFolder,
    *,
    total: int,
    strict: bool = False,
    advance: Callable[[int, int], None] | None = None,
) -> Ended:
    """Do the work on all rows that no shard has yet, and put the results where they belong.

    Args:
        rows: Of the input, in its order, the same at each start; those of shards that are there
            are read too, and passed over.
        work: What is done to them.
        engine: Who does it.
        folder: Begun, for what is done.
        total: How many rows there are, for whoever looks on.
        strict: Whether the first row that fails ends the run.
        advance: Called with the number of rows done so far and of all.

    Raises:
        InterruptedRunError: After Ctrl-C.
        CommongroundError: If the run cannot go on; the message says what is kept.
    """
    reading = _Reading(rows, folder)
    done = folder.rows_done(total)
    try:
        with closing(engine.run(work, reading.chunks())) as outcomes:
            for number, outcome in outcomes:
                found, read = reading.waiting.pop(number)
                failures = sorted([*found, *outcome.failures], key=lambda one: (one.file, one.line))
                if strict and failures:
                    raise _stopped(failures[0])
                folder.write(number, outcome, failures)
                done += read
                if advance:
                    advance(done, total)
        if reading.rows:
            folder.finish(reading.shards)
    except KeyboardInterrupt:
        raise InterruptedRunError(f"interrupted; {_kept(folder, total)}") from None
    except sqlite3.OperationalError as error:  # of the index, above all for a full disk
        what = f"{folder.scratch}: not written ({error})"
        raise CommongroundError(f"{what}; {_kept(folder, total)}") from None
    except CommongroundError as error:
        error.args = (f"{error}; {_kept(folder, total)}",)
        raise
    failed = sum(1 for _ in folder.failures(reading.shards))
    return Ended(reading.rows, reading.new, failed, reading.shards)


class _Reading:
    """The rows as chunks; rows that failed as they were read wait for the shard they belong to."""

    def __init__(self, rows: Iterable[Item | Failure], folder: RunFolder) -> None:
        self._source = iter(rows)
        self._folder = folder
        self.rows = self.new = self.shards = 0
        self.waiting: dict[int, tuple[list[Failure], int]] = {}

    def chunks(self) -> Iterator[Chunk]:
        """The chunks that are not done."""
        while some := list(islice(self._source, self._folder.shard_rows)):
            number = self.shards
            self.shards += 1
            self.rows += len(some)
            if self._folder.done(number):
                continue
            self.new += len(some)
            failures = [row for row in some if isinstance(row, Failure)]
            self.waiting[number] = failures, len(some)
            yield Chunk(number, tuple(row for row in some if isinstance(row, Item)))


def _stopped(failure: Failure) -> InputError:
    return InputError(f"{place(Path(failure.file), failure.line)}: {failure.reason}")


def _kept(folder: RunFolder, total: int) -> str:
    done = folder.rows_done(total)
    if not done:
        folder.abandon()
        return f"none of {total} rows is done"
    return f"{done} of {total} rows are done and kept in {folder.path.name}, go on with --resume"
