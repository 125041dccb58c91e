"""Presets: named sets of choices for building a pyramid and scoring with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from commonground.encoders import Encoder, Wtmf
from commonground.errors import unknown_name
from commonground.score import Signature

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")  # as in WTMF
# Digits that form a word of their own, so not those of "10th" or "B2B".
_NUMBER: Final = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*(?![^\W_])")


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of choices."""

    builders: tuple[str, ...]  # the builders of the units, the default first
    encoder: str  # the default encoder
    method: str  # the default scoring method
    threshold: float  # the default match threshold, with any encoder
    tags_numbers: bool  # whether to replace numbers by a tag before encoding


PRESETS: Final = {
    "pyreval": Preset(("edua-g", "edua-c"), "sif", "pyreval", threshold=0.5, tags_numbers=True)
}
"""`pyreval`: the choices of Gao, Sun and Passonneau (2019) and of their code."""


def preset(name: str) -> Preset:
    """Return the preset of a name."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]


def preset_of(pyramid: Signature) -> Preset | None:
    """Return the preset in a pyramid's signature."""
    name = pyramid.to_dict().get("preset")
    return None if name is None else preset(name)


def prepared(texts: Sequence[str], encoder: Encoder) -> list[str]:
    """Return segments as PyrEval encodes them: numbers as a tag and, for WTMF, every word once."""
    tagged = number_tagged(texts)
    if not isinstance(encoder, Wtmf):
        return tagged
    return [" ".join(dict.fromkeys(_WORD.findall(text.lower()))) for text in tagged]


def number_tagged(texts: Sequence[str]) -> list[str]:
    """Replace every number written in digits by a tag.

    Example:
        >>> number_tagged(["In 2019 some 1,200 of the 10th grade came"])
        ['In <NUM> some <NUM> of the 10th grade came']
    """
    return [_NUMBER.sub("<NUM>", text) for text in texts]
