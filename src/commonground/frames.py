"""Data frames of pandas and polars, neither of which is imported before it is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, overload

from commonground.errors import InputError, MissingExtraError, check_known

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Library: TypeAlias = Literal["pandas", "polars"]
LIBRARIES = ("pandas", "polars")

# A missing value: polars has None, pandas also NaN and NA.
_MISSING = ("NAType", "NaTType")


class HasRows:
    """Base of results that are rows: they have `to_dataframe`."""

    __slots__ = ()
    frame_columns: ClassVar[tuple[str, ...]] = ()
    """The columns of a frame without rows."""

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the data frame."""
        raise NotImplementedError

    @overload
    def to_dataframe(self) -> "pd.DataFrame": ...

    @overload
    def to_dataframe(self, library: Literal["pandas"]) -> "pd.DataFrame": ...

    @overload
    def to_dataframe(self, library: Literal["polars"]) -> "pl.DataFrame": ...

    def to_dataframe(self, library: Library = "pandas") -> Any:
        """Return the rows as a data frame of `pandas` or `polars`.

        Raises:
            MissingExtraError: The library is not installed.
        """
        return to_frame(self.frame_rows(), library, columns=self.frame_columns)


def to_frame(
    rows: Sequence[Mapping[str, Any]],
    library: str = "pandas",
    index: Sequence[Any] | None = None,
    columns: Sequence[str] = (),
) -> Any:
    """Return rows as a data frame; with `index`, pandas gets an index and polars a column `id`.

    `columns` names the columns of a frame without rows.

    Raises:
        InputError: The library is unknown.
        MissingExtraError: The library is not installed.
    """
    check_known("data frame library", LIBRARIES, library)
    if library == "pandas":
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_dataframe()", "pandas") from None
        if not rows:
            return pd.DataFrame(columns=list(columns))
        return pd.DataFrame(list(rows), index=None if index is None else list(index))
    try:
        import polars as pl
    except ImportError:
        raise MissingExtraError("to_dataframe('polars')", "polars") from None
    if index is not None:
        rows = [{"id": name, **row} for name, row in zip(index, rows, strict=True)]
    if not rows:
        return pl.DataFrame(schema=list(columns))
    return pl.DataFrame(list(rows), infer_schema_length=None)


def frame_rows(frame: object, columns: Iterable[str] = (), hint: str = "") -> list[dict[str, Any]]:
    """Return the rows of a data frame of pandas or polars; a missing value becomes None.

    `hint` ends the message about a missing column.

    Raises:
        InputError: It is no data frame, or one of `columns` is missing.
    """
    kind = type(frame)
    library = kind.__module__.split(".")[0]
    if library not in LIBRARIES or kind.__name__ != "DataFrame":
        raise InputError(f"df must be a DataFrame of pandas or polars, got {kind.__name__}")
    table: Any = frame
    names = [str(name) for name in table.columns]
    for column in columns:
        if column not in names:
            known = ", ".join(names) or "none"
            raise InputError(f"df has no column {column!r}; it has {known}{hint}")
    if library == "polars":
        rows: list[dict[str, Any]] = table.to_dicts()
    else:
        rows = [dict(zip(names, row, strict=True)) for row in table.itertuples(index=False)]
    return [{name: _value(value) for name, value in row.items()} for row in rows]


def _value(value: Any) -> Any:
    missing = type(value).__name__ in _MISSING or (isinstance(value, float) and value != value)
    return None if missing else value
