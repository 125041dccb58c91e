"""Data files of the package: word lists and fitted weights."""

from functools import cache
from importlib.resources import files


def data_text(name: str) -> str:
    """Return the text of a data file."""
    return (files("commonground.narratives") / "data" / name).read_text("utf-8")


def list_lines(name: str) -> list[str]:
    """Return the lines of `data/NAME.txt`, without empty ones and comments."""
    lines = data_text(f"{name}.txt").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words or phrases of `data/NAME.txt`, one a line."""
    return frozenset(list_lines(name))
