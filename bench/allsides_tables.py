"""The papers' ROUGE and SEM-F1 tables for the 50 AllSides systems, and what they must show.

    python bench/allsides_tables.py DATA_FOLDER [--encoder NAME] [--run FOLDER] [--json OUT]

1. `commonground score` on all 50 systems x 137 events, with an empty vector cache and again with a
   full one, timed from start to end.
2. A run folder with ROUGE, SEM-F1, both random baselines and the scores against single references;
   its tables beside the authors' published scores.

It fails (exit code 1) where ROUGE is further than .003 from the published columns in the mean,
where the references agree better by ROUGE than by SEM-F1, or where chance is not far below the
scores.
`--run` keeps the run folder, which holds the data's texts.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commonground.benchmark import Config, Study, make_run, make_tables
from commonground.report import to_markdown

OUT = Path(__file__).parent / "out"
KINDS = ("rouge1", "rouge2", "rougeL")
CLOSE = 0.003
FAR = 0.2  # how far below the mean score the mean of chance must be
COLD, WARM = 300, 20  # seconds


def main() -> None:
    """Print the tables and the checks, and write the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--run", type=Path, help="keep the run folder here")
    parser.add_argument("--json", type=Path, default=OUT / "allsides_tables.json")
    arguments = parser.parse_args()
    folder = arguments.data / "sos"
    with tempfile.TemporaryDirectory() as name:
        cache = Path(name) / "cache"
        seconds = {key: _timed(folder, cache, arguments.encoder) for key in ("cold", "warm")}
        os.environ["COMMONGROUND_CACHE"] = str(cache)
        config = Config(
            encoders=(arguments.encoder,),
            stemmer=False,  # as in the published columns
            draws=1,
            title="AllSides, 50 systems",
        )
        run = arguments.run or Path(name) / "run"
        make_run(
            run,
            folder / "allsides_references.jsonl",
            [folder / "allsides_system_outputs.jsonl.gz"],
            config,
            announce=lambda step: print(f"{step} ...", file=sys.stderr),
        )
        study = Study(run)
        tables = make_tables(study, ("rouge", "sem-f1", "references"))
        for table in tables.found.values():
            print(to_markdown(table), end="\n\n")
        figures = _figures(study, tables.found, _published(folder), arguments.encoder)
    figures["seconds"] = seconds
    failed = _print(figures)
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=2))
    sys.exit(1 if failed else 0)


def _timed(folder: Path, cache: Path, encoder: str) -> dict[str, float]:
    """One `commonground score` of everything: reading, scoring, intervals, printing.

    On a busy machine the wall clock says little, so the processor time stands beside it.
    """
    command = [sys.executable, "-m", "commonground", "score", "--json", "--encoder", encoder]
    command += ["--rouge-types", ",".join(KINDS)]
    command += ["--predictions", str(folder / "allsides_system_outputs.jsonl.gz")]
    command += ["--references", str(folder / "allsides_references.jsonl")]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = os.environ | {"COMMONGROUND_CACHE": str(cache)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "processor": used}


def _published(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "allsides_published_scores.tsv").open(encoding="utf-8", newline="") as stream:
        return {row["system"]: row for row in csv.DictReader(stream, delimiter="\t")}


def _figures(
    study: Study, tables: dict[str, dict], published: dict[str, dict[str, str]], encoder: str
) -> dict[str, dict]:
    differences = {}
    for kind in KINDS:
        ours = study.values(kind)
        off = [abs(sum(v) / len(v) - float(published[s][kind])) for s, v in ours.items()]
        differences[kind] = {"mean": sum(off) / len(off), "greatest": max(off)}
    references = {
        row[0]: {"mean": row[2], "mean of greatest": float(row[3])}
        for row in tables["references"]["rows"]
        if row[1] == "average"
    }
    rows = [row for row in tables["sem-f1"]["rows"] if row[0] in study.outputs]
    actual, reference, output = ([row[place] for row in rows] for place in (3, 5, 6))
    chance = {
        "lowest score": min(actual),
        "mean score": sum(actual) / len(actual),
        "mean random reference": sum(reference) / len(reference),
        "mean random output": sum(output) / len(output),
        "highest of chance": max(*reference, *output),
        "least distance": min(
            score - max(one, other)
            for score, one, other in zip(actual, reference, output, strict=True)
        ),
    }
    return {
        "rouge": differences,
        "references": references,
        "chance": chance,
        "signatures": study.signatures,
    }


def _print(figures: dict[str, dict]) -> bool:
    """The checks in words; whether one failed. Times are told, and judged by the reader."""
    semf1 = next(v for k, v in figures["references"].items() if k.startswith("sem-f1"))
    rouge = [figures["references"][kind] for kind in KINDS]
    checks = {
        f"ROUGE within {CLOSE} of the published columns (mean absolute difference)": all(
            one["mean"] <= CLOSE for one in figures["rouge"].values()
        ),
        "references agree better by SEM-F1 than by ROUGE (mean of systems)": all(
            semf1["mean"] > one["mean"] for one in rouge
        ),
        "references agree better by SEM-F1 than by ROUGE (mean of greatest)": all(
            semf1["mean of greatest"] > one["mean of greatest"] for one in rouge
        ),
        f"chance at least {FAR} below the scores (means)": figures["chance"]["mean score"] - FAR
        >= max(figures["chance"][f"mean random {kind}"] for kind in ("reference", "output")),
        "chance below the score of every single system": figures["chance"]["least distance"] > 0,
    }
    for part in ("rouge", "references", "chance"):
        print(f"{part}:")
        for key, value in figures[part].items():
            shown = value if isinstance(value, dict) else {"": value}
            print("  " + key.ljust(24) + "  ".join(f"{k} {v:.4f}" for k, v in shown.items()))
    for key, limit in (("cold", COLD), ("warm", WARM)):
        seconds = figures["seconds"][key]
        print(
            f"score, {key} cache: {seconds['wall']:.1f} s (aim: under {limit} s on 2 idle cores); "
            f"processor time {seconds['processor']:.1f} s; load {os.getloadavg()[0]:.1f}"
        )
    for what, held in checks.items():
        print(f"{'holds' if held else 'FAILS'}: {what}")
    return not all(checks.values())


if __name__ == "__main__":
    main()
