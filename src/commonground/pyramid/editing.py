"""Edit a pyramid by hand: merge, split, rename, reweigh, delete and add units.

Every function returns a new pyramid. Units are given by their index in the pyramid, contributors
by their index in the unit. The units of the new pyramid are sorted again, heaviest first.

The signature of an edited pyramid, and of every score with it, has a field `edited` with a hash of
the units: pyramids edited to the same units have the same signature.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Final

from commonground.errors import InputError, unknown_name
from commonground.pyramid.ideas import with_own_idea
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.unit import Contributor, Unit, by_reference
from commonground.score import Signature

MOST_WEIGHT: Final = 99
"""The greatest weight that can be set."""


def rename(pyramid: Pyramid, unit: int, label: str) -> Pyramid:
    """Change the label of a unit, by which summaries are then judged."""
    renamed = replace(_unit(pyramid, unit), label=_checked(label), clause="")
    return _replaced(pyramid, [unit], [renamed])


def reweigh(pyramid: Pyramid, unit: int, weight: int | None) -> Pyramid:
    """Set the weight of a unit; None restores the number of references that express it."""
    current = _unit(pyramid, unit)
    if weight is None:
        return _replaced(pyramid, [unit], [_counted(current)])
    if not 1 <= weight <= MOST_WEIGHT:
        raise InputError(f"a weight is from 1 to {MOST_WEIGHT}, not {weight}")
    return _replaced(pyramid, [unit], [_weighted(current, weight)])


def merge(pyramid: Pyramid, units: Sequence[int], label: str | None = None) -> Pyramid:
    """Merge units into one.

    Its weight is the number of references that express it; weights set by hand are lost. Its
    attraction is the least of the units', since the similarity between them is not computed.

    Args:
        pyramid: The pyramid.
        units: At least two.
        label: Default: that of the heaviest, of equals the longest (a whole clause rather than a
            part of one).
    """
    indices = list(dict.fromkeys(units))
    if len(indices) < 2:
        raise InputError("merging needs two units or more")
    merged = [_unit(pyramid, index) for index in indices]
    contributors = by_reference(dict.fromkeys(c for unit in merged for c in unit.contributors))
    heaviest = max(merged, key=lambda unit: (unit.weight, len(unit.judged), unit.judged))
    attraction = min(unit.attraction for unit in merged)
    whole = _counted(replace(heaviest, contributors=contributors, attraction=attraction))
    if label is not None:
        whole = replace(whole, label=_checked(label), clause="")
    return _replaced(pyramid, indices, [whole])


def split(
    pyramid: Pyramid, unit: int, contributors: Sequence[int], label: str | None = None
) -> Pyramid:
    """Move contributors of a unit to a new unit.

    The weight of both is the number of references that express them. Each part is labelled and
    judged by words of its own contributors: the old ones stay with the part that has them. Words
    that no contributor has, such as a label given by hand, stay with the old unit.

    Args:
        pyramid: The pyramid.
        unit: Its index.
        contributors: The indices of those that move; at least one, and not all.
        label: Of the new unit (default: an idea or, in a pyramid without ideas, the words of one
            of its contributors).
    """
    whole = _unit(pyramid, unit)
    moving = set(contributors)
    if not moving <= set(range(len(whole.contributors))):
        raise InputError(f"unit {unit} has no such contributor")
    if not 0 < len(moving) < len(whole.contributors):
        raise InputError("splitting needs some of a unit's contributors, not none and not all")
    moved = [c for index, c in enumerate(whole.contributors) if index in moving]
    rest = [c for index, c in enumerate(whole.contributors) if index not in moving]
    stays = whole.judged not in {contributor.text for contributor in moved}
    old, new = _part(whole, rest, stays), _part(whole, moved, not stays)
    by_hand = whole.judged not in {contributor.text for contributor in whole.contributors}
    if any(one.clause for one in pyramid.units):
        taken = {one.label for index, one in enumerate(pyramid.units) if index != unit}
        if not by_hand:
            old = _with_idea(old, whole, pyramid.references, taken)
        new = _with_idea(new, whole, pyramid.references, taken | {old.label})
    if label is not None:
        new = replace(new, label=_checked(label), clause="")
    return _replaced(pyramid, [unit], [old, new])


def delete(pyramid: Pyramid, unit: int) -> Pyramid:
    """Remove a unit; the last one stays."""
    _unit(pyramid, unit)
    if len(pyramid.units) == 1:
        raise InputError("the last unit cannot be deleted")
    return _replaced(pyramid, [unit], [])


def add(pyramid: Pyramid, label: str, weight: int = 1) -> Pyramid:
    """Add a unit that no reference expresses."""
    if not 1 <= weight <= MOST_WEIGHT:
        raise InputError(f"a weight is from 1 to {MOST_WEIGHT}, not {weight}")
    return _replaced(pyramid, [], [Unit(_checked(label), (), weight_given=weight)])


_EDITS: Final[Mapping[str, Callable[..., Pyramid]]] = {
    "merge": merge,
    "split": split,
    "rename": rename,
    "reweigh": reweigh,
    "delete": delete,
    "add": add,
}


def edited(pyramid: Pyramid, edits: Iterable[Mapping[str, Any]]) -> Pyramid:
    """Apply edits one after the other.

    To undo the last edit, apply all but the last to the first pyramid.

    Args:
        pyramid: The first pyramid.
        edits: Each with `do`, the name of a function here, and its keyword arguments.

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


def _unit(pyramid: Pyramid, index: int) -> Unit:
    if not 0 <= index < len(pyramid.units):
        raise InputError(f"there is no unit {index}; the pyramid has {len(pyramid.units)}")
    return pyramid.units[index]


def _checked(label: str) -> str:
    words = " ".join(label.split())
    if not words:
        raise InputError("the label of a unit needs some words")
    return words


def _part(whole: Unit, contributors: Sequence[Contributor], has_words: bool) -> Unit:
    """Return a part of a unit; if it does not have the unit's words, it gets its first ones."""
    label, clause = (whole.label, whole.clause) if has_words else (contributors[0].text, "")
    attraction = whole.attraction if len(contributors) > 1 else 1.0
    return _counted(Unit(label, tuple(contributors), attraction, clause=clause))


def _with_idea(part: Unit, whole: Unit, references: Sequence[str], taken: Set[str]) -> Unit:
    return with_own_idea(part, references, whole.label, whole.judged, taken)


def _counted(unit: Unit) -> Unit:
    """Weigh a unit by its references, each counted once; without references it weighs 1."""
    return _weighted(unit, max(len({c.reference for c in unit.contributors}), 1))


def _weighted(unit: Unit, weight: int) -> Unit:
    return replace(unit, weight_given=None if weight == len(unit.contributors) else weight)


def _replaced(pyramid: Pyramid, removed: Sequence[int], new: Sequence[Unit]) -> Pyramid:
    """Replace units, and put a hash of the units into the signature, before the version."""
    kept = [unit for index, unit in enumerate(pyramid.units) if index not in removed]
    changed = replace(pyramid, units=(*kept, *new))
    units = json.dumps(changed.to_dict()["units"], ensure_ascii=False)
    digest = hashlib.sha256(units.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    fields = {key: value for key, value in pyramid.signature.fields if key != "edited"}
    version = {"v": fields.pop("v")} if "v" in fields else {}
    fields |= {"edited": digest} | version
    return replace(changed, signature=Signature(pyramid.signature.measure, tuple(fields.items())))
