"""File formats of rows: JSONL, and Parquet and Arrow tables through pyarrow (extra `[arrow]`)."""

import contextlib
import gzip
import io
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from commonground.errors import InputError, MissingExtraError, unknown_name
from commonground.io.files import whole_bytes

if TYPE_CHECKING:
    import pyarrow as pa

FORMS: Final = ("jsonl", "jsonl.gz", "parquet", "arrow")

_TABLES = ("parquet", "arrow")
_SUFFIXES = {f".{form}": form for form in FORMS} | {".feather": "arrow"}
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_BATCH = 1024  # rows converted to Python objects at once
_AT_ONCE = 1 << 20  # bytes copied at once


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


def same_columns(parts: Sequence[Path], form: str) -> None:
    """Rewrite the tables of a run that lack columns of the others; JSONL needs nothing."""
    if form not in _TABLES:
        return
    pa = _pyarrow()
    schema = _common_schema(pa, parts)
    for part in parts:
        if not _schema(pa, part).equals(schema):
            with whole_bytes(part) as out:
                _copy(pa, [part], form, schema, out)


def read_table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a table with their numbers, from 1; nulls are left out."""
    rows = (values for batch in _batches(path) for values in batch.to_pylist())
    for number, values in enumerate(rows, start=1):
        yield number, _without_nulls(values)


def count_table(path: Path) -> int:
    """Return the number of rows of a table."""
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
        raise InputError(f"{path}: is not a whole {kind} file") from None


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
