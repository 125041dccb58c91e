"""The engine of a Ray cluster: Ray Data, with a pool of actors that hold the models."""

import contextlib
import importlib.util
import math
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from commonground import settings
from commonground.errors import InputError, MissingExtraError
from commonground.scale.local import Guarded
from commonground.scale.ray.actor import Actor
from commonground.scale.ray.cluster import cluster
from commonground.scale.ray.feed import Feed
from commonground.scale.work import Chunk, Outcomes, Work
from commonground.version import __version__
from commonground.workers import WorkerError

_TRIES = 3
_PATIENCE = 30.0  # seconds until somebody is told
_WAITING = (
    "nothing has come back from the Ray cluster yet; it may have no free core or GPU; waiting"
)
_SHARES = 10_000  # into which Ray divides a GPU


class Ray:
    """Actors of a Ray cluster: one that is there, or one made here for the run.

    The rows are read here and the shards written here, so that nodes share no disk; they need
    commonground and the models. What an actor that is lost had in hand is done again elsewhere,
    where the rows that kill are searched for as `Local` does.

    Args:
        workers: How many actors; as many as the cluster has cores, where nothing is said.
        address: Of a running cluster, such as `10.0.0.1:6379` or `auto`.
        tell: Called with a line where a running cluster keeps the run waiting.
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
        """The outcome of every chunk with its number, in the order they are done."""
        with cluster(self.address, self.workers) as cores:
            workers = self.workers or cores
            pool = _Pool(workers, 1 if self.address else max(1, cores // workers))
            with contextlib.closing(Feed(chunks, 2 * workers)) as feed, self._patience() as timer:
                for outcome in _outcomes(pool, feed, work):
                    timer.cancel()
                    yield outcome

    @contextlib.contextmanager
    def _patience(self) -> Iterator[threading.Timer]:
        """Runs out where nothing comes back: others may have all cores of a running cluster."""
        timer = threading.Timer(_PATIENCE, self._tell_to_wait)
        timer.daemon = True
        timer.start()
        try:
            yield timer
        finally:
            timer.cancel()

    def _tell_to_wait(self) -> None:
        if self._tell and self.address:
            self._tell(_WAITING)


def _outcomes(pool: "_Pool", feed: Feed, work: Work) -> Outcomes:
    """What comes back, each chunk once; then what did not, where it can kill nobody else."""
    in_vain = 0
    while not feed.over:  # once, unless what hands out the chunks is lost
        before = feed.returned
        yield from pool.received(feed, feed.dataset(), work)
        feed.check()
        in_vain = 0 if feed.returned > before else in_vain + 1
        if in_vain == _TRIES and not feed.over:
            raise WorkerError(
                f"the Ray cluster cannot go on: what hands out the rows was lost, {_TRIES} times"
            )
    for _ in range(_TRIES - 1):
        if feed.missing:
            yield from pool.received(feed, feed.again(), Guarded(work))
    for chunk in list(feed.missing.values()):
        reason = f"the node that worked on this shard was lost, {_TRIES} times"
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
            "batch_size": 1,  # chunk; where there are GPUs, Ray wants to know
            "batch_format": "pyarrow",
            "compute": ActorPoolStrategy(size=workers),
            "num_cpus": 1,
            "num_gpus": share,
            "max_task_retries": 0,  # what is lost is missing at the end, and counted
        }

    def received(self, feed: Feed, dataset: Any, work: Work) -> Outcomes:
        """The outcomes of the chunks of a dataset; those that are lost stay missing."""
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
            return  # a node is lost that had outcomes; others may be on their way, and come anew
        except RayError as error:
            reason = " ".join(str(error).split())[:300]
            raise WorkerError(f"the Ray cluster cannot go on: {reason}") from None


def gpu_share(gpus: int, workers: int) -> float:
    """How much of a GPU each worker gets, so that all find a place."""
    on_one = math.ceil(workers / gpus)
    return _SHARES // on_one / _SHARES  # rounded down: Ray would round up, and the last not fit


def _settings_here() -> Mapping[str, str]:
    """What actors must know of this process: the work must be the same there.

    By name, since the environment has secrets too; and also what `commonground.toml` says.
    """
    found = {key: settings.setting(key) for key in settings.KEYS if key != "threads"}
    return {f"COMMONGROUND_{key.upper()}": value for key, value in found.items() if value}
