"""A run: rows are read in order, processed by an engine and written shard by shard."""

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
    folder: RunFolder,
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

    def __init__(self, rows: Iterable[Item | Failure], folder: RunFolder) -> None:
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


def _kept(folder: RunFolder, total: int) -> str:
    done = folder.rows_done(total)
    if not done:
        folder.abandon()
        return f"none of {total} rows is done"
    return f"{done} of {total} rows are done, in {folder.path.name}; continue with --resume"
