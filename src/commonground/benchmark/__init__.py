"""Data sets, runs, and the tables of the papers rebuilt from them."""

from commonground.benchmark.config import METRICS, Config, Variant
from commonground.benchmark.dataset import (
    COLUMNS,
    Dropped,
    Length,
    Statistics,
    Step,
    Validation,
    annotators_step,
    apply_filters,
    import_csv,
    statistics,
    theme_place,
    theme_step,
    validate,
)
from commonground.benchmark.plots import make_plots
from commonground.benchmark.rankings import Report, Standing, leaderboard, write_leaderboard
from commonground.benchmark.run import make_run
from commonground.benchmark.study import Study
from commonground.benchmark.tables.kinds import FORMATS, KINDS, Tables, make_tables, write_tables
from commonground.benchmark.tables.papers import papers

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
