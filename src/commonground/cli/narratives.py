"""Narratives from files, with unique names."""

from collections.abc import Sequence
from pathlib import Path

from commonground.io import Narrative, read_text


def read_narratives(paths: Sequence[Path]) -> list[Narrative]:
    """Read a narrative from each file."""
    return [
        Narrative(name, read_text(path)) for name, path in zip(names(paths), paths, strict=True)
    ]


def names(paths: Sequence[Path]) -> list[str]:
    """Return the file names, with as many parent folders as make them unique.

    Example:
        >>> names([Path("x/monday/a.txt"), Path("x/friday/a.txt"), Path("x/friday/b.txt")])
        ['monday/a.txt', 'friday/a.txt', 'b.txt']
    """
    return [_name(path, paths) for path in paths]


def _name(path: Path, paths: Sequence[Path]) -> str:
    depth = 1
    others = {other.parts for other in paths if other != path}
    while depth < len(path.parts) and path.parts[-depth:] in {p[-depth:] for p in others}:
        depth += 1
    return Path(*path.parts[-depth:]).as_posix()
