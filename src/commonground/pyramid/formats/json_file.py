"""Read pyramids from JSON values, with an error message for every deviation from the format."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from commonground.errors import InputError
from commonground.pyramid.unit import Contributor, Unit, by_reference
from commonground.score import Signature

FORMAT: Final = "commonground-pyramid"
VERSION: Final = 1


def parse(
    data: object, where: str = "pyramid"
) -> tuple[tuple[Unit, ...], tuple[str, ...], Signature, tuple[str, ...]]:
    """Return the units, references, signature and names of the references of a JSON object.

    The object may have been edited: weights changed, units and contributors added or removed.
    `where` is the start of every error message.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'{where}: is not a pyramid (expected "format": "{FORMAT}")')
    if data.get("version") != VERSION:
        version = data.get("version")
        raise InputError(f"{where}: is a pyramid of format version {version!r}, not {VERSION}")
    content = _Fields(data, where)
    texts = content.list_of("references", str)
    fields = dict(content.take("signature", dict))
    if not all(isinstance(value, str) for value in fields.values()) or "measure" not in fields:
        raise InputError(f'{where}: "signature" must name a measure and contain only strings')
    signature = Signature(fields.pop("measure"), tuple(fields.items()))
    units = tuple(
        _unit(_Fields(unit, f"{where}: units[{index}]"), len(texts))
        for index, unit in enumerate(content.list_of("units", dict))
    )
    names = content.list_of("names", str) if content.has("names") else []
    if len(names) not in (0, len(texts)):
        raise InputError(f'{where}: "names" has {len(names)} names for {len(texts)} references')
    return units, tuple(texts), signature, tuple(names)


class _Fields:
    """A JSON object, and where it is in the file."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = values
        self.where = where

    def take(self, key: str, kind: type) -> Any:
        """Return a required value of a type; a whole number is also a number."""
        if key not in self._values:
            raise InputError(f'{self.where}: "{key}" is missing')
        value = self._values[key]
        accepted = (int, float) if kind is float else kind
        if not isinstance(value, accepted) or isinstance(value, bool):
            raise self.wrong(key, f"must be {_NAMES[kind]}")
        return value

    def has(self, key: str) -> bool:
        """Whether an optional value is there."""
        return key in self._values

    def list_of(self, key: str, kind: type) -> list[Any]:
        """Return a list of values of a type."""
        values: list[Any] = self.take(key, list)
        for index, value in enumerate(values):
            if not isinstance(value, kind):
                raise self.wrong(f"{key}[{index}]", f"must be {_NAMES[kind]}")
        return values

    def wrong(self, key: str, what: str) -> InputError:
        return InputError(f'{self.where}: "{key}" {what}')


_MAX_WEIGHT: Final = 1_000_000  # sums of weights stay exact
_NAMES: Final = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def _unit(fields: _Fields, references: int) -> Unit:
    contributors = by_reference(
        _contributor(_Fields(entry, f"{fields.where}.contributors[{index}]"), references)
        for index, entry in enumerate(fields.list_of("contributors", dict))
    )
    weight = fields.take("weight", int)
    if not 1 <= weight <= _MAX_WEIGHT:
        raise fields.wrong("weight", f"must be from 1 to {_MAX_WEIGHT:,}")
    attraction = float(fields.take("attraction", float))
    if not isfinite(attraction):
        raise fields.wrong("attraction", "must be a finite number")
    given = None if weight == len(contributors) else weight
    clause = fields.take("clause", str) if fields.has("clause") else ""
    return Unit(fields.take("label", str), contributors, attraction, given, clause)


def _contributor(fields: _Fields, references: int) -> Contributor:
    reference = fields.take("reference", int)
    if not 0 <= reference < references:
        raise fields.wrong("reference", f"must be from 0 to {references - 1}, not {reference}")
    spans = fields.list_of("spans", list)
    for span in spans:
        if len(span) != 2 or not all(type(end) is int for end in span):
            raise fields.wrong("spans", "must hold pairs of whole numbers")
    return Contributor(
        reference,
        fields.take("text", str),
        fields.take("id", str),
        tuple((start, end) for start, end in spans),
    )
