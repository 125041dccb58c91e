"""What narratives have in common, for the Compare page."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from commonground.io import Narrative
from commonground.narratives import Overlaps
from commonground.report import overlap_body
from commonground.workers import Report


def compare(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The overlap as plain values, and as the HTML that shows it."""
    narratives = [Narrative(one["name"], one["text"]) for one in payload["narratives"]]
    overlaps = finder(payload["at_least"], payload["max_sentences"])
    found = overlaps.find(narratives, progress=lambda share, words: report(0.97 * share, words))
    report(0.97, "Drawing the page")
    plain = found.to_dict()
    return {"result": plain, "html": overlap_body(plain)}


@lru_cache(maxsize=64)
def finder(at_least: int | None, max_sentences: int) -> Overlaps:
    """The same one for the same setting: it keeps what it loaded."""
    return Overlaps(at_least=at_least, max_sentences=max_sentences)
