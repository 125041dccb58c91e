"""Narratives from files, named so that they can be told apart."""

from collections.abc import Sequence
from pathlib import Path

from commonground.io import Narrative, read_text


def read_narratives(paths: Sequence[Path]) -> list[Narrative]:
    """A narrative for each file, with the name of `names`."""
    return [
        Narrative(name, read_text(path)) for name, path in zip(names(paths), paths, strict=True)
    ]


def names(paths: Sequence[Path]) -> list[str]:
    """The file's name; where another has the same, with as many folders as tell them apart.

    Example:
        >>> names([Path("x/monday/a.txt"), Path("x/friday/a.txt"), Path("x/friday/b.txt")])
        ['monday/a.txt', 'friday/a.txt', 'b.txt']
    """
    return [_name(path, paths) for path in paths]


def _name(path: Path, paths: Sequence[Path]) -> str:
    depth = 1
    others = [other for other in paths if other != path]
    while depth < len(path.parts) and any(
        _tail(other, depth) == _tail(path, depth) for other in others
    ):
        depth += 1
    return Path(*_tail(path, depth)).as_posix()


def _tail(path: Path, depth: int) -> tuple[str, ...]:
    return path.parts[-depth:]
