"""Work off the event loop: a bounded queue and a few processes whose models stay warm."""

from commonground.web.work.job import CancelledError, Job, QueueFullError
from commonground.web.work.pool import Jobs

__all__ = [
    "CancelledError",
    "Job",
    "Jobs",
    "QueueFullError",
]
