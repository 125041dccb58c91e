"""Word lists of the package: data files with one word a line."""

from functools import cache
from importlib.resources import files


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of `data/NAME.txt`."""
    return frozenset(data_text(f"{name}.txt").split())


def data_text(name: str) -> str:
    """Return the text of a data file of the package."""
    return (files("commonground.narratives") / "data" / name).read_text("utf-8")
