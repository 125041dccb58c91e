"""Segments to content units: the similarity graph, the builders of pyramids, the pyramid."""

from commonground.units._build import BUILDERS, build
from commonground.units._compare import Comparison, Pair, compare
from commonground.units._ducview import (
    Annotation,
    PeerMatch,
    read_annotation,
    read_ducview,
    read_pyramid,
)
from commonground.units._graph import SegmentGraph
from commonground.units._presets import PRESETS
from commonground.units._pyramid import Pyramid
from commonground.units._pyramid_build import DEFAULT_BUILDER
from commonground.units._pyramid_grid import GridPoint, pyramid_grid
from commonground.units._pyramid_methods import METHODS
from commonground.units._pyramid_score import PyramidScore, UnitMatch
from commonground.units._solution import Solution
from commonground.units._unit import Contributor, Unit
from commonground.units.evidence import Evidence, Presence

__all__ = [
    "BUILDERS",
    "DEFAULT_BUILDER",
    "METHODS",
    "PRESETS",
    "Annotation",
    "Comparison",
    "Contributor",
    "Evidence",
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
    "pyramid_grid",
    "read_annotation",
    "read_ducview",
    "read_pyramid",
]
