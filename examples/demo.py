"""What `make demo` shows: what narratives of one event agree on, and pages of it.

python examples/demo.py [FOLDER], where FOLDER is where the pages go (demo-pages).
"""

import sys
from html import escape
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from commonground.io import Narrative, read_text
from commonground.narratives import Overlap, Overlaps

EXAMPLES = Path(__file__).parent / "overlap"
TITLES = {
    "news": "Two newspapers on a flood",
    "witnesses": "Two witnesses of an accident",
    "policies": "Two privacy policies",
    "reviews": "Two reviews of a paper",
    "clinical": "Two clinical notes on a patient",
    "three-way": "Three views of a closed pool",
    "unrelated": "Two texts with nothing in common",
}


def main() -> None:
    """Compare the narratives of each example; show the findings and write the pages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "demo-pages")
    folder.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False, width=min(Console().width, 100))
    finder = Overlaps()
    for name, title in TITLES.items():
        paths = sorted((EXAMPLES / name).glob("*.txt"))
        found = finder.find([Narrative(path.stem, read_text(path)) for path in paths])
        show(console, title, found)
        found.to_html(folder / f"{name}.html", title=title)
    index = folder / "index.html"
    index.write_text(contents(), encoding="utf-8")
    console.print("\nThe narratives side by side, with all evidence:", style="bold")
    console.print(f"  {index.resolve().as_uri()}", soft_wrap=True)
    console.print("\nYour own narratives:", style="bold")
    console.print("  .venv/bin/commonground overlap LEFT.txt RIGHT.txt --html page.html")


def show(console: Console, title: str, found: Overlap) -> None:
    """The statements with who says them, and how much else there is."""
    sources = ", ".join(narrative.source for narrative in found.narratives)
    console.print(Text.assemble("\n", (title, "bold underline"), (f"  {sources}", "dim")))
    if not found.statements:
        console.print(str(found), markup=False)
    lines = Table.grid(padding=(0, 1))
    for number, statement in enumerate(found.statements, start=1):
        lines.add_row(Text(f"[{number}]", "bold blue"), Text(statement.text))
        for passage in statement.evidence:
            quoted = " ".join(passage.text.split())
            if quoted.rstrip(".") != statement.text.rstrip("."):
                said = (f"{found.narratives[passage.narrative].source}: ", "italic")
                lines.add_row("", Text.assemble(said, quoted, style="dim"))
    for conflict in found.conflicts:
        sides = [
            f"{found.narratives[side.narrative].source} says {' '.join(side.value.split())}"
            for side in conflict.sides
        ]
        lines.add_row(Text("≠", "bold red"), Text(f"{conflict.kind}: {', '.join(sides)}"))
    console.print(lines)
    alone = [
        f"{sum(one.narrative == place for one in found.unique)} in {narrative.source}"
        for place, narrative in enumerate(found.narratives)
    ]
    console.print(f"Sentences that stand alone: {', '.join(alone)}", style="dim", markup=False)


def contents() -> str:
    """A page that leads to the others."""
    items = "\n".join(
        f'<li><a href="{name}.html">{escape(title)}</a></li>' for name, title in TITLES.items()
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Common ground'
        '</title>\n<meta name="viewport" content="width=device-width">\n'
        "<style>:root { color-scheme: light dark } "
        "body { font: 1.1rem/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; "
        "padding: 0 1rem }</style></head>\n"
        f"<body><h1>Common ground</h1>\n<ul>\n{items}\n</ul></body>\n</html>\n"
    )


if __name__ == "__main__":
    main()
