"""What `score` and `overlap` share where results go to `--output`: options, engines, the end."""

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
    str | None, typer.Option("--format", help=f"Of shards in a folder: {', '.join(FORMS)}.")
]
EngineOption = Annotated[str | None, typer.Option(help=f"{' or '.join(ENGINES)}; local.")]
WorkersOption = Annotated[int | None, typer.Option(help="Processes; as many as cores.")]
AddressOption = Annotated[
    str | None, typer.Option(help="ray: of a running cluster, or auto; a local one is made.")
]
ShardOption = Annotated[int | None, typer.Option(help="Rows of the input in a shard.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with a run that did not end.")]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace an output file that is there.")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Stop at the first row that fails.")]

Rows = Callable[[Index], Iterator[Item | Failure]]


@dataclass(frozen=True, slots=True)
class Scale:
    """How a run is done; None or False where nothing was said."""

    form: str | None = None
    engine: str | None = None
    workers: int | None = None
    shard_rows: int | None = None
    resume: bool = False
    strict: bool = False
    address: str | None = None
    overwrite: bool = False

    def check_unused(self, needed: str) -> None:
        """Complain of any that was given, where they have no meaning."""
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None and value is not False:
                name = {"form": "format"}.get(one.name, one.name).replace("_", "-")
                raise InputError(f"--{name} goes with {needed}")

    def opened(self) -> Engine:
        """The engine."""
        if self.engine not in (None, *ENGINES):
            raise unknown_name("engine", str(self.engine), ENGINES)
        if self.engine == "ray":
            from commonground.scale import Ray

            return Ray(self.workers, self.address, note)
        if self.address:
            raise InputError("--address goes with --engine ray")
        return Local(self.workers)


@dataclass(frozen=True, slots=True)
class ScaledRun:
    """A run that is about to begin; all is checked that can be without a model.

    Attributes:
        scale: How it is done.
        engine: Who does it.
        folder: Keeps what is done.
        inputs: The files whose rows are worked on.
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
        """Check the options, the output and, where it goes on, what it was begun with.

        Args:
            scale: The options.
            output: Where the results go.
            inputs: The files whose rows are worked on.
            others: Files that the results depend on too.
            usual: Rows of a shard where nobody says how many.
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
        """The folder with what it was begun with, and an index for the rows.

        It stays locked when the block ends, until the folder is released.
        """
        self.folder.begin(signature)
        try:
            with scratch_index(self.folder.scratch) as index:
                yield index
        except BaseException:
            self.folder.abandon()  # which keeps what has a shard
            raise

    def check(self, rows: Rows) -> None:
        """Where it is strict, look at every row before any work is done."""
        if not self.scale.strict:
            return
        temporary = TemporaryDirectory(prefix="commonground-")
        with temporary as folder, scratch_index(Path(folder)) as index:
            for row in rows(index):
                if isinstance(row, Failure):
                    raise InputError(f"{place(Path(row.file), row.line)}: {row.reason}")

    def go(self, what: str, rows: Iterator[Item | Failure], work: Work) -> Ended:
        """Work on all rows."""
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
        """Say what there is now, and forget the run."""
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
