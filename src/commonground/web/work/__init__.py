"""Work off the event loop: a bounded queue and a few processes whose models stay loaded."""

from commonground.web.work.jobs import CancelledError, Job, Jobs, QueueFullError

__all__ = [
    "CancelledError",
    "Job",
    "Jobs",
    "QueueFullError",
]
