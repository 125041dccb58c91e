"""Segments to content units: the similarity graph and the builders of pyramids."""

from commonground.units._build import BUILDERS, build
from commonground.units._graph import SegmentGraph
from commonground.units._solution import Solution

__all__ = ["BUILDERS", "SegmentGraph", "Solution", "build"]
