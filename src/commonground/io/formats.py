"""Files of rows: their names and formats.

The formats are JSONL, and Parquet and Arrow tables through pyarrow (extra `[arrow]`). Spreadsheets
(`sheets.py`) are read, not written.
"""

import contextlib
import gzip
import io
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from glob import glob, has_magic
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from commonground.errors import InputError, MissingExtraError, unknown_name
from commonground.io.files import each_line, whole_bytes
from commonground.io.sheets import count_sheet, is_sheet

if TYPE_CHECKING:
    import pyarrow as pa

FORMS: Final = ("jsonl", "jsonl.gz", "parquet", "arrow")

_TABLES = ("parquet", "arrow")
_SUFFIXES = {f".{form}": form for form in FORMS} | {".feather": "arrow"}
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_BATCH = 1024  # rows converted to Python objects at once
_AT_ONCE = 1 << 20  # bytes copied at once
_FAILED = ".errors.jsonl"
_OTHER_TABLES = (".xls", ".ods")  # every line would be an invalid row


def form_of(path: Path) -> str | None:
    """Return the format that a file name shows, or None."""
    name = path.name.lower()
    return next((form for suffix, form in _SUFFIXES.items() if name.endswith(suffix)), None)


def is_table(path: Path) -> bool:
    """Say whether the file name is of a Parquet or Arrow file."""
    return form_of(path) in _TABLES


def check_form(form: str) -> None:
    """Raise an error for an unknown format or a missing extra."""
    if form not in FORMS:
        raise unknown_name("format", form, FORMS)
    if form in _TABLES:
        _pyarrow()


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("A Parquet or Arrow file", "arrow") from None
    return pyarrow


def json_line(row: Mapping[str, Any]) -> str:
    """Return one line of JSONL with its line break."""
    return _JSON(row) + "\n"


