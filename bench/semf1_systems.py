"""SEM-F1 of the 50 AllSides systems beside the authors' own figures, with their correlation.

    python bench/semf1_systems.py DATA_FOLDER [--encoder NAME] [--baselines] [--json OUT]

`ours` splits as commonground does by default; `ours_punkt` as the authors' splitters do, to which a
list of bullets is one long sentence, so it is the column to compare with theirs.

`--baselines` adds the two random baselines of the SEM-F1 paper (section 6.2) for each system.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

from scipy.stats import pearsonr, spearmanr

from commonground.io import read_events, read_predictions
from commonground.metrics import SemF1, random_output, random_reference

OUT = Path(__file__).parent / "out"
PUBLISHED = ("semf1_use", "semf1_pv1", "semf1_stsb")


def main() -> None:
    """Print the table and the correlations, and write them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with sos/allsides_*")
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--baselines", action="store_true", help="also the random baselines")
    parser.add_argument("--json", type=Path, default=OUT / "semf1_systems.json", help="the figures")
    arguments = parser.parse_args()
    folder = arguments.data / "sos"
    with (folder / "allsides_published_scores.tsv").open(encoding="utf-8", newline="") as stream:
        published = {row["system"]: row for row in csv.DictReader(stream, delimiter="\t")}
    corpora = _corpora(folder)
    measures = {
        "ours": SemF1(arguments.encoder),
        "ours_punkt": SemF1(arguments.encoder, splitter="punkt"),
    }
    scores = {
        key: measure.corpora(corpora, progress=_progress) for key, measure in measures.items()
    }
    rows = []
    for system, corpus in corpora.items():
        row: dict[str, float | str] = {"system": system}
        row |= {key: scores[key][system].mean.f1 for key in measures}
        row |= {key: float(published[system][key]) for key in PUBLISHED}
        if arguments.baselines:
            row["random_reference"] = random_reference(measures["ours"], *corpus).mean.f1
            row["random_output"] = random_output(measures["ours"], *corpus).mean.f1
        rows.append(row)
    correlations = {
        key: {name: _correlations(rows, key, name) for name in PUBLISHED} for key in measures
    }
    signatures = {key: str(next(iter(scores[key].values())).signature) for key in measures}
    _print(rows, correlations, signatures)
    found = {"systems": rows, "correlations": correlations, "signatures": signatures}
    arguments.json.parent.mkdir(exist_ok=True)
    arguments.json.write_text(json.dumps(found, indent=2))


def _correlations(rows: list[dict[str, float | str]], key: str, name: str) -> dict[str, float]:
    ours, theirs = ([float(row[column]) for row in rows] for column in (key, name))
    return {
        "pearson": float(pearsonr(ours, theirs).statistic),
        "spearman": float(spearmanr(ours, theirs).statistic),
    }


def _corpora(folder: Path) -> dict[str, tuple[list[str], list[tuple[str, ...]]]]:
    events = read_events(folder / "allsides_references.jsonl")
    corpora: dict[str, tuple[list[str], list[tuple[str, ...]]]] = {}
    for prediction in read_predictions(folder / "allsides_system_outputs.jsonl.gz"):
        summaries, references = corpora.setdefault(prediction.system, ([], []))
        summaries.append(prediction.summary)
        references.append(events[prediction.id].references)
    return corpora


def _print(
    rows: list[dict[str, float | str]],
    correlations: dict[str, dict[str, dict[str, float]]],
    signatures: dict[str, str],
) -> None:
    columns = [key for key in rows[0] if key != "system"]
    print(f"{'system':<45}" + "".join(f"{key:>18}" for key in columns))
    for row in sorted(rows, key=lambda row: -float(row["ours"])):
        print(f"{row['system']:<45}" + "".join(f"{row[key]:>18.3f}" for key in columns))
    for statistic in ("pearson", "spearman"):
        for key, found in correlations.items():
            values = "".join(f"{found[name][statistic]:>18.3f}" for name in PUBLISHED)
            print(f"{statistic + ' with ' + key:<81}{values}")
    for key, signature in signatures.items():
        print(f"{key}: {signature}")


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total} sentences", end="", file=sys.stderr)


if __name__ == "__main__":
    main()
