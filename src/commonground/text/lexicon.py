"""Word lists from the TOML files in `data`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lexicon(name: str) -> Mapping[str, Any]:
    """Return the content of `data/NAME.toml`."""
    return tomllib.loads(files(__package__).joinpath(f"data/{name}.toml").read_text("utf-8"))


def words(text: str) -> frozenset[str]:
    """Return the entries of a list, separated by commas or else by white space."""
    return frozenset(" ".join(entry.split()) for entry in text.split("," if "," in text else None))
