"""ROUGE against rouge-score: summaries a second, and the largest difference of any number.

Four types, stemming, several references by best F1. rouge-score is slow, so its speed is taken
on a sample spread over the systems; ours on all summaries in one `corpus` call, which includes
means and bootstrap intervals. With `--check` rouge-score goes over every summary too (minutes).

    python bench/rouge_speed.py DATA_FOLDER [--limit 300] [--check] [--json OUT]
"""

import argparse
import gzip
import json
import time
from pathlib import Path
from typing import Any

from rouge_score.rouge_scorer import RougeScorer

from commonground.metrics.rouge import Rouge, RougeScore

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
CLOSE = 1e-9

Item = tuple[str, list[str]]


def load(folder: Path) -> list[Item]:
    """Every system output with the references of its event, system by system."""
    lines = (folder / "sos/allsides_references.jsonl").read_text(encoding="utf-8").splitlines()
    references = {row["id"]: row["references"] for row in map(json.loads, lines)}
    with gzip.open(folder / "sos/allsides_system_outputs.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = sorted(map(json.loads, file), key=lambda row: (row["system"], row["id"]))
    return [(row["summary"], references[row["id"]]) for row in rows]


def spread(items: list[Item], count: int) -> list[int]:
    """Indices of a sample at even distances, so that every system is in it."""
    count = min(count, len(items))
    return [index * len(items) // count for index in range(count)]


def run_theirs(items: list[Item]) -> tuple[list[dict[str, Any]], float]:
    """rouge-score's results and its seconds."""
    scorer = RougeScorer(list(TYPES), use_stemmer=True)
    start = time.perf_counter()
    scores = [scorer.score_multi(references, summary) for summary, references in items]
    return scores, time.perf_counter() - start


def run_ours(items: list[Item]) -> tuple[tuple[RougeScore, ...], float]:
    """Our results and our seconds."""
    summaries, references = zip(*items, strict=True)
    start = time.perf_counter()
    corpus = Rouge(types=TYPES, stemmer=True).corpus(summaries, references)
    return corpus.items, time.perf_counter() - start


def differences(ours: list[RougeScore], theirs: list[dict[str, Any]]) -> dict[str, float]:
    """The largest difference of F1 and of precision and recall, and how many choices differ.

    Two references can tie in F1; rouge-score then takes the one listed first, we the one of
    higher recall, so that their order does not matter. Such a choice is counted, and its
    precision and recall are left out of the largest difference.
    """
    f1 = precision_recall = 0.0
    ties = 0
    for our, their in zip(ours, theirs, strict=True):
        for name in TYPES:
            apart = abs(our[name].f1 - their[name].fmeasure)
            parts = max(
                abs(our[name].precision - their[name].precision),
                abs(our[name].recall - their[name].recall),
            )
            f1 = max(f1, apart)
            if parts > CLOSE and apart <= CLOSE:
                ties += 1
            else:
                precision_recall = max(precision_recall, parts)
    return {"f1": f1, "precision_recall": precision_recall, "ties": ties}


def measure(items: list[Item], limit: int, check: bool) -> dict[str, Any]:
    """All figures of the table."""
    sample = spread(items, len(items) if check else limit)
    ours, our_seconds = run_ours(items)
    theirs, their_seconds = run_theirs([items[index] for index in sample])
    our_speed, their_speed = len(items) / our_seconds, len(theirs) / their_seconds
    return {
        "types": TYPES,
        "ours": {"summaries": len(items), "seconds": our_seconds, "per_second": our_speed},
        "rouge_score": {
            "summaries": len(theirs),
            "seconds": their_seconds,
            "per_second": their_speed,
        },
        "ratio": our_speed / their_speed,
        "largest_difference": differences([ours[index] for index in sample], theirs),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    apart = figures["largest_difference"]
    timed, total = (figures[tool]["summaries"] for tool in ("rouge_score", "ours"))
    lines = [f"{'tool':<14}{'summaries':>10}{'seconds':>10}{'per second':>12}"]
    for tool in ("rouge_score", "ours"):
        row = figures[tool]
        lines.append(
            f"{tool:<14}{row['summaries']:>10,}{row['seconds']:>10.2f}{row['per_second']:>12,.1f}"
        )
    lines += [
        f"ratio {figures['ratio']:.1f} (rouge_score timed on {timed:,} of {total:,}, ours on all)",
        f"largest difference on {timed:,} summaries x {len(TYPES)} types: "
        f"F1 {apart['f1']:.1e}, precision and recall {apart['precision_recall']:.1e}",
        f"equal F1 from another reference (a tie): {apart['ties']}",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder that holds sos/")
    parser.add_argument("--limit", type=int, default=300, help="summaries that time rouge-score")
    parser.add_argument("--check", action="store_true", help="compare every summary")
    parser.add_argument("--json", type=Path, default=Path("bench/out/rouge_speed.json"))
    arguments = parser.parse_args()
    figures = measure(load(arguments.data), max(1, arguments.limit), arguments.check)
    print(table(figures))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    apart = figures["largest_difference"]
    if max(apart["f1"], apart["precision_recall"]) > CLOSE:
        raise SystemExit("the numbers differ from rouge-score's")


if __name__ == "__main__":
    main()
