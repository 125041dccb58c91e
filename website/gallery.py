"""Make the pages and plots of the gallery from our own examples: python website/gallery.py OUT."""

import shutil
import sys
from pathlib import Path

import commonground as cg
from commonground import benchmark
from commonground.io import Narrative, read_text
from commonground.narratives import Overlaps

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
OVERLAPS = {
    "news": "Two newspapers on a flood",
    "three-way": "Three views of a closed pool",
    "policies": "Two privacy policies",
    "witnesses": "Two witnesses of an accident",
}


def main() -> None:
    """Write everything into the folder given."""
    folder = Path(sys.argv[1])
    done = folder / "done"
    newest = max(path.stat().st_mtime for path in inputs())
    if done.exists() and done.stat().st_mtime > newest:
        return
    shutil.rmtree(folder, ignore_errors=True)  # pages of another version
    folder.mkdir(parents=True)
    overlaps(folder)
    verified(folder)
    pyramid(folder)
    study(folder)
    done.touch()


def inputs() -> list[Path]:
    """Return the files that the pages depend on."""
    return [
        path
        for top in (EXAMPLES, ROOT / "src", Path(__file__).parent)
        for path in top.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]


def narratives(name: str) -> list[Narrative]:
    """Return the narratives of an example."""
    paths = sorted((EXAMPLES / "overlap" / name).glob("*.txt"))
    return [Narrative(path.stem, read_text(path)) for path in paths]


def overlaps(folder: Path) -> None:
    """Write the pages of overlaps."""
    finder = Overlaps()
    for name, title in OVERLAPS.items():
        finder.find(narratives(name)).to_html(folder / f"{name}.html", title=title)


def verified(folder: Path) -> None:
    """Write the page of a summary checked against its sources."""
    summary = read_text(EXAMPLES / "verify" / "written-by-a-model.txt")
    cg.verify(summary, narratives("news"), mode="flag").to_html(folder / "verified.html")


def pyramid(folder: Path) -> None:
    """Write the pyramid of a class and the feedback to a student."""
    references = [read_text(path) for path in sorted((EXAMPLES / "class/references").glob("*.txt"))]
    built = cg.Pyramid.build(references)
    built.to_html(folder / "pyramid.html", title="Street lamps: the ideas of four references")
    run_class(folder, built)


def run_class(folder: Path, built: cg.Pyramid) -> None:
    """Write the feedback pages with the command line, as a teacher would."""
    from commonground.cli import run

    built.save(folder / "pyramid.json")
    students = str(EXAMPLES / "class" / "students")
    output = ["--feedback", str(folder / "class"), "--csv", str(folder / "class.csv")]
    code = run(["pyramid", "score", str(folder / "pyramid.json"), students, *output])
    if code:
        sys.exit(code)


def study(folder: Path) -> None:
    """Write the tables and plots of the example study."""
    here = EXAMPLES / "study"
    run = folder / "study"
    benchmark.make_run(
        run,
        here / "events.jsonl",
        [here / "outputs.jsonl"],
        benchmark.Config(title="Example study (illustrative)", pyramids=("edua-g", "manual")),
        labels=sorted((here / "labels").glob("*.csv")),
        scores=[here / "scores.csv"],
        pyramids=here / "pyramids",
    )
    made = benchmark.Study(run)
    plots = benchmark.make_plots(made, run / "tables")
    benchmark.write_tables(benchmark.make_tables(made), run / "tables", plots=plots)
    benchmark.write_leaderboard(run / "leaderboard.html", [run])


if __name__ == "__main__":
    main()
