"""The rows of this process as a dataset of Ray's, read as they are needed."""

import contextlib
import pickle
import threading
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from commonground.scale.work import Chunk

_PATIENCE = 0.2  # seconds between two looks whether to stop


class Feed:
    """Chunks on their way to the actors; none is forgotten until it has come back.

    Ray Data reads a dataset in tasks on its nodes, but the chunks are read here, from files that
    nodes need not have. So one task, on this node, takes them from a queue that a thread fills.
    Where the task or the queue is lost, the dataset ends, and another goes on.

    Args:
        chunks: Taken a bounded number at a time.
        ahead: How many may wait in the queue.

    Attributes:
        missing: The chunks that are taken and have not come back, by number.
        returned: How many have.
        over: Whether all are taken.
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
        """The chunks that are not taken; to be read once."""
        import ray

        self._line = _Line(self._ahead, self._here)
        self._line.fill(self._taken())
        return ray.data.read_datasource(
            _source(self._line.queue),
            override_num_blocks=1,
            ray_remote_args={"max_retries": 0},  # what it took from the queue is gone
            **self._here,
        )

    def again(self) -> Any:
        """The missing chunks once more."""
        import ray

        return ray.data.from_arrow([_table(_packed(chunk)) for chunk in self.missing.values()])

    def came_back(self, number: int) -> bool:
        """A chunk has come back; whether for the first time."""
        first = self.missing.pop(number, None) is not None
        self.returned += first
        return first

    def check(self) -> None:
        """After the end of a dataset: raise what went wrong with reading, if anything did."""
        self.close()
        if self._error:
            raise self._error

    def close(self) -> None:
        """Read no more."""
        if self._line:
            self._line.close()
            self._line = None

    def _taken(self) -> Iterator[bytes]:
        try:
            for chunk in self._chunks:
                self.missing[chunk.number] = chunk
                yield _packed(chunk)
        except GeneratorExit:
            return  # the others are for another dataset
        except BaseException as error:  # raised anew where the outcomes are waited for
            self._error = error
        self.over = True


class _Line:
    """A queue on this node, and the thread that fills it.

    Args:
        length: How many may wait.
        options: Of the actor that holds them.
    """

    def __init__(self, length: int, options: Mapping[str, Any]) -> None:
        from ray.util.queue import Queue

        self.queue = Queue(maxsize=length, actor_options=dict(options))
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def fill(self, things: Iterator[bytes]) -> None:
        """Begin to put things into the queue, and None when there are no more."""
        self._thread = threading.Thread(
            target=self._filled, args=(things,), name="commonground-feed", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Put nothing more, and forget what waits."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        self.queue.shutdown(force=True)

    def _filled(self, things: Iterator[bytes]) -> None:
        from ray.exceptions import RayError

        try:
            for thing in chain(things, [None]):
                if not self._put(thing):
                    return
        except RayError:
            self.queue.shutdown(force=True)  # so that whoever waits for more hears of it

    def _put(self, thing: bytes | None) -> bool:
        from ray.util.queue import Full

        while not self._stop.is_set():
            with contextlib.suppress(Full):
                self.queue.put(thing, timeout=_PATIENCE)
                return True
        return False


def _packed(chunk: Chunk) -> bytes:
    return pickle.dumps((chunk.number, chunk.items), protocol=pickle.HIGHEST_PROTOCOL)


def _table(packed: bytes) -> Any:
    import pyarrow

    return pyarrow.table({"chunk": pyarrow.array([packed], type=pyarrow.large_binary())})


def _source(queue: Any) -> Any:
    """A source for Ray Data that takes what the queue gives until it gives None, or is lost."""
    from ray.data import Datasource, ReadTask
    from ray.data.block import BlockMetadata
    from ray.exceptions import RayError

    def tables() -> Iterator[Any]:
        # Ray Data does not always come to its end where a task fails that has given blocks.
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
