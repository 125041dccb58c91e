"""Changing a pyramid by hand: merge, split, rename and reweigh units.

Every function takes a pyramid and gives another; the first stays as it is. Units are named by
their places in the pyramid given, contributors by their places in their unit, both from 0. The
units of the new pyramid may stand in another order, since the heaviest come first.

The signature of an edited pyramid, and so of every score by it, has a field `edited` with a hash
of its units: two pyramids that were edited to the same units are the same.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from commonground.errors import InputError, unknown_name
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature

MOST_WEIGHT: Final = 99
"""No class has more references than two digits can say."""

_FIELD: Final = "edited"


def rename(pyramid: Pyramid, unit: int, label: str) -> Pyramid:
    """Put a unit in other words; summaries are judged by these then."""
    return _with(pyramid, [unit], [replace(_unit(pyramid, unit), label=_words(label))])


def reweigh(pyramid: Pyramid, unit: int, weight: int | None) -> Pyramid:
    """Set the weight of a unit; None makes it the number of references that express it."""
    found = _unit(pyramid, unit)
    if weight is None:
        return _with(pyramid, [unit], [_counted(found)])
    if not 1 <= weight <= MOST_WEIGHT:
        raise InputError(f"a weight is from 1 to {MOST_WEIGHT}, not {weight}")
    given = None if weight == len(found.contributors) else weight
    return _with(pyramid, [unit], [replace(found, weight_given=given)])


def merge(pyramid: Pyramid, units: Sequence[int], label: str | None = None) -> Pyramid:
    """Make one unit of several.

    It weighs as much as there are references that express it, a reference that says it twice
    counted once; weights that were set by hand are gone. How near the units are to each other is
    not measured: the new one's attraction is the least of theirs.

    Args:
        pyramid: What has the units.
        units: At least two.
        label: By default that of the heaviest, of equals the longest: a whole clause rather than
            part of one.
    """
    places = list(dict.fromkeys(units))
    if len(places) < 2:
        raise InputError("to merge takes two units or more")
    found = [_unit(pyramid, place) for place in places]
    contributors = sorted(
        dict.fromkeys(one for unit in found for one in unit.contributors),
        key=lambda one: one.reference,
    )
    if label is None:
        words = max(found, key=lambda unit: (unit.weight, len(unit.label), unit.label)).label
    else:
        words = _words(label)
    attraction = min(unit.attraction for unit in found)
    return _with(pyramid, places, [_counted(Unit(words, tuple(contributors), attraction))])


def split(
    pyramid: Pyramid, unit: int, contributors: Sequence[int], label: str | None = None
) -> Pyramid:
    """Take contributors out of a unit and make a unit of them.

    Both parts weigh as much as there are references that express them. The old label stays with
    the part whose words it is; where it is nobody's words, with what is left.

    Args:
        pyramid: What has the unit.
        unit: Its place.
        contributors: The places of those that leave; at least one, and not all.
        label: Of the new unit; by default the words of one of its contributors.
    """
    found = _unit(pyramid, unit)
    leaving = set(contributors)
    if not leaving <= set(range(len(found.contributors))):
        raise InputError(f"unit {unit} has no such contributor")
    if not 0 < len(leaving) < len(found.contributors):
        raise InputError("to split takes some of a unit's contributors, not none and not all")
    out = [one for place, one in enumerate(found.contributors) if place in leaving]
    rest = [one for place, one in enumerate(found.contributors) if place not in leaving]
    stays = found.label not in {one.text for one in out}
    left = _part(found, rest, found.label if stays else rest[0].text)
    taken = _part(found, out, out[0].text if stays else found.label)
    if label is not None:
        taken = replace(taken, label=_words(label))
    return _with(pyramid, [unit], [left, taken])


_EDITS: Final[Mapping[str, Callable[..., Pyramid]]] = {
    "merge": merge,
    "split": split,
    "rename": rename,
    "reweigh": reweigh,
}


def edited(pyramid: Pyramid, edits: Iterable[Mapping[str, Any]]) -> Pyramid:
    """Make changes one after the other, each in the pyramid that the one before left.

    To undo, leave out the last and start from the first pyramid again.

    Args:
        pyramid: Where to start.
        edits: Each with `do`, the name of a function here, and its arguments by name.

    Example:
        >>> rain = Pyramid.build(["It rained. The match was off.", "Rain fell all day."])
        >>> [unit.weight for unit in rain.units]
        [2, 1]
        >>> [unit.weight for unit in edited(rain, [{"do": "merge", "units": [0, 1]}]).units]
        [2]
    """
    for edit in edits:
        arguments = dict(edit)
        name = arguments.pop("do", None)
        if name not in _EDITS:
            raise unknown_name("change of a pyramid", str(name), _EDITS)
        pyramid = _EDITS[name](pyramid, **arguments)
    return pyramid


def _unit(pyramid: Pyramid, place: int) -> Unit:
    if not 0 <= place < len(pyramid.units):
        raise InputError(f"there is no unit {place}; the pyramid has {len(pyramid.units)}")
    return pyramid.units[place]


def _words(label: str) -> str:
    words = " ".join(label.split())
    if not words:
        raise InputError("a unit needs some words as label")
    return words


def _part(whole: Unit, contributors: Sequence[Contributor], label: str) -> Unit:
    attraction = whole.attraction if len(contributors) > 1 else 1.0
    return _counted(Unit(label, tuple(contributors), attraction))


def _counted(unit: Unit) -> Unit:
    """The unit with the weight that its references give it; one that nobody says weighs 1."""
    weight = max(len({one.reference for one in unit.contributors}), 1)
    given = None if weight == len(unit.contributors) else weight
    return replace(unit, weight_given=given)


def _with(pyramid: Pyramid, gone: Sequence[int], new: Sequence[Unit]) -> Pyramid:
    kept = [unit for place, unit in enumerate(pyramid.units) if place not in gone]
    changed = Pyramid((*kept, *new), pyramid.references, pyramid.signature)
    return replace(changed, signature=_signed(changed))


def _signed(pyramid: Pyramid) -> Signature:
    """The signature with the hash of the units, the version last."""
    units = json.dumps(pyramid.to_dict()["units"], ensure_ascii=False)
    digest = hashlib.sha256(units.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    fields = {key: value for key, value in pyramid.signature.fields if key != _FIELD}
    version = {"v": fields.pop("v")} if "v" in fields else {}
    return Signature(
        pyramid.signature.measure, tuple((fields | {_FIELD: digest} | version).items())
    )
