"""Rows in Parquet and Arrow files, through pyarrow (the extra `[arrow]`)."""

import contextlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from commonground.errors import InputError, MissingExtraError
from commonground.io.files import whole_bytes

if TYPE_CHECKING:
    import pyarrow as pa

_ENDS = (".parquet", ".arrow", ".feather")
_BATCH = 1024  # rows turned into Python objects at once


def is_table(path: Path) -> bool:
    """Whether the name says Parquet or Arrow."""
    return path.suffix.lower() in _ENDS


def library() -> Any:
    """The package pyarrow with what is used of it.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("A Parquet or Arrow file", "arrow") from None
    return pyarrow


def read_table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table with their numbers, from 1; what is null is not in a row."""
    number = 0
    for batch in _each_batch(path):
        for values in batch.to_pylist():
            number += 1
            yield number, _without_nulls(values)


def count_table(path: Path) -> int:
    """How many rows a table has."""
    if path.suffix.lower() == ".parquet":
        pa = library()
        with _told(path, pa), pa.parquet.ParquetFile(path) as file:
            return int(file.metadata.num_rows)
    return sum(batch.num_rows for batch in _each_batch(path))


def encoded(rows: Iterable[Mapping[str, Any]], form: str) -> bytes:
    """Rows as the bytes of a Parquet or Arrow file."""
    pa = library()
    flat = [dict(_columns(row)) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    columns = {name: pa.array([row.get(name) for row in flat]) for name in names}
    out = io.BytesIO()
    table = pa.table(columns)
    with _writer(pa, form, out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def join(parts: Sequence[Path], form: str, out: IO[bytes]) -> None:
    """Tables one after the other as one; a column that one of them lacks is null there."""
    pa = library()
    _copy(pa, parts, form, _common(pa, parts), out)


def same_columns(parts: Sequence[Path], form: str) -> None:
    """Give every table the columns and types of all; those that lack some are written anew."""
    pa = library()
    schema = _common(pa, parts)
    for part in parts:
        if not _schema(pa, part).equals(schema):
            with whole_bytes(part) as out:
                _copy(pa, [part], form, schema, out)


def _common(pa: Any, parts: Sequence[Path]) -> "pa.Schema":
    """The columns of all tables; text where none of them has a value."""
    kinds = list(dict.fromkeys(_schema(pa, part) for part in parts))
    fields = pa.unify_schemas(kinds, promote_options="permissive")
    return pa.schema(
        [pa.field(one.name, pa.string()) if pa.types.is_null(one.type) else one for one in fields]
    )


def _copy(pa: Any, parts: Sequence[Path], form: str, schema: "pa.Schema", out: IO[bytes]) -> None:
    with _writer(pa, form, out, schema) as writer:
        for part in parts:
            for batch in _each_batch(part):
                writer.write_table(_fitted(pa, batch, schema))


def _fitted(pa: Any, batch: "pa.RecordBatch", schema: "pa.Schema") -> "pa.Table":
    there = set(batch.schema.names)
    columns = [
        batch.column(field.name).cast(field.type)
        if field.name in there
        else pa.nulls(batch.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _each_batch(path: Path) -> Iterator["pa.RecordBatch"]:
    pa = library()
    with _told(path, pa):
        if path.suffix.lower() == ".parquet":
            with pa.parquet.ParquetFile(path) as file:
                yield from file.iter_batches(batch_size=_BATCH)
            return
        with pa.memory_map(str(path)) as source, _arrow(pa, source) as reader:
            for number in range(getattr(reader, "num_record_batches", 0)):
                yield from _slices(reader.get_batch(number))
            if not hasattr(reader, "num_record_batches"):
                for batch in reader:
                    yield from _slices(batch)


def _slices(batch: "pa.RecordBatch") -> Iterator["pa.RecordBatch"]:
    for start in range(0, batch.num_rows, _BATCH):
        yield batch.slice(start, _BATCH)


def _arrow(pa: Any, source: Any) -> Any:
    """A reader of either kind of Arrow file: with a table of its batches at the end, or without."""
    try:
        return pa.ipc.open_file(source)
    except pa.ArrowInvalid:
        source.seek(0)
        return pa.ipc.open_stream(source)


def _schema(pa: Any, path: Path) -> "pa.Schema":
    if path.suffix.lower() == ".parquet":
        return pa.parquet.read_schema(path).remove_metadata()
    with pa.memory_map(str(path)) as source, _arrow(pa, source) as reader:
        return reader.schema.remove_metadata()


def _writer(pa: Any, form: str, out: IO[bytes], schema: "pa.Schema") -> Any:
    if form == "parquet":
        return pa.parquet.ParquetWriter(out, schema, compression="zstd")
    return pa.ipc.new_file(out, schema)


@contextlib.contextmanager
def _told(path: Path, pa: Any) -> Iterator[None]:
    """Any trouble with a table is one line with its name."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file or folder") from None
    except (OSError, pa.ArrowException):
        what = "Parquet" if path.suffix.lower() == ".parquet" else "Arrow"
        raise InputError(f"{path}: is not a whole {what} file") from None


def _columns(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """A row's values by column; objects are opened, lists written as JSON."""
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from _columns(value, f"{before}{key}.")
        elif isinstance(value, list | tuple):
            yield f"{before}{key}", json.dumps(value, ensure_ascii=True, allow_nan=False)
        elif isinstance(value, str):  # a lone surrogate has no UTF-8 form
            yield f"{before}{key}", value.encode("utf-8", "backslashreplace").decode()
        else:
            yield f"{before}{key}", value


def _without_nulls(value: Any) -> Any:
    """Null is how a table says that there is nothing; a JSON row leaves it out."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    return value
