"""The pyramid method: segments, content units with weights, matching, presence and scores."""

from commonground.pyramid import editing
from commonground.pyramid.builders.build import BUILDERS, build
from commonground.pyramid.builders.graph import PERCENTILE, SegmentGraph
from commonground.pyramid.builders.task import Solution
from commonground.pyramid.comparison import Comparison, Pair, compare
from commonground.pyramid.construction import DEFAULT_BUILDER
from commonground.pyramid.corrections import Change, Corrections, text_hash
from commonground.pyramid.editing import MOST_WEIGHT, edited
from commonground.pyramid.evidence.checks import NEGATION, Check
from commonground.pyramid.evidence.presence import Evidence, Presence
from commonground.pyramid.formats.ducview import (
    Annotation,
    PeerMatch,
    read_annotation,
    read_ducview,
)
from commonground.pyramid.formats.files import read_pyramid
from commonground.pyramid.given_units import read_event_units, read_units
from commonground.pyramid.grades import GradeScale
from commonground.pyramid.grid import GridPoint, pyramid_grid
from commonground.pyramid.marks import Changed, label_rows, mark_rows
from commonground.pyramid.presets import PRESETS
from commonground.pyramid.pyramid import Pyramid
from commonground.pyramid.replaying import Comment, Corrected, replay, unit_names
from commonground.pyramid.score import PyramidScore, UnitMatch, presence_of, share_of
from commonground.pyramid.scorers import METHODS
from commonground.pyramid.unit import Contributor, Unit

__all__ = [
    "BUILDERS",
    "DEFAULT_BUILDER",
    "METHODS",
    "MOST_WEIGHT",
    "NEGATION",
    "PERCENTILE",
    "PRESETS",
    "Annotation",
    "Change",
    "Changed",
    "Check",
    "Comment",
    "Comparison",
    "Contributor",
    "Corrected",
    "Corrections",
    "Evidence",
    "GradeScale",
    "GridPoint",
    "Pair",
    "PeerMatch",
    "Presence",
    "Pyramid",
    "PyramidScore",
    "SegmentGraph",
    "Solution",
    "Unit",
    "UnitMatch",
    "build",
    "compare",
    "edited",
    "editing",
    "label_rows",
    "mark_rows",
    "presence_of",
    "pyramid_grid",
    "read_annotation",
    "read_ducview",
    "read_event_units",
    "read_pyramid",
    "read_units",
    "replay",
    "share_of",
    "text_hash",
    "unit_names",
]
