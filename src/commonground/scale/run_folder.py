"""The folder of a run: its shards, and a record of what they were made of.

    FOLDER/part-00000.jsonl         the results of the first rows; it is there when it is whole
    FOLDER/_run/run.json            settings, inputs, rows of a shard
    FOLDER/_run/00000.errors.jsonl  rows of that shard that failed
    FOLDER/_run/00000.notes.json    what the end of the run needs to know of its results
    FOLDER/_run/lock                there while a run is at work

Other programs that read a folder of tables pass over names that begin with `_`.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.errors import CommongroundError, InputError
from commonground.io import join, json_line, same_columns, whole_bytes
from commonground.scale.lock import Lock
from commonground.scale.output import Output
from commonground.scale.work import Failure, Outcome

_RECORD = "_run"
_TEMPORARY = re.compile(r"\..+\.(\d+-)?[0-9a-f]{8}|index-\d+-[0-9a-f]{8}\.sqlite.*")


class RunFolder:
    """The shards of a run that is begun, or gone on with.

    From `begin` until it is released the folder is locked; as a context manager it is released
    when the block ends.

    Args:
        output: Where the results go in the end.
        inputs: The files that are read, which must not change while the run lasts.
        resume: Whether to go on with a run that did not end.
        overwrite: Whether a file of results that is there may be replaced.
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
        overwrite: bool = False,
    ) -> None:
        output.check(tuple(inputs))
        if shard_rows is not None and shard_rows < 1:
            raise InputError(f"--shard-rows must be 1 or more, not {shard_rows}")
        self.output = output
        self.path = output.shards
        self._record = self.path / _RECORD
        self._lock = Lock(self._record)
        self._inputs = [_described(path) for path in inputs]
        self._resume, self._overwrite = resume, overwrite
        self._asked_rows = shard_rows
        self.shard_rows = shard_rows or usual
        if overwrite and output.folder:
            raise InputError(f"--overwrite replaces a file; delete the folder {output.path} first")
        self._begun = self._look()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let other runs have the folder."""
        self._lock.release()

    def _look(self) -> dict[str, Any] | None:
        """What is there, and whether this run may go on with it, or replace it."""
        with _said(self.path, "written"):
            if self._lock.taken_elsewhere():
                raise self._in_use()
        begun = self._read_record()
        if not self._resume and not self._parts():  # killed before anything was done
            begun = None
        if begun is None:
            if not self._overwrite:
                self.output.check_new(resume=self._resume)
            return None
        if not self._resume:
            raise InputError(
                f"{self.path}: is left from another run; go on with it by --resume, or delete it"
            )
        self._check_inputs(begun)
        rows = int(begun["shard_rows"])
        if self._asked_rows not in (None, rows):
            raise self._other(f"--shard-rows {rows}, now {self._asked_rows}")
        self.shard_rows = rows
        return begun

    def begin(self, signature: str) -> None:
        """Lock the folder and make its record, or check that the settings are the same.

        Args:
            signature: All that the results depend on, in the manner of a score's.
        """
        with _said(self.path, "written"):
            if not self._lock.take():
                raise self._in_use()
        try:
            self._begun = self._look()  # another run may have been there since
            self._record_or_check(signature)
        except BaseException:
            if self._begun is None:
                self.abandon()
            self.release()
            raise
        self._sweep()

    def _record_or_check(self, signature: str) -> None:
        if self._begun is not None:
            if (theirs := str(self._begun["signature"])) != signature:
                raise self._other(difference(theirs, signature))
            if self._begun["form"] != self.output.form:
                raise self._other(f"format {self._begun['form']}, now {self.output.form}")
            return
        record = {
            "signature": signature,
            "form": self.output.form,
            "shard_rows": self.shard_rows,
            "inputs": self._inputs,
        }
        _write(self._record / "run.json", json.dumps(record, indent=2).encode())

    @property
    def scratch(self) -> Path:
        """Where a run may keep what only it needs."""
        return self._record

    def done(self, number: int) -> bool:
        """Whether a shard is there, with all that belongs to it."""
        return all(path.exists() for path in (self.part(number), *self._beside(number)))

    def part(self, number: int) -> Path:
        """The file of a shard."""
        return self.output.part(number)

    def rows_done(self, total: int) -> int:
        """How many of so many rows of the input are done."""
        done = sum(self.done(number) for number in map(_number, self._parts()))
        return min(total, done * self.shard_rows)

    def write(self, number: int, outcome: Outcome, failures: Sequence[Failure]) -> None:
        """Add a shard. It counts from the moment its own file has its name, which comes last."""
        lines = "".join(json_line(one.to_dict()) for one in failures)
        errors, notes = self._beside(number)
        _write(errors, lines.encode("utf-8", "backslashreplace"))
        _write(notes, outcome.notes)
        _write(self.part(number), outcome.rows)

    def failures(self, shards: int) -> Iterator[Mapping[str, Any]]:
        """The rows that failed, in the order of the input."""
        for number in range(shards):
            with self._beside(number)[0].open("rb") as lines:  # text would have more ends of lines
                yield from map(json.loads, lines)

    def notes(self, shards: int) -> Iterator[Any]:
        """What was noted of each shard, in their order."""
        for number in range(shards):
            noted = self._beside(number)[1].read_bytes()
            if noted:
                yield json.loads(noted)

    def finish(self, shards: int) -> None:
        """Write the file of errors and, where one file was asked for, put the shards together."""
        with whole_bytes(self.output.errors) as errors:
            for row in self.failures(shards):
                errors.write(json_line(row).encode("utf-8", "backslashreplace"))
        if not self.output.errors.stat().st_size:
            self.output.errors.unlink()
        parts = [self.part(number) for number in range(shards)]
        if self.output.folder:  # only now it is known which columns there are
            same_columns(parts, self.output.form)
        else:
            with whole_bytes(self.output.path.resolve()) as out:
                join(parts, self.output.form, out)

    def remove(self) -> None:
        """Forget the run, when all is in one file. A kill in between leaves nothing half."""
        if self.output.folder:
            return
        gone = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        if os.name == "nt":  # where a folder with an open file cannot be moved
            self.release()
        with _said(self.path, "removed"):
            self.path.replace(gone)
            shutil.rmtree(gone)
        self.release()

    def abandon(self) -> None:
        """Forget a run that has no shard yet."""
        if not self._parts():
            if os.name == "nt":
                self.release()
            shutil.rmtree(self._record, ignore_errors=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def _parts(self) -> list[Path]:
        return list(self.path.glob(f"part-*.{self.output.form}"))

    def _beside(self, number: int) -> tuple[Path, Path]:
        """The files of a shard's errors and notes."""
        return self._record / f"{number:05}.errors.jsonl", self._record / f"{number:05}.notes.json"

    def _sweep(self) -> None:
        """Remove what runs that were killed have left; none is alive, since the lock is ours."""
        left = [*self.path.iterdir(), *self._record.iterdir()]
        if not self.output.folder:
            names = (self.path.name, self.output.path.resolve().name, self.output.errors.name)
            begins = tuple(f".{name}." for name in names)
            around = {self.path.parent, self.output.path.resolve().parent}
            beside = (one for folder in around for one in folder.iterdir())
            left += [one for one in beside if one.name.startswith(begins)]
        for one in left:
            if not _TEMPORARY.fullmatch(one.name):
                continue
            if one.is_dir():
                shutil.rmtree(one, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    one.unlink()

    def _in_use(self) -> InputError:
        return InputError(
            f"{self.output.path}: another run is writing to it; wait for its end, or write to "
            "another place"
        )

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
                    f"write to another {'folder' if self.output.folder else 'file'}"
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


def _write(path: Path, content: bytes) -> None:
    with whole_bytes(path) as out:
        out.write(content)


def _number(part: Path) -> int:
    return int(part.name.removeprefix("part-").partition(".")[0])


@contextlib.contextmanager
def _said(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommongroundError(f"{path}: not {what} ({str(error.strerror).lower()})") from None


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
