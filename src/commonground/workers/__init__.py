"""Worker processes: started, warmed up, given requests, killed and replaced."""

from commonground.workers.child import (
    DONE,
    FAILED,
    PROGRESS,
    Report,
    Service,
    limit_threads,
    memory_limit,
)
from commonground.workers.process import (
    Pool,
    ProcessEndedError,
    TimedOutError,
    WorkerError,
    WorkerProcess,
)

__all__ = [
    "DONE",
    "FAILED",
    "PROGRESS",
    "Pool",
    "ProcessEndedError",
    "Report",
    "Service",
    "TimedOutError",
    "WorkerError",
    "WorkerProcess",
    "limit_threads",
    "memory_limit",
]
