"""The rows of this process as a Ray dataset, read as they are needed."""

import contextlib
import pickle
import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from commonground.scale.work import Chunk

_POLL_SECONDS = 0.2  # between two checks whether to stop


class Feed:
    """Chunks on their way to the actors, each kept until its outcome has come back.

    Ray Data reads a dataset in tasks on its nodes, but the chunks are read here, from files that
    nodes need not have. So one task, on this node, takes them from a queue that a thread fills.
    If the task or the queue is lost, the dataset ends, and another one continues.

    Attributes:
        missing: The chunks that were taken and have not come back, by number.
        returned: Number of chunks that have come back.
        over: Whether all chunks are taken.
    """

    def __init__(self, chunks: Iterable[Chunk], ahead: int) -> None:
        import ray

        node = ray.get_runtime_context().get_node_id()
        self._here: dict[str, Any] = {"num_cpus": 0, "label_selector": {"ray.io/node-id": node}}
        self._ahead = ahead
        self._chunks = iter(chunks)
        self._line: _Line | None = None
        self._error: BaseException | None = None
        self.missing: dict[int, Chunk] = {}
        self.returned = 0
        self.over = False

    def dataset(self) -> Any:
        """Return the chunks that are not taken yet; read it once."""
        import ray

        self._line = _Line(self._ahead, self._here)
        self._line.fill(self._taken())
        return ray.data.read_datasource(
            _source(self._line.queue),
            override_num_blocks=1,
            ray_remote_args={"max_retries": 0},  # a retry would miss what it took from the queue
            **self._here,
        )

    def again(self) -> Any:
        """Return the missing chunks once more."""
        import ray

        return ray.data.from_arrow([_table(_packed(chunk)) for chunk in self.missing.values()])

    def came_back(self, number: int) -> bool:
        """Count a chunk that has come back; return whether it is the first time."""
        first = self.missing.pop(number, None) is not None
        self.returned += first
        return first

    def check(self) -> None:
        """Raise the error that ended the reading of a dataset, if any."""
        self.close()
        if self._error:
            raise self._error

    def close(self) -> None:
        """Stop reading."""
        if self._line:
            self._line.close()
            self._line = None

    def _taken(self) -> Iterator[bytes]:
        try:
            for chunk in self._chunks:
                self.missing[chunk.number] = chunk
                yield _packed(chunk)
        except GeneratorExit:
            return  # the rest is for another dataset
        except BaseException as error:  # raised again by `check`
            self._error = error
        self.over = True


class _Line:
    """A queue in an actor on this node, and the thread that fills it."""

    def __init__(self, length: int, options: Mapping[str, Any]) -> None:
        from ray.util.queue import Queue

        self.queue = Queue(maxsize=length, actor_options=dict(options))
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def fill(self, chunks: Iterator[bytes]) -> None:
        """Start the thread; it puts None into the queue after the last chunk."""
        self._thread = threading.Thread(
            target=self._put_all, args=(chunks,), name="commonground-feed", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop the thread and drop the queue."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        self.queue.shutdown(force=True)

    def _put_all(self, chunks: Iterator[bytes]) -> None:
        from ray.exceptions import RayError

        try:
            for chunk in chain(chunks, [None]):
                if not self._put(chunk):
                    return
        except RayError:
            self.queue.shutdown(force=True)  # so that the reader gets an error

    def _put(self, chunk: bytes | None) -> bool:
        from ray.util.queue import Full

        while not self._stop.is_set():
            with contextlib.suppress(Full):
                self.queue.put(chunk, timeout=_POLL_SECONDS)
                return True
        return False


def _packed(chunk: Chunk) -> bytes:
    return pickle.dumps((chunk.number, chunk.items), protocol=pickle.HIGHEST_PROTOCOL)


def _table(packed: bytes) -> Any:
    import pyarrow

    return pyarrow.table({"chunk": pyarrow.array([packed], type=pyarrow.large_binary())})


def _source(queue: Any) -> Any:
    """Return a source for Ray Data that reads the queue until None, or until it is lost."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata
    from ray.exceptions import RayError

    def tables() -> Iterator[Any]:
        # Ray Data does not always end if a task fails after it has yielded blocks.
        with contextlib.suppress(RayError):
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
