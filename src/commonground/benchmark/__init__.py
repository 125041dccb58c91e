"""Data sets, runs, and the tables of the papers rebuilt from them."""

from commonground.benchmark._config import METRICS, Config, Variant
from commonground.benchmark._filters import (
    Dropped,
    Step,
    annotators_step,
    apply_filters,
    theme_place,
    theme_step,
)
from commonground.benchmark._import import COLUMNS, import_csv
from commonground.benchmark._leaderboard import leaderboard, write_leaderboard
from commonground.benchmark._papers import papers
from commonground.benchmark._plots import make_plots
from commonground.benchmark._report import Report, Standing
from commonground.benchmark._run import make_run
from commonground.benchmark._statistics import Length, Statistics, statistics
from commonground.benchmark._study import Study
from commonground.benchmark._tables import FORMATS, KINDS, Tables, make_tables, write_tables
from commonground.benchmark._validate import Validation, validate

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
