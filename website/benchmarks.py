"""The page of benchmark figures, from the JSON that the scripts in bench/ write."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDERS = ("bench/results", "bench/out")
FEW_ROWS, MOST_COLUMNS = 15, 10

TITLES = {
    "allsides_tables": "ROUGE and SEM-F1 on AllSides",
    "conflicts": "Conflicts in made examples",
    "given_units": "Given content units",
    "group": "Articles of one event",
    "label_agreement": "Agreement of labels",
    "match_threshold": "Thresholds of matches",
    "meta_realsumm": "Metrics and people on REALSumm",
    "pyramid_cc": "Pyramids of student summaries",
    "semf1_systems": "SEM-F1 and the authors' own",
    "verify_judged": "Verification, judged blind",
    "verify_outputs": "Verification and SEM-F1",
}

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
        title = TITLES.get(name, name.replace("_", " ").capitalize())
        parts.append(f"## {title}\n\n{about}\n\nFrom `bench/{name}.py`.\n")
        parts += tables(json.loads(path.read_text("utf-8")))
    if not found:
        parts.append("No figures yet: run a script in `bench/`.\n")
    return "\n".join(parts)


def summary_of(script: Path) -> str:
    """Return the first paragraph of a script's docstring."""
    text = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def tables(values: Any) -> list[str]:
    """Return a table, or one for each group of figures where the groups have groups."""
    found = dict(leaves(values, ()))
    if max(map(len, found), default=0) < 3 or len(found) < FEW_ROWS:
        return [table(values)]
    alone = {name: value for name, value in values.items() if is_number(value)}
    parts = [table(alone)] if alone else []
    for name, value in values.items():
        if name not in alone and any(leaves(value, ())):
            parts.append(f"**{escaped(name)}**\n\n{table(value)}")
    return parts


def table(values: Any) -> str:
    """Return the numbers as Markdown: names as columns where rows share them, else a long table."""
    found = dict(leaves(values, ()))
    columns = list(dict.fromkeys(path[-1] for path in found))
    parents = list(dict.fromkeys(path[:-1] for path in found))
    wide = len(parents) > 1 and len(columns) <= MOST_COLUMNS
    if not wide and 1 < len(parents) <= MOST_COLUMNS and {len(path) for path in found} == {2}:
        found = {path[::-1]: value for path, value in found.items()}  # sets of figures side by side
        wide, columns, parents = True, [one[0] for one in parents], [(one,) for one in columns]
    if wide:
        rows = [(parent, [found.get((*parent, one), "") for one in columns]) for parent in parents]
    else:
        columns, rows = ["value"], [(path, [value]) for path, value in found.items()]
    depth = max((len(path) for path, _ in rows), default=1)
    lines = [f"| {' | '.join([*[''] * depth, *map(escaped, columns)])} |"]
    lines.append(f"|{'---|' * depth}{'---:|' * len(columns)}")
    for path, cells in rows:
        names = [*map(escaped, path), *[""] * (depth - len(path))]
        lines.append(f"| {' | '.join([*names, *cells])} |")
    return "\n".join(lines) + "\n"


def leaves(values: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every number with the names that lead to it; three are a value with interval."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from leaves(value, (*path, str(name)))
    elif is_row_list(values):
        for row in values:
            named = ", ".join(value for value in row.values() if isinstance(value, str))
            yield from leaves(row, (*path, named))
    elif isinstance(values, list) and values and all(map(is_number, values)):
        first, *more = map(shown, values)
        yield (
            path,
            f"{first} ({more[0]} to {more[1]})" if len(more) == 2 else ", ".join((first, *more)),
        )
    elif is_number(values):
        yield path, shown(values)


def is_row_list(values: Any) -> bool:
    """Whether a value is a list of rows, which their strings name."""
    return isinstance(values, list) and bool(values) and all(isinstance(v, dict) for v in values)


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
