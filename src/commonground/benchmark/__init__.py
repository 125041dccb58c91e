"""Data sets, runs, and the tables of the papers rebuilt from them.

`benchmark.meta` correlates metrics with people; in `benchmark.judge` a language model judges.
"""

from typing import TYPE_CHECKING

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
from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.benchmark import judge as judge
    from commonground.benchmark import meta as meta
else:
    __getattr__, __dir__ = on_demand(__name__, {}, parts=("judge", "meta"))

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
