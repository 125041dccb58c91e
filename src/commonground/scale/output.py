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
        path: Path of the file or the folder.
        form: The format, one of `commonground.io.FORMS`.
        folder: Whether it is a folder.
    """

    path: Path
    form: str
    folder: bool

    @classmethod
    def of(cls, name: str, form: str | None = None) -> "Output":
        """Return the output that a user names.

        Args:
            name: A file's name with a known suffix, or a folder; a final slash means a folder.
            form: Format of a folder's shards (default: JSONL).
        """
        if not name:
            raise InputError("--output needs the name of a file or a folder")
        path = Path(name)
        is_folder = name.endswith(("/", "\\")) or path.is_dir()
        known = None if is_folder else form_of(path)
        if known is None and path.suffix and not is_folder:
            raise InputError(
                f"--output {name}: a file name must end in .jsonl, .jsonl.gz, .parquet or .arrow, "
                "a folder name in a slash"
            )
        if known and form and form != known:
            raise InputError(f"--output {name}: its name says {known}, but --format is {form}")
        chosen = known or form or "jsonl"
        check_form(chosen)
        return cls(path, chosen, folder=known is None)

    @property
    def shards(self) -> Path:
        """The folder of the shards; that of a file is removed when the run ends."""
        return self.path if self.folder else self.path.with_name(f"{self.path.name}.run")

    def part(self, number: int) -> Path:
        """Return the path of a shard."""
        return self.shards / f"part-{number:05}.{self.form}"

    @property
    def errors(self) -> Path:
        """The file of rows that failed."""
        if self.folder:
            return self.path / "_errors.jsonl"
        return self.path.with_name(f"{self.path.name}.errors.jsonl")

    def check_apart(self, names: Sequence[str]) -> None:
        """Raise InputError if the next run would read the results by these input names."""
        results = [self.part(0)] if self.folder else [self.path, self.part(0)]
        for name in names:
            if any(would_read(name, path) for path in results):
                what = "go into" if Path(name).is_dir() else "be among"
                raise InputError(
                    f"{self.path}: results cannot {what} {name}, which is an input; "
                    "write to another folder"
                )

    def check(self, inputs: tuple[Path, ...]) -> None:
        """Raise InputError if the output cannot be written, or would replace other files."""
        if self.folder:
            if self.path.exists() and not self.path.is_dir():
                raise InputError(f"{self.path}: is a file, not a folder")
            check_writable(self.errors if self.path.exists() else self.path, *inputs)
            return
        check_writable(self.path, *inputs)
        if self.path.exists() and not self.path.is_file():
            raise InputError(f"{self.path}: is not a regular file, so the run could not be resumed")
        check_writable(self.errors, *inputs)
        if self.errors.exists() and not _has_failures(self.errors):
            raise InputError(
                f"{self.errors}: is needed for failed rows, but has other content; move it, or "
                "write to another file"
            )

    def check_new(self, *, resume: bool) -> None:
        """Raise InputError if the output exists; `resume` adds that there is no run to resume."""
        ended = ", and there is no run to resume" if resume else ""
        for path in () if self.folder else (self.path, self.errors):
            if path.exists() and path.stat().st_size:
                raise InputError(
                    f"{path}: already exists{ended}; --overwrite replaces it, or write to another "
                    "file"
                )


def _has_failures(path: Path) -> bool:
    """Return whether a run has written the file: it is empty, or its first row is a `Failure`."""
    first = next(try_rows(path), None)
    return first is None or (
        isinstance(first, Row) and list(first.values) == ["file", "line", "id", "reason"]
    )