def encoded(rows: Iterable[Mapping[str, Any]], form: str) -> bytes:
    """Return rows as the bytes of a file.

    JSON keeps them unchanged. In tables the values of an object are columns of their own
    (`rouge.rouge1.f1`), and lists are JSON text, so that all files of a run have the same types.
    """
    if form not in _TABLES:
        lines = "".join(map(json_line, rows)).encode("utf-8", "backslashreplace")
        return gzip.compress(lines, compresslevel=6, mtime=0) if form == "jsonl.gz" else lines
    pa = _pyarrow()
    flat = [dict(_columns(row)) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    table = pa.table({name: pa.array([row.get(name) for row in flat]) for name in names})
    out = io.BytesIO()
    with _writer(pa, form, out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def join(parts: Sequence[Path], form: str, out: IO[bytes]) -> None:
    """Concatenate files in bounded memory; a missing column of a table becomes null."""
    if form in _TABLES:
        pa = _pyarrow()
        _copy(pa, parts, form, _common_schema(pa, parts), out)
        return
    for part in parts:  # concatenated gzip files are a gzip file
        with part.open("rb") as rows:
            shutil.copyfileobj(rows, out, _AT_ONCE)


def same_columns(parts: Sequence[Path], form: str) -> list[Path]:
    """Rewrite and return the tables of a run that lack columns of the others, never JSONL."""
    if form not in _TABLES:
        return []
    pa = _pyarrow()
    schema = _common_schema(pa, parts)
    narrow = [part for part in parts if not _schema(pa, part).equals(schema)]
    for part in narrow:
        with whole_bytes(part) as out:
            _copy(pa, [part], form, schema, out)
    return narrow


def read_table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a table with their numbers, from 1; nulls are left out."""
    rows = (values for batch in _batches(path) for values in batch.to_pylist())
    for number, values in enumerate(rows, start=1):
        yield number, _without_nulls(values)


def count_rows(path: Path) -> int:
    """Return the number of rows of a file without parsing them."""
    if is_sheet(path):
        return count_sheet(path)
    if not is_table(path):
        return sum(not line.isspace() for line in each_line(path))
    if form_of(path) == "parquet":
        pa = _pyarrow()
        with _one_line_errors(path, pa), pa.parquet.ParquetFile(path) as file:
            return int(file.metadata.num_rows)
    return sum(batch.num_rows for batch in _batches(path))


def _common_schema(pa: Any, parts: Sequence[Path]) -> "pa.Schema":
    """Return the columns of all tables; a column without values is text."""
    schemas = list(dict.fromkeys(_schema(pa, part) for part in parts))
    return pa.schema(
        pa.field(field.name, pa.string()) if pa.types.is_null(field.type) else field
        for field in pa.unify_schemas(schemas, promote_options="permissive")
    )


def _copy(pa: Any, parts: Sequence[Path], form: str, schema: "pa.Schema", out: IO[bytes]) -> None:
    with _writer(pa, form, out, schema) as writer:
        for batch in (batch for part in parts for batch in _batches(part)):
            columns = [
                batch.column(field.name).cast(field.type)
                if field.name in batch.schema.names
                else pa.nulls(batch.num_rows, field.type)
                for field in schema
            ]
            writer.write_table(pa.table(columns, schema=schema))


def _batches(path: Path) -> Iterator["pa.RecordBatch"]:
    pa = _pyarrow()
    with _one_line_errors(path, pa):
        if form_of(path) == "parquet":
            with pa.parquet.ParquetFile(path) as file:
                yield from file.iter_batches(batch_size=_BATCH)
            return
        with pa.memory_map(str(path)) as source, _arrow(pa, source) as reader:
            count = getattr(reader, "num_record_batches", None)
            batches = reader if count is None else map(reader.get_batch, range(count))
            for batch in batches:
                for start in range(0, batch.num_rows, _BATCH):
                    yield batch.slice(start, _BATCH)


def _arrow(pa: Any, source: Any) -> Any:
    """Open either kind of Arrow file: random access or stream."""
    try:
        return pa.ipc.open_file(source)
    except pa.ArrowInvalid:
        source.seek(0)
        return pa.ipc.open_stream(source)


def _schema(pa: Any, path: Path) -> "pa.Schema":
    if form_of(path) == "parquet":
        return pa.parquet.read_schema(path).remove_metadata()
    with pa.memory_map(str(path)) as source, _arrow(pa, source) as reader:
        return reader.schema.remove_metadata()


def _writer(pa: Any, form: str, out: IO[bytes], schema: "pa.Schema") -> Any:
    if form == "parquet":
        return pa.parquet.ParquetWriter(out, schema, compression="zstd")
    return pa.ipc.new_file(out, schema)


@contextlib.contextmanager
def _one_line_errors(path: Path, pa: Any) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file or folder") from None
    except (OSError, pa.ArrowException):
        kind = "Parquet" if form_of(path) == "parquet" else "Arrow"
        raise InputError(f"{path}: is a damaged {kind} file") from None


def _columns(row: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a row by column; objects are flattened, lists written as JSON."""
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from _columns(value, f"{prefix}{key}.")
        elif isinstance(value, list | tuple):
            yield f"{prefix}{key}", json.dumps(value, ensure_ascii=True, allow_nan=False)
        elif isinstance(value, str):  # a lone surrogate has no UTF-8 form
            yield f"{prefix}{key}", value.encode("utf-8", "backslashreplace").decode()
        else:
            yield f"{prefix}{key}", value


def _without_nulls(value: Any) -> Any:
    """Remove nulls, with which a table marks missing values."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


def find_files(names: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files for names, each once, in the order of the names and then by path.

    A folder stands for its files of rows (JSONL, Parquet, Arrow), a glob such as `day-*.jsonl`
    for its matches. Names that begin with `.` or `_` or end in `.errors.jsonl` (failed rows) are
    skipped, unless the glob asks for them.

    Raises:
        InputError: A name without a file.
    """
    return tuple(dict.fromkeys(path for name in names for path in _expand(str(name))))


def would_read(name: str, path: Path) -> bool:
    """Say whether a folder or a glob stands for a file, which need not exist yet."""
    folder = Path(name)
    if folder.is_dir():
        return path.parent.exists() and path.parent.samefile(folder)
    if not has_magic(name) or folder.exists() or _is_skipped(path, name):
        return False
    return _fits(Path(os.path.abspath(path)).parts, Path(os.path.abspath(name)).parts)  # noqa: PTH100


def _expand(name: str) -> Iterator[Path]:
    path = Path(name)
    if path.is_dir():
        inside = sorted(
            entry
            for entry in path.iterdir()
            if entry.is_file() and form_of(entry) and not _belongs_to_run(entry)
        )
        if not inside:
            raise InputError(f"{path}: is a folder without files of rows (.jsonl, .parquet ...)")
        yield from inside
    elif has_magic(name) and not path.exists():
        # Path.glob does not support absolute patterns.
        matched = sorted(map(Path, glob(name, recursive=True)))  # noqa: PTH207
        chosen = [match for match in matched if match.is_file() and not _is_skipped(match, name)]
        if not chosen:
            only = " that is read" if matched else ""
            raise InputError(f"{name}: matches no file{only}")
        yield from chosen
    elif not path.exists():
        raise InputError(f"{path}: no such file or folder")
    elif not os.access(path, os.R_OK):
        raise InputError(f"{path}: permission denied")
    elif path.suffix.lower() in _OTHER_TABLES:
        raise InputError(f"{path}: is not a file of rows (.jsonl, .csv, .xlsx, .parquet, .arrow)")
    else:
        yield path


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Say whether a path matches a glob, folder by folder."""
    if not pattern or not parts:
        return not parts and all(part == "**" for part in pattern)
    first, rest = pattern[0], pattern[1:]
    if first == "**" and _fits(parts, rest):
        return True
    return fnmatch(parts[0], first) and _fits(parts[1:], pattern if first == "**" else rest)


def _is_skipped(path: Path, pattern: str) -> bool:
    """Say whether a file belongs to a run and the glob does not ask for such files."""
    requested = Path(pattern).name.startswith("_") or pattern.endswith(_FAILED)
    return _belongs_to_run(path) and not requested


def _belongs_to_run(path: Path) -> bool:
    return path.name.startswith((".", "_")) or path.name.endswith(_FAILED)
