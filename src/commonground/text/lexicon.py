"""Word lists from data files: TOML of this package, or a list of any package."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lexicon(name: str) -> Mapping[str, Any]:
    """Return the content of `data/NAME.toml`."""
    return tomllib.loads(files(__package__).joinpath(f"data/{name}.toml").read_text("utf-8"))


def list_lines(package: str, name: str) -> list[str]:
    """Return the lines of `data/NAME.txt` of a package, without empty ones and comments."""
    lines = files(package).joinpath(f"data/{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def words(text: str) -> frozenset[str]:
    """Return the entries of a list, separated by commas or else by white space."""
    return frozenset(" ".join(entry.split()) for entry in text.split("," if "," in text else None))
