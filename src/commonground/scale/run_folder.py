"""The folder of a run: its shards, and a record of their settings and inputs.

    FOLDER/part-00000.jsonl         the results of the first rows; written whole or not at all
    FOLDER/_run/run.json            settings, inputs, rows per shard
    FOLDER/_run/00000.errors.jsonl  rows of that shard that failed
    FOLDER/_run/00000.notes.json    what the end of the run needs to know of its results
    FOLDER/_run/00000.sums.json     size and sha256 of that shard's three files
    FOLDER/_run/lock                locked while a run is at work

Other programs that read a folder of tables skip names that begin with `_`.
"""

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from commonground.errors import CommongroundError, InputError
from commonground.io import join, json_line, same_columns, sha256_of, whole_bytes
from commonground.scale.output import Output
from commonground.scale.work import Failure, Outcome

_RECORD = "_run"
_TEMPORARY = re.compile(r"\..+\.(\d+-)?[0-9a-f]{8}|index-\d+-[0-9a-f]{8}\.sqlite.*")
_FORM = {"signature": str, "form": str, "shard_rows": int, "inputs": list}  # of the record
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP)  # from file systems that have no locks


class RunFolder:
    """The shards of a new or resumed run.

    The folder is locked from `begin` until `release`; as a context manager it is released when
    the block ends.

    Args:
        output: Where the results go in the end.
        inputs: The files that are read; they must not change during the run.
        resume: Whether to resume an unfinished run.
        overwrite: Whether to replace an existing file of results.
        shard_rows: Input rows per shard (default: those of the resumed run, else `usual`).
        usual: Default number of rows per shard.
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
        self.scratch = self.path / _RECORD  # also for temporary files of the run
        self._lock = FileLock(self.scratch / "lock", timeout=0, thread_local=False)
        self._inputs = [_described(path) for path in inputs]
        self._resume, self._overwrite = resume, overwrite
        self._asked_rows = shard_rows
        self.shard_rows = shard_rows or usual
        if overwrite and output.folder:
            raise InputError(f"--overwrite replaces a file; delete the folder {output.path} first")
        self._intact: set[int] = set()  # shards that were written or verified by this run
        self._begun = self._look()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Unlock the folder."""
        self._lock.release()

    def _take_lock(self) -> None:
        with _reported(self.path, "written"):
            self.scratch.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except Timeout:
                raise InputError(
                    f"{self.output.path}: another run is writing to it; wait for it, or write to "
                    "another file"
                ) from None
            except OSError as error:
                if error.errno not in _NO_LOCKS:  # then better a run without a lock than none
                    raise

    def _look(self) -> dict[str, Any] | None:
        """Return the record of an earlier run; raise InputError if it cannot be resumed."""
        if not self._lock.is_locked and Path(self._lock.lock_file).exists():
            self._take_lock()
            self.release()
        begun = self._read_record()
        if not self._resume and not self._parts():  # killed before its first shard
            begun = None
        if begun is None:
            if not self._overwrite:
                self.output.check_new(resume=self._resume)
            return None
        if not self._resume:
            raise InputError(
                f"{self.path}: belongs to an unfinished run; continue it with --resume, or delete "
                "it"
            )
        self._check_inputs(begun["inputs"])
        rows = int(begun["shard_rows"])
        if self._asked_rows not in (None, rows):
            raise self._different(f"--shard-rows {rows}, now {self._asked_rows}")
        self.shard_rows = rows
        return begun

    def begin(self, signature: str) -> None:
        """Lock the folder, and write its record or check that the settings are the same.

        Args:
            signature: All that the results depend on, in the form of a score's signature.
        """
        self._take_lock()
        try:
            self._begun = self._look()  # another run may have been here since
            self._record_or_check(signature)
        except BaseException:
            if self._begun is None:
                self.abandon()
            self.release()
            raise
        self._sweep()

    def _record_or_check(self, signature: str) -> None:
        if self._begun is not None:
            if (before := str(self._begun["signature"])) != signature:
                raise self._different(difference(before, signature))
            if self._begun["form"] != self.output.form:
                raise self._different(f"format {self._begun['form']}, now {self.output.form}")
            return
        record = {
            "signature": signature,
            "form": self.output.form,
            "shard_rows": self.shard_rows,
            "inputs": self._inputs,
        }
        _write(self.scratch / "run.json", json.dumps(record, indent=2).encode())

    def done(self, number: int) -> bool:
        """Return whether a shard is complete and still as it was written."""
        if number not in self._intact:
            try:
                recorded = json.loads(self._sums(number).read_bytes())
                if recorded != list(map(_sum, self._files(number))):
                    return False
            except (OSError, ValueError):
                return False
            self._intact.add(number)
        return True

    def rows_done(self, total: int) -> int:
        """Return how many of `total` input rows are done."""
        numbers = (int(part.name[5:].partition(".")[0]) for part in self._parts())
        return min(total, sum(map(self.done, numbers)) * self.shard_rows)

    def write(self, number: int, outcome: Outcome, failures: Sequence[Failure]) -> None:
        """Add a shard; it counts once its own file, which comes last, is in place."""
        lines = "".join(json_line(failure.to_dict()) for failure in failures)
        errors, notes = self._beside(number)
        _write(errors, lines.encode("utf-8", "backslashreplace"))
        _write(notes, outcome.notes)
        new = {"size": len(outcome.rows), "sha256": sha256(outcome.rows).hexdigest()}
        _write(self._sums(number), json.dumps([new, _sum(errors), _sum(notes)]).encode())
        _write(self.output.part(number), outcome.rows)
        self._intact.add(number)

    def failures(self, shards: int) -> Iterator[Mapping[str, Any]]:
        """Yield the rows that failed, in input order."""
        for number in range(shards):
            with self._beside(number)[0].open("rb") as lines:  # text has more kinds of line ends
                yield from map(json.loads, lines)

    def notes(self, shards: int) -> Iterator[Any]:
        """Yield the notes of each shard that has any."""
        for number in range(shards):
            if notes := self._beside(number)[1].read_bytes():
                yield json.loads(notes)

    def finish(self, shards: int) -> None:
        """Write the file of errors and, if the output is one file, join the shards."""
        with whole_bytes(self.output.errors) as errors:
            for row in self.failures(shards):
                errors.write(json_line(row).encode("utf-8", "backslashreplace"))
        if not self.output.errors.stat().st_size:
            self.output.errors.unlink()
        parts = [self.output.part(number) for number in range(shards)]
        if self.output.folder:  # the columns are known only now
            for part in same_columns(parts, self.output.form):
                number = parts.index(part)
                sums = list(map(_sum, self._files(number)))
                _write(self._sums(number), json.dumps(sums).encode())
        else:
            with whole_bytes(self.output.path.resolve()) as out:
                join(parts, self.output.form, out)

    def remove(self) -> None:
        """Remove the folder once all is in one file; a kill meanwhile leaves nothing partial."""
        if self.output.folder:
            return
        gone = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        if os.name == "nt":  # a folder with an open file cannot be moved there
            self.release()
        with _reported(self.path, "removed"):
            self.path.replace(gone)
            shutil.rmtree(gone)
        self.release()

    def abandon(self) -> None:
        """Remove the record of a run that has no shard yet."""
        if not self._parts():
            if os.name == "nt":
                self.release()
            shutil.rmtree(self.scratch, ignore_errors=True)
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def _parts(self) -> list[Path]:
        return list(self.path.glob(f"part-*.{self.output.form}"))

    def _beside(self, number: int) -> tuple[Path, Path]:
        """Return the files of a shard's errors and notes."""
        return self.scratch / f"{number:05}.errors.jsonl", self.scratch / f"{number:05}.notes.json"

    def _sums(self, number: int) -> Path:
        return self.scratch / f"{number:05}.sums.json"

    def _files(self, number: int) -> tuple[Path, Path, Path]:
        return (self.output.part(number), *self._beside(number))

    def _sweep(self) -> None:
        """Remove temporary files of killed runs; since we have the lock, no other is alive."""
        left = [*self.path.iterdir(), *self.scratch.iterdir()]
        if not self.output.folder:
            target = self.output.path.resolve()
            names = (self.path.name, target.name, self.output.errors.name)
            prefixes = tuple(f".{name}." for name in names)
            folders = {self.path.parent, target.parent}
            beside = (path for folder in folders for path in folder.iterdir())
            left += [path for path in beside if path.name.startswith(prefixes)]
        for path in left:
            if not _TEMPORARY.fullmatch(path.name):
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    path.unlink()

    def _read_record(self) -> dict[str, Any] | None:
        path = self.scratch / "run.json"
        if path.exists():
            try:
                record: dict[str, Any] = json.loads(path.read_bytes())
                if not _is_record(record):
                    raise ValueError
                return record
            except (ValueError, RecursionError):
                raise InputError(f"{path}: is not the record of a run; delete it") from None
        others = self.path.iterdir() if self.path.exists() else ()
        for other in others:
            if other.name != _RECORD:
                raise InputError(
                    f"{self.path}: has other files, such as {other.name}; "
                    f"write to another {'folder' if self.output.folder else 'file'}"
                )
        return None

    def _check_inputs(self, before: Sequence[Mapping[str, Any]]) -> None:
        if len(before) != len(self._inputs):
            raise self._different(f"{len(before)} input files, now {len(self._inputs)}")
        for old, new in zip(before, self._inputs, strict=True):
            if old["name"] != new["name"]:
                raise self._different(f"input {old['name']}, now {new['name']}")
            if old != new:
                raise InputError(
                    f"{self.output.path}: {new['name']} has changed since the run started; "
                    "write to another file"
                )

    def _different(self, what: str) -> InputError:
        return InputError(
            f"{self.output.path}: was started with other settings ({what}); "
            "use the same settings, or write to another file"
        )


