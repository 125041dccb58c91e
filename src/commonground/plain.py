"""Results as plain values: dicts, lists, strings and numbers, ready for JSON."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any, ClassVar


class Plain:
    """Base of dataclasses with `to_dict`.

    A subclass lists properties to add after the fields in `also`, and fields to omit in
    `hidden`.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True, slots=True)
        ... class Box(Plain):
        ...     sides: tuple[int, int]
        ...     also = ("area",)
        ...     @property
        ...     def area(self) -> int:
        ...         return self.sides[0] * self.sides[1]
        >>> Box((2, 3)).to_dict()
        {'sides': [2, 3], 'area': 6}
    """

    __slots__ = ()
    also: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name as plain values for JSON, unrounded."""
        assert is_dataclass(self)
        names = [field.name for field in fields(self) if field.name not in self.hidden]
        return {name: to_plain(getattr(self, name)) for name in (*names, *self.also)}


def to_plain(value: Any) -> Any:
    """Convert a value to plain values; paths and other dataclasses become their `str`."""
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Plain):
        return value.to_dict()
    if isinstance(value, PurePath) or is_dataclass(value):
        return str(value)  # such as a signature
    raise TypeError(f"{type(value).__name__} has no plain form")
