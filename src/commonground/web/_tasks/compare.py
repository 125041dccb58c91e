"""What narratives have in common, for the Compare page."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from commonground.io import Narrative
from commonground.overlap import Overlaps
from commonground.report.overlap import overlap_body
from commonground.web._work._worker import Report


def compare(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The overlap as plain values, and as the HTML that shows it."""
    report(0.1, "Reading and comparing the narratives")
    narratives = [Narrative(one["name"], one["text"]) for one in payload["narratives"]]
    found = finder(payload["at_least"], payload["max_sentences"]).find(narratives).to_dict()
    report(0.95, "Drawing the page")
    return {"result": found, "html": overlap_body(found)}


@lru_cache(maxsize=64)
def finder(at_least: int | None, max_sentences: int) -> Overlaps:
    """The same one for the same setting: it keeps what it loaded."""
    return Overlaps(at_least=at_least, max_sentences=max_sentences)
