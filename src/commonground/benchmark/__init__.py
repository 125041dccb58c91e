"""Data sets, runs, and the tables of the papers rebuilt from them."""

from commonground.benchmark._filters import (
    Dropped,
    Step,
    annotators_step,
    apply_filters,
    theme_place,
    theme_step,
)
from commonground.benchmark._import import COLUMNS, import_csv
from commonground.benchmark._statistics import Length, Statistics, statistics
from commonground.benchmark._validate import Validation, validate

__all__ = [
    "COLUMNS",
    "Dropped",
    "Length",
    "Statistics",
    "Step",
    "Validation",
    "annotators_step",
    "apply_filters",
    "import_csv",
    "statistics",
    "theme_place",
    "theme_step",
    "validate",
]
