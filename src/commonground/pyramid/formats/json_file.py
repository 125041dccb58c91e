"""Pyramids as JSON: the format, and what is wrong with a file that is not in it."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from commonground.errors import InputError
from commonground.io import read_text, whole_file
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature

FORMAT: Final = "commonground-pyramid"
VERSION: Final = 1


def written(
    units: Sequence[Unit], references: Sequence[str], signature: Signature
) -> dict[str, Any]:
    """The JSON object of a pyramid."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "signature": signature.to_dict(),
        "references": list(references),
        "units": [_written_unit(unit) for unit in units],
    }


def parsed(data: object, where: str = "pyramid") -> tuple[list[Unit], tuple[str, ...], Signature]:
    """The units, references and signature of a JSON object.

    Args:
        data: What `written` made, maybe edited since: a weight may be changed there, units and
            contributors may be added or taken away.
        where: The start of every complaint.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'{where}: is not a pyramid (expected "format": "{FORMAT}")')
    if data.get("version") != VERSION:
        version = data.get("version")
        raise InputError(f"{where}: is a pyramid of format version {version!r}, not {VERSION}")
    texts = _Fields(data, where).list_of("references", str)
    fields = dict(_Fields(data, where).take("signature", dict))
    if not all(isinstance(value, str) for value in fields.values()) or "measure" not in fields:
        raise InputError(f'{where}: "signature" must name a measure and have strings alone')
    signature = Signature(fields.pop("measure"), tuple(fields.items()))
    units = [
        _unit(_Fields(unit, f"{where}: units[{place}]"), len(texts))
        for place, unit in enumerate(_Fields(data, where).list_of("units", dict))
    ]
    return units, tuple(texts), signature


def read(path: Path) -> object:
    """What a JSON file says."""
    content = read_text(path)
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise InputError(f"{path}, line {error.lineno}: is not JSON ({what})") from None
    except RecursionError:
        raise InputError(f"{path}: is JSON nested too deeply") from None
    except ValueError as error:  # a number of more digits than Python takes
        raise InputError(f"{path}: is not JSON ({error})") from None


def write(path: Path, data: Mapping[str, Any]) -> None:
    """Write a JSON object, readable line by line; the file appears whole or not at all."""
    with whole_file(path) as stream:
        stream.write(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


class _Fields:
    """An object of the file, and where it stands."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = values
        self.where = where

    def take(self, key: str, kind: type) -> Any:
        """A value that must be there and be of a kind; a whole number is a number too."""
        if key not in self._values:
            raise InputError(f'{self.where}: "{key}" is missing')
        value = self._values[key]
        accepted = (int, float) if kind is float else kind
        if not isinstance(value, accepted) or isinstance(value, bool):
            raise self.wrong(key, f"must be {_NAMES[kind]}")
        return value

    def list_of(self, key: str, kind: type) -> list[Any]:
        """A list of values of a kind."""
        values: list[Any] = self.take(key, list)
        for place, value in enumerate(values):
            if not isinstance(value, kind):
                raise self.wrong(f"{key}[{place}]", f"must be {_NAMES[kind]}")
        return values

    def wrong(self, key: str, what: str) -> InputError:
        return InputError(f'{self.where}: "{key}" {what}')


_NAMES: Final = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def _unit(fields: _Fields, references: int) -> Unit:
    contributors = tuple(
        _contributor(_Fields(one, f"{fields.where}.contributors[{place}]"), references)
        for place, one in enumerate(fields.list_of("contributors", dict))
    )
    weight = fields.take("weight", int)
    if weight < 1:
        raise fields.wrong("weight", "must be at least 1")
    attraction = float(fields.take("attraction", float))
    if not isfinite(attraction):
        raise fields.wrong("attraction", "must be a finite number")
    given = None if weight == len(contributors) else weight
    ordered = tuple(sorted(contributors, key=lambda one: one.reference))
    return Unit(fields.take("label", str), ordered, attraction, given)


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


def _written_unit(unit: Unit) -> dict[str, Any]:
    return {
        "label": unit.label,
        "weight": unit.weight,
        "attraction": unit.attraction,
        "contributors": [
            {
                "reference": contributor.reference,
                "text": contributor.text,
                "id": contributor.id,
                "spans": [list(span) for span in contributor.spans],
            }
            for contributor in unit.contributors
        ],
    }
