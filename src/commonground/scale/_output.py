"""Where a run's results go: one file, or a folder of shards."""

from dataclasses import dataclass
from pathlib import Path

from commonground.errors import InputError
from commonground.io import check_form, check_writable, form_of


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

    @property
    def errors(self) -> Path:
        """The file of rows that failed."""
        if self.folder:
            return self.path / "_errors.jsonl"
        return self.path.with_name(f"{Path(self.path.name.removesuffix('.gz')).stem}.errors.jsonl")

    def check(self, inputs: tuple[Path, ...]) -> None:
        """Complain of what could not be written, or would be lost by it."""
        if not self.folder:
            check_writable(self.path, *inputs)
            if self.path.exists() and not self.path.is_file():
                raise InputError(
                    f"{self.path}: is no plain file, so a run could not be gone on with"
                )
            return
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is a file, not a folder")
        if not self.path.exists():
            check_writable(self.path)
