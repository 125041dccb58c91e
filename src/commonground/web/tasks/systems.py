"""Score the summaries of many systems from one file, and a baseline for one summary."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from commonground.metrics import Rouge, SemF1, random_output
from commonground.score import Interval
from commonground.web.tasks.differences import behind_best
from commonground.web.tasks.output_notices import notices
from commonground.web.tasks.outputs import Output, read_file
from commonground.web.tasks.uploads import uploaded
from commonground.workers import Report

_DRAWS: Final = 2  # of the random baseline, which scores the whole file again for each
_ROUGE: Final = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_UNRELATED: Final = Path(__file__).parent.parent / "data" / "unrelated.txt"


def score_systems(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return means and 95% intervals of F1 for each system, best first, with a random baseline.

    The baseline scores a system's summaries against the references of other rows. `behind` compares
    a system with the best one (`behind_best`). `notices` say what the file may not have meant.
    `texts` has the summaries in the same order, for the page alone: they are not saved with the
    scores.
    """
    report(0.02, "Reading the file")
    with uploaded({"file": payload["content"]}) as (path,):
        file = read_file(path)
    systems: dict[str, list[Output]] = {}
    for output in file.outputs:
        systems.setdefault(output.system, []).append(output)
    found = []
    for number, (system, rows) in enumerate(systems.items()):
        report(0.05 + 0.95 * number / len(systems), f"Scoring {number + 1} of {len(systems)}")
        found.append(_scored(system, rows))
    found.sort(key=lambda row: -row["scores"]["SEM-F1"]["mean"])
    f1 = {
        row["system"]: [(one["id"], one["scores"]["SEM-F1"]) for one in row["summaries"]]
        for row in found
    }
    behind = behind_best(f1)
    return {
        "systems": [{**row, "behind": behind.get(row["system"])} for row in found],
        "notices": [{"message": line} for line in notices(file)],
        "texts": _texts([systems[row["system"]] for row in found]),
    }


def unrelated_f1(sem_f1: SemF1, references: Sequence[str]) -> dict[str, float]:
    """Return the mean F1 of texts about other things against the references, by metric.

    A score means little unless it is well above this.
    """
    texts = _UNRELATED.read_text("utf-8").strip().split("\n\n")
    scores = [sem_f1.score(text, list(references)).f1 for text in texts]
    rouge = [Rouge().score(text, list(references)).to_dict() for text in texts]
    names = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    means = {name: sum(row[name]["f1"] for row in rouge) / len(texts) for name in names}
    return {"sem_f1": sum(scores) / len(texts), **means}


def _scored(system: str, rows: Sequence[Output]) -> dict[str, Any]:
    """Return a system's scores, and those of each of its summaries."""
    predictions = [row.summary for row in rows]
    references = [list(row.references) for row in rows]
    sem_f1 = _sem_f1().corpus(predictions, references)
    rouge = Rouge().corpus(predictions, references)
    scores = {"SEM-F1": _column(sem_f1.mean.f1, sem_f1.interval)}
    for key, name in _ROUGE.items():
        scores[name] = _column(rouge.mean[key].f1, rouge.interval[key])
    baseline = None
    if len(rows) > 1:
        baseline = random_output(_sem_f1(), predictions, references, draws=_DRAWS).mean.f1
    summaries = [
        {
            "id": row.id,
            "scores": {"SEM-F1": one.f1}
            | {name: other.scores[key].f1 for key, name in _ROUGE.items()},
        }
        for row, one, other in zip(rows, sem_f1.items, rouge.items, strict=True)
    ]
    return {
        "system": system,
        "items": len(rows),
        "scores": scores,
        "baseline": baseline,
        "signatures": [str(sem_f1.signature), str(rouge.signature)],
        "summaries": summaries,
    }


def _texts(systems: Sequence[Sequence[Output]]) -> dict[str, Any]:
    """Return each summary with the indices of its references, which systems have in common."""
    references: dict[str, int] = {}
    summaries = [
        [
            {
                "text": row.summary,
                "references": [
                    references.setdefault(text, len(references)) for text in row.references
                ],
            }
            for row in rows
        ]
        for rows in systems
    ]
    return {"summaries": summaries, "references": list(references)}


def _column(mean: float, interval: Interval) -> dict[str, float]:
    return {"mean": mean, "low": interval.low, "high": interval.high}


@cache
def _sem_f1() -> SemF1:
    return SemF1()
