"""Log lines of errors: where they happened and of which kind, never what the user sent.

The message of an exception may quote a text, a title or a query's parameters, and a path may hold
the secret of a link.
"""

import logging
import traceback
from pathlib import Path

from starlette.types import Scope

_FRAMES = 6
_log = logging.getLogger("commonground.web")


def log_failure(scope: Scope, error: BaseException) -> None:
    """Log a request that failed, in one line."""
    path = getattr(scope.get("route"), "path", None) or f"/{scope['path'].split('/')[1]}"
    _log.error("%s %s failed: %s", scope["method"], path[:100], origin(error))


def origin(error: BaseException) -> str:
    """Return an exception's type and the last places that it came through."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = (f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__} in {' > '.join(places)}"
