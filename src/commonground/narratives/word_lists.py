"""Data files of the package: word lists and fitted weights."""

from functools import cache
from importlib.resources import files

from commonground import text


def data_text(name: str) -> str:
    """Return the text of a data file."""
    return (files("commonground.narratives") / "data" / name).read_text("utf-8")


def list_lines(name: str) -> list[str]:
    """Return the lines of `data/NAME.txt`, without empty ones and comments."""
    return text.list_lines("commonground.narratives", name)


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words or phrases of `data/NAME.txt`, one a line."""
    return frozenset(list_lines(name))
