"""The engine of a Ray cluster: Ray Data, with a pool of actors that hold the models.

It connects to a running cluster, or starts a local one.
"""

import contextlib
import importlib.util
import logging
import math
import os
import pickle
import shutil
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from commonground import settings
from commonground.errors import CommongroundError, InputError, MissingExtraError, shortened
from commonground.scale.local import Guarded
from commonground.scale.ray import actor, feed
from commonground.scale.ray.actor import Actor
from commonground.scale.ray.feed import Feed
from commonground.scale.work import Chunk, Outcomes, Work
from commonground.version import __version__
from commonground.workers import WorkerError

_ATTEMPTS = 3
_PATIENCE = 30.0  # seconds until the user is told that the run waits
_WAITING = "no result from the Ray cluster yet; it may have no free core or GPU; still waiting"
_SHARES = 10_000  # Ray's resolution of a GPU
_CONNECT_SECONDS = 10
_OBJECT_BYTES = 512 << 20  # memory of a local cluster's objects; the rest goes to disk
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # messages for developers of Ray; errors are raised
    # Threads of Ray Data that outlive a failed run would start a cluster of their own.
    "RAY_ENABLE_AUTO_CONNECT": "0",
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # messages about lost workers, which would go to stdout
}


class Ray:
    """Actors of a Ray cluster: a running one, or a local one started for the run.

    Rows are read and shards written on this machine, so the nodes need no shared disk; they need
    commonground and the models. The chunk of a lost actor is repeated elsewhere, and rows that
    kill are searched for as `Local` does.

    Args:
        workers: Number of actors (default: number of the cluster's cores).
        address: Address of a running cluster, such as `10.0.0.1:6379` or `auto`.
        tell: Called with a message when a running cluster keeps the run waiting.
    """

    def __init__(
        self,
        workers: int | None = None,
        address: str | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        if importlib.util.find_spec("ray") is None:
            raise MissingExtraError("--engine ray", "scale")
        if workers is not None and workers < 1:
            raise InputError(f"--workers must be 1 or more, not {workers}")
        if address and address.startswith("ray://"):
            raise InputError(
                f"--address {address}: Ray's client is not supported; run the command on a node of "
                "the cluster, with --address auto or HOST:PORT"
            )
        self.workers = workers
        self.address = address
        self._tell = tell

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """Yield the number and the outcome of every chunk, in order of completion."""
        with _cluster(self.address, self.workers) as cores:
            workers = self.workers or cores
            pool = _Pool(workers, 1 if self.address else max(1, cores // workers))
            with contextlib.closing(Feed(chunks, 2 * workers)) as feed, self._patience() as timer:
                for outcome in _outcomes(pool, feed, work):
                    timer.cancel()
                    yield outcome

    @contextlib.contextmanager
    def _patience(self) -> Iterator[threading.Timer]:
        """Tell the user if nothing comes back: others may use all cores of a running cluster."""

        def tell() -> None:
            if self._tell and self.address:
                self._tell(_WAITING)

        timer = threading.Timer(_PATIENCE, tell)
        timer.daemon = True
        timer.start()
        try:
            yield timer
        finally:
            timer.cancel()


def _outcomes(pool: "_Pool", feed: Feed, work: Work) -> Outcomes:
    """Yield each chunk once; repeat the missing ones in processes of their own."""
    in_vain = 0
    while not feed.over:  # once, unless the task that hands out the chunks is lost
        before = feed.returned
        yield from pool.outcomes(feed, feed.dataset(), work)
        feed.check()
        in_vain = 0 if feed.returned > before else in_vain + 1
        if in_vain == _ATTEMPTS and not feed.over:
            raise WorkerError(
                f"the Ray cluster failed: the task that hands out the rows was lost {_ATTEMPTS} "
                "times"
            )
    for _ in range(_ATTEMPTS - 1):
        if feed.missing:
            yield from pool.outcomes(feed, feed.again(), Guarded(work))
    for chunk in list(feed.missing.values()):
        reason = f"the node that worked on this shard was lost, {_ATTEMPTS} times"
        yield chunk.number, work.lost(chunk.items, reason)


class _Pool:
    """The actors, as Ray Data runs them."""

    def __init__(self, workers: int, threads: int) -> None:
        import ray
        from ray.data import ActorPoolStrategy

        share = 0.0
        if (settings.setting("device") or "cpu") != "cpu":
            gpus = int(ray.cluster_resources().get("GPU", 0))
            if not gpus:
                raise WorkerError("--device cuda: the Ray cluster has no GPU")
            share = gpu_share(gpus, workers)
        self._threads = threads
        self._options = {
            "batch_size": 1,  # chunk; Ray requires it with GPUs
            "batch_format": "pyarrow",
            "compute": ActorPoolStrategy(size=workers),
            "num_cpus": 1,
            "num_gpus": share,
            "max_task_retries": 0,  # lost chunks are missing at the end, and counted
        }

    def outcomes(self, feed: Feed, dataset: Any, work: Work) -> Outcomes:
        """Yield the outcomes of the chunks of a dataset; lost ones stay missing."""
        from ray.exceptions import ObjectLostError, RayError

        arguments = (pickle.dumps(work), _settings_here(), self._threads, __version__)
        done = dataset.map_batches(Actor, fn_constructor_args=arguments, **self._options)
        try:
            for batch in done.iter_batches(batch_size=None, batch_format="pyarrow"):
                for packed in batch["outcome"].to_pylist():
                    number, outcome, trouble = pickle.loads(packed)
                    if trouble:
                        raise WorkerError(*trouble)
                    if feed.came_back(number):
                        yield number, outcome
        except ObjectLostError:
            return  # a lost node had outcomes; those not yet received are repeated
        except RayError as error:
            reason = shortened(str(error))
            raise WorkerError(f"the Ray cluster failed: {reason}") from None


def gpu_share(gpus: int, workers: int) -> float:
    """Return each worker's share of a GPU, so that all workers fit."""
    per_gpu = math.ceil(workers / gpus)
    return _SHARES // per_gpu / _SHARES  # rounded down: Ray rounds up, and the last would not fit


def _settings_here() -> Mapping[str, str]:
    """Return the settings for actors, from the environment and `commonground.toml`.

    Only known names, since the environment has secrets too.
    """
    values = {key: settings.setting(key) for key in settings.KEYS if key != "threads"}
    return {f"COMMONGROUND_{key.upper()}": value for key, value in values.items() if value}


@contextlib.contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[int]:
    """Connect to a cluster for the block, or start a local one; yield the number of its cores."""
    os.environ.update(_ENVIRONMENT)  # Ray reads them when it is imported and started
    if not address or address.partition(":")[0] in ("127.0.0.1", "localhost"):
        # As Ray does outside Linux: the nodes are on 127.0.0.1, invisible to other machines.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    folder = None
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address:
        options |= {"address": _reachable(address)}
    else:
        folder = tempfile.mkdtemp(prefix="cg-ray-")
        options |= {
            "num_cpus": workers or settings.thread_count(),
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
            cause = error.__cause__ or error
            reason = shortened(str(cause)) or type(cause).__name__
            raise CommongroundError(
                f"no Ray cluster at {address or 'this machine'}: {reason}"
            ) from None
        for module in (actor, feed):
            ray.cloudpickle.register_pickle_by_value(module)  # nodes may lack it
        _quiet_data()
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _reachable(address: str) -> str:
    """Raise at once if nothing answers at an address: Ray would try for minutes, then exit."""
    from ray._private.services import canonicalize_bootstrap_address_or_die

    resolved: str = address
    try:
        resolved = canonicalize_bootstrap_address_or_die(address)  # looks up `auto`
        host, _, port = resolved.rpartition(":")
        host = host.strip("[]")  # of IPv6
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        names = address if resolved == address else f"{address}, {resolved}"
        raise CommongroundError(f"no Ray cluster at {names}: {reason}") from None
    return resolved


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    """Silence the C++ parts of Ray, which write to file descriptor 2."""
    sys.stderr.flush()
    stderr = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)


def _quiet_data() -> None:
    from ray.data import DataContext

    warnings.filterwarnings("ignore", module=r"ray\.")
    warnings.filterwarnings("ignore", message="`ray_remote_args`")  # until 2.64
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are raised or counted
    context = DataContext.get_current()
    context.target_max_block_size = 1  # a chunk is a block, so that none waits for others
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.max_errored_blocks = -1  # they are missing at the end, and repeated
