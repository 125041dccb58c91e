"""What runs on the nodes of a Ray cluster."""

import os
import pickle
from collections.abc import Mapping
from typing import Any

from commonground.errors import CommongroundError
from commonground.scale._worker import limit_threads


class Actor:
    """Holds the models and works on chunks.

    Args:
        work: Pickled: unpickled here, where the settings are those of whoever began the run.
        settings: Environment variables that the work depends on.
        threads: How many this process may use.
    """

    def __init__(self, work: bytes, settings: Mapping[str, str], threads: int) -> None:
        os.environ.update(settings)
        limit_threads(threads)
        self._work = pickle.loads(work)
        self._trouble: tuple[str, int] | None = None
        try:
            self._work.warm()
        except CommongroundError as error:
            self._trouble = str(error), error.exit_code

    def __call__(self, batch: Any) -> Any:
        """The outcomes of chunks, or why no chunk can be worked on."""
        import pyarrow

        found = [pickle.dumps(self._done(packed)) for packed in batch["chunk"].to_pylist()]
        return pyarrow.table({"outcome": pyarrow.array(found, type=pyarrow.large_binary())})

    def _done(self, packed: bytes) -> tuple[int, Any, tuple[str, int] | None]:
        number, items = pickle.loads(packed)
        if self._trouble:
            return number, None, self._trouble
        try:
            return number, self._work(items), None
        except CommongroundError as error:
            return number, None, (str(error), error.exit_code)
