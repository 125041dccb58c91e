"""Tasks of the Compare, Score and Pyramid pages."""

import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from commonground.io import Narrative
from commonground.metrics import Rouge, SemF1
from commonground.narratives import Overlaps
from commonground.pyramid import Pyramid, PyramidScore, text_hash
from commonground.report import overlap_body
from commonground.text import LanguageWarning, split
from commonground.web.tasks.languages import notices_of
from commonground.web.tasks.systems import unrelated_f1
from commonground.workers import Report


def warm() -> None:
    """Load the encoder and the parser before the first task."""
    _overlaps(None, 1).find(["Rain fell on Monday.", "On Monday it rained."])


def compare(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the overlap as plain values and as HTML, and notices about the texts' languages."""

    def progress(share: float, words: str) -> None:
        report(0.97 * share, words.replace("narrative", "text"))  # as the pages call it

    narratives = [Narrative(row["name"], row["text"]) for row in payload["narratives"]]
    overlaps = _overlaps(payload["at_least"], payload["max_sentences"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LanguageWarning)  # the notices say the same
        overlap = overlaps.find(narratives, progress=progress)
    report(0.97, "Drawing the page")
    result = overlap.to_dict(readings=True)
    notices = notices_of((text.source, text.text) for text in narratives)
    return {"result": result, "html": overlap_body(result), "notices": notices}


def score(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return SEM-F1, with its sentences, ROUGE, and the F1 of unrelated texts as plain values.

    `notices` are about the texts' languages.
    """
    summary = payload["summary"]["text"]
    references = [row["text"] for row in payload["references"]]
    report(0.05, "Computing ROUGE")
    rouge = Rouge().score(summary, references).to_dict()

    def encoded(done: int, total: int) -> None:
        report(0.1 + 0.8 * done / total, f"Reading sentence {done} of {total}")

    report(0.1, "Reading the sentences")
    (sem_f1,) = _sem_f1().corpus([summary], [references], progress=encoded).items
    report(0.92, "Scoring unrelated texts")
    baseline = unrelated_f1(_sem_f1(), references)
    texts = [payload["summary"], *payload["references"]]
    return {
        "sem_f1": sem_f1.to_dict(),
        "rouge": rouge,
        "baseline": baseline,
        "notices": notices_of((row["name"], row["text"]) for row in texts),
    }


def build_pyramid(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the pyramid of references, as in its file, and notices about their languages."""
    report(0.1, "Finding what the references have in common")
    references = payload["references"]
    pyramid = Pyramid.build([row["text"] for row in references]).to_dict()
    notices = notices_of((row["name"], row["text"]) for row in references)
    return {"pyramid": pyramid, "notices": notices}


def score_class(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the scores of each student, in the given order, and notices about their languages."""
    report(0.02, "Reading the pyramid")
    # Always the default method: a file could name an encoder that is not installed.
    scorer = Pyramid.from_dict(payload["pyramid"]).scorer(method="soft")
    students, scores = payload["students"], []
    for index, student in enumerate(students):
        report(0.1 + 0.9 * index / len(students), f"Scoring {index + 1} of {len(students)}")
        scores.append(scorer.score(student["text"]))
    return {
        "signature": str(scores[0].signature),
        "students": [
            _student_row(student["name"], student["text"], score)
            for student, score in zip(students, scores, strict=True)
        ],
        "notices": notices_of((student["name"], student["text"]) for student in students),
    }


def _student_row(name: str, text: str, score: PyramidScore) -> dict[str, Any]:
    """Return a student's scores without what the pyramid already has."""
    numbers = ("raw", "quality", "coverage", "comprehensive", "unit_count", "segments")
    match_fields = ("probability", "stated", "presence", "sentence", "checks")
    return {
        "name": name,
        "text": text,
        "hash": text_hash(text),
        "sentences": [[sentence.start, sentence.end] for sentence in split(text)],
        **{key: getattr(score, key) for key in numbers},
        "matches": [{key: match.to_dict()[key] for key in match_fields} for match in score.matches],
    }


@lru_cache(maxsize=64)
def _overlaps(at_least: int | None, max_sentences: int) -> Overlaps:
    return Overlaps(at_least=at_least, max_sentences=max_sentences)


@cache
def _sem_f1() -> SemF1:
    """Return the metric with default thresholds; the page changes them by itself."""
    return SemF1()
