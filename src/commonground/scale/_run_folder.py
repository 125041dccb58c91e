"""The folder of a run: its shards, and a record of what they were made of.

    FOLDER/part-00000.jsonl         the results of the first rows; it is there when it is whole
    FOLDER/_run/run.json            settings, inputs, rows of a shard
    FOLDER/_run/00000.errors.jsonl  rows of that shard that failed
    FOLDER/_run/00000.notes.json    what the end of the run needs to know of its results

Other programs that read a folder of tables pass over names that begin with `_`.
"""

import contextlib
import json
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.errors import CommongroundError, InputError
from commonground.io import join, json_line, whole_bytes
from commonground.scale._output import Output
from commonground.scale._work import Failure, Outcome

_RECORD = "_run"


class RunFolder:
    """The shards of a run that is begun, or gone on with.

    Args:
        output: Where the results go in the end.
        inputs: The files that are read, which must not change while the run lasts.
        resume: Whether to go on with a run that did not end.
        shard_rows: Rows of the input in a shard; None for those of the run that is gone on with,
            else `usual`.
        usual: Rows of a shard where nobody says how many.
    """

    def __init__(
        self,
        output: Output,
        inputs: Sequence[Path],
        *,
        resume: bool,
        shard_rows: int | None,
        usual: int,
    ) -> None:
        output.check(tuple(inputs))
        if shard_rows is not None and shard_rows < 1:
            raise InputError(f"--shard-rows must be 1 or more, not {shard_rows}")
        self.output = output
        self.path = output.shards
        self._record = self.path / _RECORD
        self._inputs = [_described(path) for path in inputs]
        self._begun = self._read_record()
        if not resume and not self._parts():  # killed before anything was done
            self._begun = None
        if self._begun is None:
            self.shard_rows = shard_rows or usual
        else:
            if not resume:
                raise InputError(
                    f"{self.path}: is left from another run; go on with it by --resume, "
                    "or delete it"
                )
            self._check_inputs(self._begun)
            self.shard_rows = int(self._begun["shard_rows"])
            if shard_rows not in (None, self.shard_rows):
                raise self._other(f"--shard-rows {self.shard_rows}, now {shard_rows}")

    def begin(self, signature: str) -> None:
        """Make the folder, or check that the run was begun with the same settings.

        Args:
            signature: All that the results depend on, in the manner of a score's.
        """
        if self._begun is not None:
            if (theirs := str(self._begun["signature"])) != signature:
                raise self._other(difference(theirs, signature))
            if self._begun["form"] != self.output.form:
                raise self._other(f"format {self._begun['form']}, now {self.output.form}")
            return
        self._record.mkdir(parents=True, exist_ok=True)
        record = {
            "signature": signature,
            "form": self.output.form,
            "shard_rows": self.shard_rows,
            "inputs": self._inputs,
        }
        self._write("run.json", json.dumps(record, indent=2).encode())

    @property
    def scratch(self) -> Path:
        """Where a run may keep what only it needs."""
        return self._record

    def done(self, number: int) -> bool:
        """Whether a shard is there."""
        return self.part(number).exists()

    def part(self, number: int) -> Path:
        """The file of a shard."""
        return self.path / f"part-{number:05}.{self.output.form}"

    def rows_done(self, total: int) -> int:
        """How many of so many rows of the input are done."""
        return min(total, self._parts() * self.shard_rows)

    def write(self, number: int, outcome: Outcome, failures: Sequence[Failure]) -> None:
        """Add a shard. It counts from the moment its own file has its name, which comes last."""
        lines = "".join(json_line(one.to_dict()) for one in failures)
        self._write(f"{number:05}.errors.jsonl", lines.encode("utf-8", "backslashreplace"))
        self._write(f"{number:05}.notes.json", outcome.notes)
        with whole_bytes(self.part(number)) as out:
            out.write(outcome.rows)

    def failures(self, shards: int) -> Iterator[Mapping[str, Any]]:
        """The rows that failed, in the order of the input."""
        for number in range(shards):
            path = self._record / f"{number:05}.errors.jsonl"
            if path.exists():
                with path.open("rb") as lines:  # as text it would have more ends of lines
                    yield from map(json.loads, lines)

    def notes(self, shards: int) -> Iterator[Any]:
        """What was noted of each shard, in their order."""
        for number in range(shards):
            path = self._record / f"{number:05}.notes.json"
            if path.exists():
                yield json.loads(path.read_bytes())

    def finish(self, shards: int) -> None:
        """Write the file of errors and, where one file was asked for, put the shards together."""
        with whole_bytes(self.output.errors) as errors:
            for row in self.failures(shards):
                errors.write(json_line(row).encode("utf-8", "backslashreplace"))
        if not self.output.errors.stat().st_size:
            self.output.errors.unlink()
        if not self.output.folder:
            parts = [self.part(number) for number in range(shards)]
            with whole_bytes(self.output.path.resolve()) as out:
                join(parts, self.output.form, out)

    def remove(self) -> None:
        """Forget the run, when all is in one file. A kill in between leaves nothing half."""
        if self.output.folder:
            return
        gone = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        with _said(self.path):
            self.path.replace(gone)
            shutil.rmtree(gone)

    def abandon(self) -> None:
        """Forget a run that has no shard yet."""
        if not self._parts():
            shutil.rmtree(self._record, ignore_errors=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def _parts(self) -> int:
        return sum(1 for _ in self.path.glob(f"part-*.{self.output.form}"))

    def _write(self, name: str, content: bytes) -> None:
        path = self._record / name
        if content:
            with whole_bytes(path) as out:
                out.write(content)
        else:  # of a shard that was begun before, and killed
            path.unlink(missing_ok=True)

    def _read_record(self) -> dict[str, Any] | None:
        path = self._record / "run.json"
        if path.exists():
            try:
                found: dict[str, Any] = json.loads(path.read_bytes())
                return found
            except ValueError:
                raise InputError(f"{path}: is not the record of a run; delete it") from None
        if self.path.exists():
            strange = [one for one in self.path.iterdir() if one.name != _RECORD]
            if strange:
                raise InputError(
                    f"{self.path}: has other files, such as {strange[0].name}; "
                    "write to another folder, or delete it"
                )
        return None

    def _check_inputs(self, begun: Mapping[str, Any]) -> None:
        before, now = begun["inputs"], self._inputs
        if len(before) != len(now):
            raise self._other(f"{len(before)} input files, now {len(now)}")
        for old, new in zip(before, now, strict=True):
            if old["name"] != new["name"]:
                raise self._other(f"input {old['name']}, now {new['name']}")
            if old != new:
                raise InputError(
                    f"{self.output.path}: {new['name']} has changed since the run was begun; "
                    "write to another file"
                )

    def _other(self, what: str) -> InputError:
        return InputError(
            f"{self.output.path}: was begun with other settings ({what}); "
            "give the same ones, or write to another file"
        )


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommongroundError(f"{path}: not removed ({error.strerror})") from None


def _described(path: Path) -> dict[str, Any]:
    if not path.is_file():  # it is read more than once
        raise InputError(f"{path}: is no plain file, so a run could not be gone on with")
    status = path.stat()
    return {"name": path.name, "size": status.st_size, "changed": status.st_mtime_ns}


def difference(theirs: object, ours: str) -> str:
    """Which fields of two signatures are not the same, as they were and as they are."""
    if not isinstance(theirs, str):
        return "its rows have no signature"
    before, now = _fields(theirs), _fields(ours)
    if before.get("method") != now.get("method"):  # then all the rest is other too
        return f"method {before.get('method')}, now {now.get('method')}"
    names = [name for name in before | now if before.get(name) != now.get(name)]
    return "; ".join(
        f"{name} {before.get(name, 'none')}, now {now.get(name, 'none')}" for name in names
    )


def _fields(signature: str) -> dict[str, str]:
    measure, *fields = signature.split("|")
    return {"measure": measure} | dict(field.partition(":")[::2] for field in fields)