def _sum(path: Path) -> dict[str, Any]:
    return {"size": path.stat().st_size, "sha256": sha256_of(path)}


def _write(path: Path, content: bytes) -> None:
    with whole_bytes(path) as out:
        out.write(content)


@contextlib.contextmanager
def _reported(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommongroundError(f"{path}: not {what} ({str(error.strerror).lower()})") from None


def _is_record(value: object) -> bool:
    """Say whether a value has the form of what `begin` records."""
    if not isinstance(value, dict) or value.keys() != _FORM.keys():
        return False
    inputs = value["inputs"]
    return all(type(value[name]) is kind for name, kind in _FORM.items()) and all(
        isinstance(one, dict) and "name" in one for one in inputs
    )


def _described(path: Path) -> dict[str, Any]:
    if not path.is_file():  # it is read more than once
        raise InputError(f"{path}: is not a regular file, so the run could not be resumed")
    status = path.stat()
    return {"name": path.name, "size": status.st_size, "changed": status.st_mtime_ns}


def difference(theirs: object, ours: str) -> str:
    """Return which fields of two signatures differ, with their old and new values."""
    if not isinstance(theirs, str):
        return "its rows have no signature"
    before, now = _fields(theirs), _fields(ours)
    if before.get("method") != now.get("method"):  # then everything else differs too
        return f"method {before.get('method')}, now {now.get('method')}"
    names = [name for name in before | now if before.get(name) != now.get(name)]
    return "; ".join(
        f"{name} {before.get(name, 'none')}, now {now.get(name, 'none')}" for name in names
    )


def _fields(signature: str) -> dict[str, str]:
    measure, *fields = signature.split("|")
    return {"measure": measure} | dict(field.partition(":")[::2] for field in fields)
