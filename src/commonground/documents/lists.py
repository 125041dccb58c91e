"""The lists of words in `data/`."""

import tomllib
from functools import cache
from importlib import resources


def tags(kind: str) -> frozenset[str]:
    """Return the HTML elements of a kind: `unseen`, `block` or `furniture`."""
    return frozenset(tomllib.loads(_content("tags.toml"))[kind].split())


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of `data/NAME.txt` without comments."""
    found = _content(f"{name}.txt").splitlines()
    return tuple(line for line in found if line and not line.startswith("#"))


def _content(name: str) -> str:
    return resources.files(__package__).joinpath(f"data/{name}").read_text("utf-8")
