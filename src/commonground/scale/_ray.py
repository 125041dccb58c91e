"""The engine of a Ray cluster: Ray Data, with a pool of actors that hold the models."""

import contextlib
import importlib.util
import logging
import os
import pickle
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from commonground import _settings
from commonground.errors import CommongroundError, InputError, MissingExtraError
from commonground.scale._local import WorkerError
from commonground.scale._ray_actor import Actor
from commonground.scale._ray_feed import Feed
from commonground.scale._work import Chunk, Outcomes, Work

_TRIES = 2
_CONNECT_SECONDS = 10
_OBJECT_BYTES = 512 << 20  # what a local cluster keeps in memory; the rest goes to disk
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # what it says is for its own makers; errors reach us too
}


class Ray:
    """Actors of a Ray cluster: one that is there, or one made here for the run.

    The rows are read here and the shards written here, so that nodes share no disk; they need
    commonground and the models. What a node that is lost had in hand is done again elsewhere;
    a chunk that is lost twice is given up.

    Args:
        workers: How many actors; as many as the cluster has cores, where nothing is said.
        address: Of a running cluster, such as `10.0.0.1:6379` or `auto`.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        if importlib.util.find_spec("ray") is None:
            raise MissingExtraError("--engine ray", "scale")
        if workers is not None and workers < 1:
            raise InputError(f"--workers must be 1 or more, not {workers}")
        self.workers = workers
        self.address = address

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """The outcome of every chunk with its number, in the order they are done."""
        with _cluster(self.address, self.workers) as cores:
            workers = self.workers or cores
            pool = _Pool(work, workers, 1 if self.address else max(1, cores // workers))
            with contextlib.closing(Feed(chunks, 2 * workers)) as feed:
                yield from pool.outcomes(feed)


class _Pool:
    """The actors, as Ray Data runs them."""

    def __init__(self, work: Work, workers: int, threads: int) -> None:
        self._work = work
        self._workers = workers
        self._actor = (pickle.dumps(work), _settings_here(), threads)

    def outcomes(self, feed: Feed) -> Outcomes:
        """What comes back, each chunk once; then what did not, once more."""
        yield from self._received(feed, feed.dataset())
        for _ in range(_TRIES - 1):
            missing = list(feed.missing.values())
            if missing:
                yield from self._received(feed, feed.again(missing))
        for chunk in list(feed.missing.values()):
            reason = f"the actor that worked on this shard was lost, {_TRIES} times"
            yield chunk.number, self._work.lost(chunk.items, reason)

    def _received(self, feed: Feed, dataset: Any) -> Outcomes:
        from ray.data import ActorPoolStrategy
        from ray.exceptions import RayError

        gpus = 1 if (_settings.setting("device") or "cpu") != "cpu" else 0
        done = dataset.map_batches(
            Actor,
            fn_constructor_args=self._actor,
            batch_size=None,
            batch_format="pyarrow",
            compute=ActorPoolStrategy(size=self._workers),
            num_cpus=1,
            num_gpus=gpus,
            max_task_retries=0,  # what is lost is missing at the end, and counted
        )
        try:
            for batch in done.iter_batches(batch_size=None, batch_format="pyarrow"):
                for packed in batch["outcome"].to_pylist():
                    number, outcome, trouble = pickle.loads(packed)
                    _check(trouble)
                    if feed.missing.pop(number, None):  # not where it comes a second time
                        yield number, outcome
        except RayError as error:
            reason = " ".join(str(error).split())[:300]
            raise WorkerError(f"the Ray cluster cannot go on: {reason}") from None
        feed.check()


def _check(trouble: tuple[str, int] | None) -> None:
    if trouble is not None:
        text, exit_code = trouble
        error = WorkerError(text)
        error.exit_code = exit_code
        raise error


def _settings_here() -> Mapping[str, str]:
    """What actors must know of this process: the work must be the same there."""
    return {key: value for key, value in os.environ.items() if key.startswith("COMMONGROUND_")}


@contextlib.contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[int]:
    """Connected to a cluster while the block runs; gives the number of its cores."""
    os.environ.update(_ENVIRONMENT)  # which Ray reads as it is imported and started
    if not address or address.partition(":")[0] in ("127.0.0.1", "localhost"):
        # As everywhere but on Linux: the nodes are on 127.0.0.1, where no other machine sees them.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    folder = None
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        _check_reachable(address)
        options |= {"address": address}
    else:
        folder = tempfile.mkdtemp(prefix="cg-ray-")
        options |= {
            "num_cpus": workers or _settings.thread_count(),
            "include_dashboard": False,
            "object_store_memory": _OBJECT_BYTES,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": folder,
        }
    try:
        try:
            with _no_stderr():
                ray.init(**options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split())[:300]
            raise CommongroundError(
                f"no Ray cluster at {address or 'this machine'}: {reason}"
            ) from None
        _quiet_data()
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _check_reachable(address: str) -> None:
    """Complain at once of an address where nobody answers: Ray would try for minutes, then exit."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return  # `auto`, which Ray looks up
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except OSError as error:
        raise CommongroundError(f"no Ray cluster at {address}: {error.strerror or error}") from None


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    """Keep what the C++ parts of Ray say about their log from whoever runs the command."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _quiet_data() -> None:
    from ray.data import DataContext

    warnings.filterwarnings("ignore", module=r"ray\.")
    warnings.filterwarnings("ignore", message="`ray_remote_args`")  # there until 2.64
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are raised or counted
    context = DataContext.get_current()
    context.target_max_block_size = 1  # a chunk is a block: none waits for others
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.max_errored_blocks = -1  # they are missing at the end, and done again
