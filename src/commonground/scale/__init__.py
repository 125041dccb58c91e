"""Runs over files larger than memory: engines that process rows, folders that keep results."""

from typing import TYPE_CHECKING

from commonground.lazy import on_demand

if TYPE_CHECKING:
    from commonground.scale.index import Index, scratch_index
    from commonground.scale.local import Local
    from commonground.scale.output import Output
    from commonground.scale.ray.engine import Ray
    from commonground.scale.rows import event_rows, prediction_rows
    from commonground.scale.run_folder import RunFolder, difference
    from commonground.scale.runner import Ended, InterruptedRunError, run
    from commonground.scale.score import Score, totals
    from commonground.scale.work import Chunk, Engine, Failure, Item, Outcome, RowWork, Work
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "index": ["Index", "scratch_index"],
            "local": ["Local"],
            "output": ["Output"],
            "ray.engine": ["Ray"],
            "rows": ["event_rows", "prediction_rows"],
            "run_folder": ["RunFolder", "difference"],
            "runner": ["Ended", "InterruptedRunError", "run"],
            "score": ["Score", "totals"],
            "work": ["Chunk", "Engine", "Failure", "Item", "Outcome", "RowWork", "Work"],
        },
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
