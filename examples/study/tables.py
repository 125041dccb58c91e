"""Rebuild every kind of table on the example study: `python examples/study/tables.py [FOLDER]`.

The run and its tables go into FOLDER, or into `study-run` in the current folder. It takes about
half a minute, needs no network, and goes on where it was interrupted. Plots need matplotlib:
pip install 'commonground[plots]'.
"""

import sys
from pathlib import Path

from commonground import benchmark
from commonground.errors import MissingExtraError

HERE = Path(__file__).parent


def main() -> None:
    """Run, make the tables, and say where they are."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "study-run")
    benchmark.make_run(
        folder,
        HERE / "events.jsonl",
        [HERE / "outputs.jsonl"],
        benchmark.Config(
            title="Example study (illustrative)",
            pyramids=("edua-g", "edua-c", "edua-g+wmin", "manual"),
            grid=True,
        ),
        labels=sorted((HERE / "labels").glob("*.csv")),
        scores=[HERE / "scores.csv"],
        pyramids=HERE / "pyramids",
        announce=_announce,
    )
    study = benchmark.Study(folder)
    tables = benchmark.make_tables(study)
    try:
        plots = benchmark.make_plots(study, folder / "tables")
    except MissingExtraError as error:
        plots = {}
        sys.stderr.write(f"no plots: {error}\n")
    benchmark.write_tables(tables, folder / "tables", plots=plots)
    benchmark.write_leaderboard(folder / "leaderboard.html", [folder])
    sys.stdout.write(f"{benchmark.Report.compare(study, metrics=['sem-f1.minilm', 'rouge1'])}\n\n")
    for line in tables.absent.values():
        sys.stdout.write(f"not made: {line}\n")
    sys.stdout.write(f"{len(tables.found)} tables: {folder / 'tables' / 'index.html'}\n")


def _announce(step: str) -> None:
    sys.stderr.write(f"{step} ...\n")


if __name__ == "__main__":
    main()
