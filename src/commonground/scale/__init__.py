"""Runs over files larger than memory: engines that process rows, folders that keep results."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand
from commonground.scale.local import Local
from commonground.scale.output import Output
from commonground.scale.rows import Index, event_rows, prediction_rows, scratch_index
from commonground.scale.run_folder import RunFolder, difference
from commonground.scale.work import (
    Chunk,
    Ended,
    Engine,
    Failure,
    InterruptedRunError,
    Item,
    Outcome,
    RowWork,
    Work,
    run,
)

if TYPE_CHECKING:
    from commonground.scale.ray.engine import Ray
    from commonground.scale.score import Score, totals
else:  # they import much of scipy and Ray
    __getattr__, __dir__ = on_demand(
        __name__, {"ray.engine": ["Ray"], "score": ["Score", "totals"]}
    )

__all__ = [
    "Chunk",
    "Ended",
    "Engine",
    "Failure",
    "Index",
    "InterruptedRunError",
    "Item",
    "Local",
    "Outcome",
    "Output",
    "Ray",
    "RowWork",
    "RunFolder",
    "Score",
    "Work",
    "difference",
    "event_rows",
    "prediction_rows",
    "run",
    "scratch_index",
    "totals",
]
