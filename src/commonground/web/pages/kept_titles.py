"""A line for each kept result that tells its owner which one it is."""

from commonground.report import counted
from commonground.web.pages.compare import Comparison
from commonground.web.pages.pyramid_models import Desk
from commonground.web.pages.score import Scoring

_MOST = 160
"""Letters of a line."""


def comparison_title(kept: Comparison) -> str:
    """Who is compared, and what they agree on."""
    names = [one.source for one in kept.result.narratives if one.source.strip()]
    return _line(", ".join(names), kept.result.summary or kept.result.narratives[0].text)


def scoring_title(kept: Scoring) -> str:
    """The summary."""
    return _line(kept.summary.name, kept.summary.text)


def desk_title(kept: Desk) -> str:
    """How large the pyramid is, whether students are kept with it, and its heaviest unit."""
    units, references = kept.now.units, kept.now.references
    size = f"{counted(len(units), 'unit')} from {counted(len(references), 'reference')}"
    students = f", {counted(len(kept.students), 'student')}" if kept.students else ""
    return _line(f"{size}{students}", units[0].label)


def _line(name: str, text: str) -> str:
    """One line, cut off between words where it is long."""
    parts = (" ".join(part.split()) for part in (name, text))
    line = ": ".join(part for part in parts if part)
    return line if len(line) <= _MOST else f"{line[:_MOST].rsplit(' ', 1)[0]} …"
