"""Resumable runs to `--output`: the engine, the run folder and the final message."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from commonground.cli.options import ENGINES, Scale
from commonground.cli.terminal import note, progress
from commonground.errors import CommongroundError, InputError, unknown_name
from commonground.io import count_rows, place
from commonground.scale import (
    Ended,
    Engine,
    Failure,
    Index,
    Item,
    Local,
    Output,
    RowWork,
    RunFolder,
    run,
    scratch_index,
)

Rows = Callable[[Index], Iterator[Item | Failure]]


def run_scaled(
    scale: Scale,
    output: Output,
    inputs: Sequence[Path],
    work: RowWork,
    rows: Rows,
    *,
    label: str,
    noun: str,
    shard_rows: int,
    others: Sequence[Path] = (),
    finish: Callable[[Index, Iterator[Any]], None] | None = None,
) -> None:
    """Process every row of the input files, and report the result.

    Everything that needs no model is checked before the models are loaded. `label` is that of the
    progress bar, `noun` says what the rows are, `shard_rows` is the default. The results also
    depend on the files `others`. `finish` is called with the index and the notes of the shards
    after the last row.
    """
    engine = _engine(scale)
    folder = RunFolder(
        output,
        [*inputs, *others],
        resume=scale.resume,
        shard_rows=scale.shard_rows,
        usual=shard_rows,
        overwrite=scale.overwrite,
    )
    if scale.strict:
        _check_rows(rows)
    with folder:
        folder.begin(work.signature())
        try:
            with scratch_index(folder.scratch) as index:
                total = sum(map(count_rows, inputs))
                with progress(label, folder.rows_done(total)) as advance:
                    ended = run(
                        rows(index),
                        work,
                        engine,
                        folder,
                        total=total,
                        strict=scale.strict,
                        advance=advance,
                    )
                if not ended.rows:
                    raise InputError(f"{', '.join(map(str, inputs))}: has no rows")
                if finish:
                    finish(index, folder.notes(ended.shards))
        except BaseException:
            folder.abandon()  # keeps the finished shards
            raise
        _report(folder, ended, f", {ended.new} of them new" if scale.resume else "", noun)


def _engine(scale: Scale) -> Engine:
    if scale.engine not in (None, *ENGINES):
        raise unknown_name("engine", str(scale.engine), ENGINES)
    if scale.engine == "ray":
        from commonground.scale import Ray

        return Ray(scale.workers, scale.address, note)
    if scale.address:
        raise InputError("--address requires --engine ray")
    return Local(scale.workers)


def _check_rows(rows: Rows) -> None:
    """Raise InputError for the first invalid row."""
    temporary = TemporaryDirectory(prefix="commonground-")
    with temporary as folder, scratch_index(Path(folder)) as index:
        for row in rows(index):
            if isinstance(row, Failure):
                raise InputError(f"{place(Path(row.file), row.line)}: {row.reason}")


def _report(folder: RunFolder, ended: Ended, new: str, noun: str) -> None:
    """Print the counts and the first failure, and remove the run folder."""
    output = folder.output
    first = next(folder.failures(ended.shards), None)
    folder.remove()
    done = ended.rows - ended.failed
    count = f"{done} of {ended.rows}" if ended.failed else f"{done}"
    note(f"{output.path}: {count} {noun}{new}")
    if first:
        report_failures(ended.failed, f"{ended.rows} {noun}", Failure(**first), output, done)


def report_failures(failed: int, of: str, first: Failure, output: Output, done: int) -> None:
    """Print how many rows failed and the first of them; raise an error if none is done."""
    line = (
        f"{failed} of {of} failed, the first at {place(Path(first.file), first.line)}: "
        f"{first.reason}; all are in {output.errors}"
    )
    if not done:
        raise CommongroundError(line)
    note(line)
