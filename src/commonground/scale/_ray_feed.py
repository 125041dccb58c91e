"""The rows of this process as a dataset of Ray's, read as they are needed."""

import contextlib
import pickle
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from commonground.scale._work import Chunk

_PATIENCE = 0.2  # seconds between two looks whether to stop


class Feed:
    """Chunks on their way to the actors; none is forgotten until it has come back.

    Ray Data reads a dataset in tasks on its nodes, but the chunks are read here, from files that
    nodes need not have. So one task, on this node, takes them from a queue that a thread fills.

    Args:
        chunks: Taken a bounded number at a time.
        ahead: How many may wait in the queue.
    """

    def __init__(self, chunks: Iterable[Chunk], ahead: int) -> None:
        import ray
        from ray.util.queue import Queue

        node = ray.get_runtime_context().get_node_id()
        self._here: dict[str, Any] = {"num_cpus": 0, "label_selector": {"ray.io/node-id": node}}
        self._queue = Queue(maxsize=ahead, actor_options=self._here)
        self._chunks = iter(chunks)
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._fill, name="commonground-feed", daemon=True)
        self.missing: dict[int, Chunk] = {}

    def dataset(self) -> Any:
        """All chunks; to be read once."""
        import ray

        self._thread.start()
        return ray.data.read_datasource(_source(self._queue), override_num_blocks=1, **self._here)

    def again(self, chunks: Sequence[Chunk]) -> Any:
        """Some chunks once more."""
        import ray

        return ray.data.from_arrow([_table(_packed(chunk)) for chunk in chunks])

    def check(self) -> None:
        """Raise what went wrong with reading, if anything did."""
        self._thread.join()
        if self._error:
            raise self._error

    def close(self) -> None:
        """Read no more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._queue.shutdown(force=True)

    def _fill(self) -> None:
        try:
            for chunk in self._chunks:
                self.missing[chunk.number] = chunk
                if not self._put(_packed(chunk)):
                    return
        except BaseException as error:  # raised anew where the outcomes are waited for
            self._error = error
        self._put(None)

    def _put(self, packed: bytes | None) -> bool:
        from ray.util.queue import Full

        while not self._stop.is_set():
            with contextlib.suppress(Full):
                self._queue.put(packed, timeout=_PATIENCE)
                return True
        return False


def _packed(chunk: Chunk) -> bytes:
    return pickle.dumps((chunk.number, chunk.items), protocol=pickle.HIGHEST_PROTOCOL)


def _table(packed: bytes) -> Any:
    import pyarrow

    return pyarrow.table({"chunk": pyarrow.array([packed], type=pyarrow.large_binary())})


def _source(queue: Any) -> Any:
    """A source for Ray Data that takes what the queue gives until it gives None."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata

    def tables() -> Iterator[Any]:
        while (packed := queue.get()) is not None:
            yield _table(packed)

    class Source(Datasource):  # type: ignore[misc]
        def estimate_inmemory_data_size(self) -> None:
            return None

        def get_read_tasks(self, parallelism: int, *_: Any, **__: Any) -> list[Any]:
            unknown = BlockMetadata(
                num_rows=None, size_bytes=None, input_files=None, exec_stats=None
            )
            return [ReadTask(tables, unknown)]

    return Source()
