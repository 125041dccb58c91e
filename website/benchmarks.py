"""The page of benchmark figures, from the JSON that the scripts in bench/ write."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDERS = ("bench/results", "bench/out")

HEAD = """# Benchmarks

Every figure comes from a script in `bench/` that prints a table and writes JSON. This page is made
from that JSON: from `bench/results/`, which is part of the repository, and from `bench/out/`, where
your own runs go and replace the former. Most scripts take the path of a data set that we may not
redistribute.
"""


def benchmark_page(root: Path) -> str:
    """Return the page as Markdown."""
    found = {
        path.stem: path for folder in FOLDERS for path in sorted((root / folder).glob("*.json"))
    }
    parts = [HEAD]
    for name, path in sorted(found.items()):
        script = root / "bench" / f"{name}.py"
        about = summary_of(script) if script.exists() else ""
        parts.append(
            f"## {name.replace('_', ' ').capitalize()}\n\n{about}\n\nFrom `bench/{name}.py`.\n"
        )
        parts.append(table(json.loads(path.read_text("utf-8"))))
    if not found:
        parts.append("No figures yet: run a script in `bench/`.\n")
    return "\n".join(parts)


def summary_of(script: Path) -> str:
    """Return the first paragraph of a script's docstring."""
    text = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def table(values: Any) -> str:
    """Return the numbers as a Markdown table: a row for each path of names."""
    rows = list(leaves(values, ()))
    depth = max((len(path) for path, _ in rows), default=1)
    names = [*("group", "part", *[""] * depth)[: depth - 1], "figure"]
    lines = [f"| {' | '.join([*names, 'value'])} |", f"|{'---|' * len(names)}---:|"]
    for path, value in rows:
        cells = [*path[:-1], *[""] * (depth - len(path)), path[-1]]
        lines.append(f"| {' | '.join([*map(escaped, cells), value])} |")
    return "\n".join(lines) + "\n"


def leaves(values: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every number with the names that lead to it; three are a value with interval."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from leaves(value, (*path, str(name)))
    elif isinstance(values, list) and len(values) == 3 and all(map(is_number, values)):
        value, low, high = map(shown, values)
        yield path, f"{value} ({low} to {high})"
    elif is_number(values):
        yield path, shown(values)


def is_number(value: Any) -> bool:
    """Whether a value is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: float) -> str:
    """Return a number as people read it."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"


def escaped(text: str) -> str:
    """Return the text of a cell."""
    return text.strip().replace("|", r"\|")
