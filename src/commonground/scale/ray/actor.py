"""What runs on the nodes of a Ray cluster.

This module is pickled by value: a node without commonground, or with another version, must be
able to report that. So nothing of commonground is imported before the versions are compared.
"""

import os
import pickle
from collections.abc import Mapping
from typing import Any


class Actor:
    """Holds the models and works on chunks.

    Args:
        work: A pickle, loaded after the settings are in place.
        settings: Environment variables that the work depends on.
        threads: Number of threads that this process may use.
        version: Version of commonground that began the run.
    """

    def __init__(
        self, work: bytes, settings: Mapping[str, str], threads: int, version: str
    ) -> None:
        self._work: Any = None
        self._trouble: tuple[str, int] | None = None
        try:
            self._begin(work, settings, threads, version)
        except Exception as error:
            self._trouble = self._described(error)

    def __call__(self, batch: Any) -> Any:
        """Return the outcomes of chunks, or why no chunk can be processed."""
        import pyarrow

        outcomes = [pickle.dumps(self._outcome(packed)) for packed in batch["chunk"].to_pylist()]
        return pyarrow.table({"outcome": pyarrow.array(outcomes, type=pyarrow.large_binary())})

    def _begin(self, work: bytes, settings: Mapping[str, str], threads: int, version: str) -> None:
        import ray

        from commonground.version import __version__

        if __version__ != version:
            raise RuntimeError(f"it has commonground {__version__}, and the run needs {version}")
        from commonground.workers import limit_threads

        os.environ.update(settings)
        limit_threads(threads)
        self._work = pickle.loads(work)
        if ray.get_runtime_context().was_current_actor_reconstructed:
            # If loading the models killed the last actor, Ray would try for ever.
            from commonground.scale.local import Guarded

            Guarded(self._work)(())
        self._work.warm()

    def _outcome(self, packed: bytes) -> tuple[int | None, Any, tuple[str, int] | None]:
        if self._trouble:
            return None, None, self._trouble
        try:
            number, items = pickle.loads(packed)
            return number, self._work(items), None
        except Exception as error:
            return None, None, self._described(error)

    def _described(self, error: Exception) -> tuple[str, int]:
        """Return an error's message and exit code; other errors than ours name the node."""
        import ray

        if hasattr(error, "exit_code"):
            return str(error), error.exit_code
        node = ray.util.get_node_ip_address()
        kind = "" if isinstance(error, ImportError | RuntimeError) else f"{type(error).__name__}: "
        return f"the Ray node {node} cannot work: " + " ".join(f"{kind}{error}".split()), 1
