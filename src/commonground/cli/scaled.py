"""Resumable runs to `--output`: the options, the engine and the final message."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from commonground.cli.terminal import note, progress
from commonground.errors import CommongroundError, InputError, unknown_name
from commonground.io import FORMS, count_rows, place
from commonground.scale import (
    Ended,
    Engine,
    Failure,
    Index,
    Item,
    Local,
    Output,
    RunFolder,
    Work,
    run,
    scratch_index,
)

ENGINES = ("local", "ray")

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"Format of the shards in a folder: {', '.join(FORMS)} (default: jsonl).",
    ),
]
EngineOption = Annotated[
    str | None, typer.Option(help=f"Engine: {' or '.join(ENGINES)} (default: local).")
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Worker processes (default: number of CPUs).")
]
AddressOption = Annotated[
    str | None,
    typer.Option(help="Address of a running Ray cluster, or auto (default: start a local one)."),
]
ShardOption = Annotated[
    int | None, typer.Option(help="Input rows per shard (default: a few seconds of work).")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace an existing output file.")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop at the first row that fails.")]

Rows = Callable[[Index], Iterator[Item | Failure]]


@dataclass(frozen=True, slots=True)
class Scale:
    """The options of a run; None stands for the default."""

    form: FormatOption = None
    engine: EngineOption = None
    workers: WorkersOption = None
    shard_rows: ShardOption = None
    resume: ResumeOption = False
    strict: StrictOption = False
    address: AddressOption = None
    overwrite: OverwriteOption = False

    def check_unused(self, needed: str) -> None:
        """Raise InputError for any of these options, because `needed` is missing."""
        for field in fields(Scale):
            value = getattr(self, field.name)
            if value is not None and value is not False:
                name = "format" if field.name == "form" else field.name.replace("_", "-")
                raise InputError(f"--{name} requires {needed}")

    def opened(self) -> Engine:
        """Return the engine."""
        if self.engine not in (None, *ENGINES):
            raise unknown_name("engine", str(self.engine), ENGINES)
        if self.engine == "ray":
            from commonground.scale import Ray

            return Ray(self.workers, self.address, note)
        if self.address:
            raise InputError("--address requires --engine ray")
        return Local(self.workers)


@dataclass(frozen=True, slots=True)
class ScaledRun:
    """A run before its first row, with everything checked that needs no model.

    Attributes:
        scale: The options.
        engine: Runs the workers.
        folder: Keeps the finished shards.
        inputs: The files of rows.
    """

    scale: Scale
    engine: Engine
    folder: RunFolder
    inputs: Sequence[Path]

    @classmethod
    def of(
        cls,
        scale: Scale,
        output: Output,
        inputs: Sequence[Path],
        others: Sequence[Path],
        usual: int,
    ) -> "ScaledRun":
        """Check the options, the output and, when resuming, the earlier settings.

        Args:
            scale: The options.
            output: Where the results go.
            inputs: The files of rows.
            others: More files that the results depend on.
            usual: Default number of rows per shard.
        """
        engine = scale.opened()
        folder = RunFolder(
            output,
            [*inputs, *others],
            resume=scale.resume,
            shard_rows=scale.shard_rows,
            usual=usual,
            overwrite=scale.overwrite,
        )
        return cls(scale, engine, folder, inputs)

    @contextmanager
    def begun(self, signature: str) -> Iterator[Index]:
        """Record the settings in the run folder, and yield an index for the rows.

        The folder stays locked after the block, until it is released.
        """
        self.folder.begin(signature)
        try:
            with scratch_index(self.folder.scratch) as index:
                yield index
        except BaseException:
            self.folder.abandon()  # keeps the finished shards
            raise

    def check(self, rows: Rows) -> None:
        """With --strict, check every row before the work begins."""
        if not self.scale.strict:
            return
        temporary = TemporaryDirectory(prefix="commonground-")
        with temporary as folder, scratch_index(Path(folder)) as index:
            for row in rows(index):
                if isinstance(row, Failure):
                    raise InputError(f"{place(Path(row.file), row.line)}: {row.reason}")

    def go(self, what: str, rows: Iterator[Item | Failure], work: Work) -> Ended:
        """Process all rows."""
        total = sum(map(count_rows, self.inputs))
        with progress(what, self.folder.rows_done(total)) as advance:
            ended = run(
                rows,
                work,
                self.engine,
                self.folder,
                total=total,
                strict=self.scale.strict,
                advance=advance,
            )
        if not ended.rows:
            self.folder.abandon()
            raise InputError(f"{', '.join(map(str, self.inputs))}: has no rows")
        return ended

    def end(self, ended: Ended, what: str, more: str = "") -> None:
        """Report the result and remove the run folder."""
        output = self.folder.output
        new = f", {ended.new} of them new" if self.scale.resume else ""
        first = next(self.folder.failures(ended.shards), None)
        self.folder.remove()
        done = ended.rows - ended.failed
        count = f"{done} of {ended.rows}" if ended.failed else f"{done}"
        note(f"{output.path}: {count} {what}{new}{more}")
        if first is None:
            return
        line = (
            f"{ended.failed} of {ended.rows} {what} failed, the first at "
            f"{place(Path(first['file']), first['line'])}: {first['reason']}; "
            f"all are in {output.errors}"
        )
        if ended.failed == ended.rows:
            raise CommongroundError(line)
        note(line)
