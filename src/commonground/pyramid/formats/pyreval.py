"""Pyramids of PyrEval: XML without weights, where a unit is a list of contributors.

    <Pyramid><scu uid="0"><contributor label="It rained." /> ... </scu> ... </Pyramid>

PyrEval also writes lines of `SCU`, unit, weight and contributor with tabs between them.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from commonground.errors import InputError
from commonground.io import read_text
from commonground.pyramid.formats.xml import attribute
from commonground.pyramid.unit import Contributor, Unit
from commonground.score import Signature

TAG: Final = "Pyramid"
LINE: Final = "SCU\t"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # none in XML

_Parts = tuple[tuple[Unit, ...], tuple[str, ...], Signature]


def parse(root: Element, path: Path) -> _Parts:
    """Return the units, the texts of the references (all empty) and the signature of a file.

    The weight of a unit is the number of its contributors, and the first one is its label. There
    are as many references as the greatest weight, unless the file has the number.
    """
    units: dict[str, list[str]] = {}
    for scu in root.iter("scu"):
        uid = attribute(scu, "uid", path)
        if uid in units:
            raise InputError(f"{path}: two units have the number {uid}")
        units[uid] = [attribute(part, "label", path) for part in scu.iter("contributor")]
    given = root.get("references", "0")
    if not (given.isdecimal() and len(given) < 6):
        raise InputError(f"{path}: references must be a whole number, not {given!r}")
    return _parts(units, int(given), path)


def parse_lines(path: Path) -> _Parts:
    """Return the same for a file of lines."""
    units: dict[str, list[str]] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        fields = line.split("\t", 3)
        if len(fields) < 4 or not fields[2].isdecimal():
            raise InputError(f"{path}, line {number}: must be SCU, unit, weight, words, with tabs")
        units.setdefault(fields[1], []).append(" ".join(fields[3].split()))
    return _parts(units, 0, path)


def _parts(texts: dict[str, list[str]], given: int, path: Path) -> _Parts:
    for uid, contributors in texts.items():
        if not contributors:
            raise InputError(f"{path}: unit {uid} has no contributor, so it has no weight")
    units = tuple(
        Unit(contributors[0], tuple(Contributor(i, text) for i, text in enumerate(contributors)))
        for contributors in texts.values()
    )
    count = max((unit.weight for unit in units), default=0)
    references = ("",) * max(count, given)
    signature = Signature.of("PYRAMID", builder="pyreval-file", refs=str(len(references)))
    return units, references, signature


def written(units: Iterable[Unit], references: Sequence[str]) -> str:
    """Return the XML of a pyramid; the words that are judged come first in a unit.

    Raises:
        InputError: A weight was set by hand, since the format has no weights.
    """
    root, most = Element(TAG), 0
    for uid, unit in enumerate(units):
        texts = [contributor.text for contributor in unit.contributors]
        if unit.weight != len(texts):
            raise InputError(
                f"the unit {unit.label!r} has the weight {unit.weight} and {len(texts)} "
                "contributors; PyrEval has no other weights, so save the pyramid as JSON"
            )
        scu = SubElement(root, "scu", uid=str(uid))
        for text in sorted(texts, key=lambda text: text != unit.judged):
            SubElement(scu, "contributor", label=_CONTROL.sub(" ", text))
        most = max(most, len(texts))
    if most < len(references):  # PyrEval ignores it
        root.set("references", str(len(references)))
    return tostring(root, encoding="unicode")
