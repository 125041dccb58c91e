"""HTML pages, tables and plots from plain values."""

from commonground.report.feedback_words import WORDING, wording
from commonground.report.grades import histogram_html, histogram_text
from commonground.report.graph import graph_page, graph_svg
from commonground.report.marks import joined, verified_page
from commonground.report.overlap import NOTHING as NOTHING_IN_COMMON
from commonground.report.overlap import SCRIPTS as OVERLAP_SCRIPTS
from commonground.report.overlap import (
    conflict_kind,
    overlap_body,
    overlap_page,
)
from commonground.report.overlap import heading as overlap_heading
from commonground.report.overlap import letter as narrative_letter
from commonground.report.overlap import source as narrative_source
from commonground.report.page import asset, counted, page_names
from commonground.report.plots import (
    check_plot,
    plot_contour,
    plot_distributions,
    plot_heat_map,
    plot_intervals,
    plot_pyramids,
)
from commonground.report.pyramid import GENERATOR as FEEDBACK_GENERATOR
from commonground.report.pyramid import INDEX as FEEDBACK_INDEX
from commonground.report.pyramid import class_page, feedback_body, feedback_page, pyramid_page
from commonground.report.tables import (
    Strong,
    Table,
    leaderboard_page,
    tables_page,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
)
from commonground.report.tables import shown as shown_cell

__all__ = [
    "FEEDBACK_GENERATOR",
    "FEEDBACK_INDEX",
    "NOTHING_IN_COMMON",
    "OVERLAP_SCRIPTS",
    "WORDING",
    "Strong",
    "Table",
    "asset",
    "check_plot",
    "class_page",
    "conflict_kind",
    "counted",
    "feedback_body",
    "feedback_page",
    "graph_page",
    "graph_svg",
    "histogram_html",
    "histogram_text",
    "joined",
    "leaderboard_page",
    "narrative_letter",
    "narrative_source",
    "overlap_body",
    "overlap_heading",
    "overlap_page",
    "page_names",
    "plot_contour",
    "plot_distributions",
    "plot_heat_map",
    "plot_intervals",
    "plot_pyramids",
    "pyramid_page",
    "shown_cell",
    "tables_page",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
    "verified_page",
    "wording",
]
