"""Data sets, runs, and the tables of the papers rebuilt from them."""

from commonground.benchmark.config import METRICS, Config, Variant
from commonground.benchmark.csv_import import COLUMNS, import_csv
from commonground.benchmark.filters import (
    Dropped,
    Step,
    annotators_step,
    apply_filters,
    theme_place,
    theme_step,
)
from commonground.benchmark.leaderboards import leaderboard, write_leaderboard
from commonground.benchmark.lengths import Length, Statistics, statistics
from commonground.benchmark.plots import make_plots
from commonground.benchmark.report import Report, Standing
from commonground.benchmark.run import make_run
from commonground.benchmark.study import Study
from commonground.benchmark.tables.kinds import FORMATS, KINDS, Tables, make_tables, write_tables
from commonground.benchmark.tables.papers import papers
from commonground.benchmark.validation import Validation, validate

__all__ = [
    "COLUMNS",
    "FORMATS",
    "KINDS",
    "METRICS",
    "Config",
    "Dropped",
    "Length",
    "Report",
    "Standing",
    "Statistics",
    "Step",
    "Study",
    "Tables",
    "Validation",
    "Variant",
    "annotators_step",
    "apply_filters",
    "import_csv",
    "leaderboard",
    "make_plots",
    "make_run",
    "make_tables",
    "papers",
    "statistics",
    "theme_place",
    "theme_step",
    "validate",
    "write_leaderboard",
    "write_tables",
]
