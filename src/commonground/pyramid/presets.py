"""Named sets of choices: how a pyramid is built and how summaries are scored with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from commonground.errors import unknown_name
from commonground.score import Signature

TAG: Final = "<NUM>"
# Digits that are a word of their own, so not those of "10th" or "B2B".
_NUMBER: Final = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*(?![^\W_])")


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of choices.

    Attributes:
        builder: What finds the units.
        encoder: What makes the vectors, unless another is named.
        method: How summaries are scored, unless another way is named.
        tags_numbers: Whether every number becomes a tag before it is encoded.
    """

    builder: str
    encoder: str
    method: str
    tags_numbers: bool


PRESETS: Final = {"pyreval": Preset("edua-g", "sif", "wmin", tags_numbers=True)}
"""`pyreval`: the choices of Gao, Sun and Passonneau (2019)."""


def preset(name: str) -> Preset:
    """The preset of a name."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]


def preset_of(pyramid: Signature) -> Preset | None:
    """The preset that a pyramid was built with, by its signature."""
    name = pyramid.to_dict().get("preset")
    return None if name is None else preset(name)


def number_tagged(texts: Sequence[str]) -> list[str]:
    """The texts with a tag for every number that is written in digits.

    Example:
        >>> number_tagged(["In 2019 some 1,200 of the 10th grade came"])
        ['In <NUM> some <NUM> of the 10th grade came']
    """
    return [_NUMBER.sub(TAG, text) for text in texts]
