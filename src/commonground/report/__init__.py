"""HTML pages, tables and plots from plain values."""

from commonground.report.class_overview import class_page, class_style
from commonground.report.feedback import GENERATOR as FEEDBACK_GENERATOR
from commonground.report.feedback import INDEX as FEEDBACK_INDEX
from commonground.report.feedback import feedback_body, feedback_page, feedback_style
from commonground.report.graph import graph_page, graph_svg
from commonground.report.leaderboard import leaderboard_page
from commonground.report.marks import joined
from commonground.report.overlap import NOTHING as NOTHING_IN_COMMON
from commonground.report.overlap import (
    conflict_kind,
    overlap_body,
    overlap_page,
    overlap_script,
    overlap_style,
)
from commonground.report.overlap import heading as overlap_heading
from commonground.report.overlap import letter as narrative_letter
from commonground.report.overlap import source as narrative_source
from commonground.report.page import counted, page_names, page_style
from commonground.report.plots import (
    plot_contour,
    plot_distributions,
    plot_heat_map,
    plot_intervals,
    plot_pyramids,
)
from commonground.report.pyramid import pyramid_page, pyramid_style
from commonground.report.tables import Table, tables_page, to_csv, to_html, to_latex, to_markdown
from commonground.report.tables import shown as shown_cell
from commonground.report.verified import verified_page

__all__ = [
    "FEEDBACK_GENERATOR",
    "FEEDBACK_INDEX",
    "NOTHING_IN_COMMON",
    "Table",
    "class_page",
    "class_style",
    "conflict_kind",
    "counted",
    "feedback_body",
    "feedback_page",
    "feedback_style",
    "graph_page",
    "graph_svg",
    "joined",
    "leaderboard_page",
    "narrative_letter",
    "narrative_source",
    "overlap_body",
    "overlap_heading",
    "overlap_page",
    "overlap_script",
    "overlap_style",
    "page_names",
    "page_style",
    "plot_contour",
    "plot_distributions",
    "plot_heat_map",
    "plot_intervals",
    "plot_pyramids",
    "pyramid_page",
    "pyramid_style",
    "shown_cell",
    "tables_page",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
    "verified_page",
]
