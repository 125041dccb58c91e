"""A summary against references, for the Score page."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from commonground.metrics import Rouge, SemF1
from commonground.workers import Report


def score(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """SEM-F1 with its sentences, and ROUGE, both as plain values."""
    summary = payload["summary"]["text"]
    references = [one["text"] for one in payload["references"]]
    report(0.05, "Counting words")
    rouge = Rouge().score(summary, references).to_dict()

    def encoded(done: int, total: int) -> None:
        report(0.1 + 0.8 * done / total, f"Reading sentence {done} of {total}")

    report(0.1, "Reading the sentences")
    (found,) = sem_f1().corpus([summary], [references], progress=encoded).items
    return {"sem_f1": found.to_dict(), "rouge": rouge}


@cache
def sem_f1() -> SemF1:
    """The measure with the default thresholds; the page moves them by itself."""
    return SemF1()
