"""Where a run's results go: one file, or a folder of shards."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from commonground.errors import InputError
from commonground.io import Row, check_form, check_writable, form_of, try_rows, would_read


@dataclass(frozen=True, slots=True)
class Output:
    """A file, or a folder of shards.

    Attributes:
        path: Of the file or the folder.
        form: One of `commonground.io.FORMS`.
        folder: Whether it is a folder.
    """

    path: Path
    form: str
    folder: bool

    @classmethod
    def of(cls, name: str, form: str | None = None) -> "Output":
        """What a user means: a name that ends as a file's does, or a folder.

        Args:
            name: As given; what ends in a slash is a folder whatever its name.
            form: Of a folder's shards; JSONL, where nothing is said.
        """
        if not name:
            raise InputError("--output needs the name of a file or a folder")
        path = Path(name)
        known = None if name.endswith(("/", "\\")) or path.is_dir() else form_of(path)
        if known is None and path.suffix and not name.endswith(("/", "\\")) and not path.is_dir():
            raise InputError(
                f"--output {name}: give a file a name that ends in .jsonl, .jsonl.gz, .parquet or "
                ".arrow, and a folder one that ends in a slash"
            )
        if known and form and form != known:
            raise InputError(f"--output {name}: its name says {known}, --format {form}")
        chosen = known or form or "jsonl"
        check_form(chosen)
        return cls(path, chosen, folder=known is None)

    @property
    def shards(self) -> Path:
        """The folder where shards stand, for a file until all are there."""
        return self.path if self.folder else self.path.with_name(f"{self.path.name}.run")

    def part(self, number: int) -> Path:
        """The shard of such a number."""
        return self.shards / f"part-{number:05}.{self.form}"

    @property
    def errors(self) -> Path:
        """The file of rows that failed."""
        if self.folder:
            return self.path / "_errors.jsonl"
        return self.path.with_name(f"{self.path.name}.errors.jsonl")

    def check_apart(self, names: Sequence[str]) -> None:
        """Complain of results that a folder or a glob stands for: the next run would read them.

        Args:
            names: Of all that is read, as they were given.
        """
        results = [self.part(0)] if self.folder else [self.path, self.part(0)]
        for name in names:
            if any(would_read(name, path) for path in results):
                what = "go into" if Path(name).is_dir() else "be among"
                raise InputError(
                    f"{self.path}: results cannot {what} {name}, which is read; "
                    "write to another folder"
                )

    def check(self, inputs: tuple[Path, ...]) -> None:
        """Complain of what could not be written, or would be lost by it."""
        if not self.folder:
            check_writable(self.path, *inputs)
            if self.path.exists() and not self.path.is_file():
                raise InputError(
                    f"{self.path}: is no plain file, so a run could not be gone on with"
                )
            check_writable(self.errors, *inputs)
            if self.errors.exists() and not _has_failures(self.errors):
                raise InputError(
                    f"{self.errors}: would be replaced by the rows that fail; write to another "
                    "file, or move it"
                )
            return
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is a file, not a folder")
        check_writable(self.errors if self.path.exists() else self.path, *inputs)

    def check_new(self, *, resume: bool) -> None:
        """Complain of files that are there already, and would be replaced.

        Args:
            resume: Whether a run was to be gone on with, of which nothing is there.
        """
        ended = ", and no run is left to go on with" if resume else ""
        for path in () if self.folder else (self.path, self.errors):
            if path.exists() and path.stat().st_size:
                raise InputError(
                    f"{path}: is there already{ended}; --overwrite replaces it, or write to "
                    "another file"
                )


def _has_failures(path: Path) -> bool:
    """Whether a run has written the file: its first row is a `Failure`, or there is none."""
    first = next(try_rows(path), None)
    return first is None or (
        isinstance(first, Row) and list(first.values) == ["file", "line", "id", "reason"]
    )
