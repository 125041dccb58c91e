"""Runs over files larger than memory: engines that do the work, folders that keep what is done."""

from commonground.scale._local import Local
from commonground.scale._output import Output
from commonground.scale._run import Ended, InterruptedRunError, run
from commonground.scale._run_folder import RunFolder, difference
from commonground.scale._work import Chunk, Engine, Failure, Item, Outcome, RowWork, Work

__all__ = [
    "Chunk",
    "Ended",
    "Engine",
    "Failure",
    "InterruptedRunError",
    "Item",
    "Local",
    "Outcome",
    "Output",
    "RowWork",
    "RunFolder",
    "Work",
    "difference",
    "run",
]
