"""Pyramids and the scores of a class, for the Pyramid page."""

from collections.abc import Mapping
from typing import Any

from commonground.pyramid import Pyramid, PyramidScore
from commonground.text import split
from commonground.workers import Report


def build(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The pyramid of references, as in its file."""
    report(0.1, "Finding what the references have in common")
    return Pyramid.build([one["text"] for one in payload["references"]]).to_dict()


def score(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The scores of each student, in the order given."""
    report(0.02, "Reading the pyramid")
    # Always by the default: a file could name an encoder that is not here.
    scorer = Pyramid.from_dict(payload["pyramid"]).scorer(method="soft")
    students = payload["students"]
    found = []
    for number, one in enumerate(students, start=1):
        report(0.1 + 0.9 * (number - 1) / len(students), f"Scoring {number} of {len(students)}")
        found.append((one, scorer.score(one["text"])))
    return {
        "signature": str(found[0][1].signature),
        "students": [_row(one["name"], one["text"], score) for one, score in found],
    }


def _row(name: str, text: str, score: PyramidScore) -> dict[str, Any]:
    """A student without what stands in the pyramid already."""
    return {
        "name": name,
        "text": text,
        "sentences": [[sentence.start, sentence.end] for sentence in split(text)],
        "raw": score.raw,
        "quality": score.quality,
        "coverage": score.coverage,
        "comprehensive": score.comprehensive,
        "unit_count": score.unit_count,
        "matches": [
            {
                "probability": one.probability,
                "stated": one.stated,
                "sentence": one.sentence,
                "check": one.check,
            }
            for one in score.matches
        ],
    }
