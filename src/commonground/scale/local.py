"""The engine of one machine: worker processes, each with one chunk at a time."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from queue import Empty, SimpleQueue

from commonground import settings
from commonground.errors import InputError
from commonground.scale.work import Chunk, Item, Outcome, Outcomes, Work
from commonground.workers import Pool, ProcessEndedError, Report, WorkerError, WorkerProcess

_ATTEMPTS = 2
_MAX_DEATHS = 50  # in the search for killers; each costs a process that loads its models
_KILLER = "the process that worked on this row was killed, more than once"
_WAKE_SECONDS = 1.0  # a wait without a limit would not notice Ctrl-C on Windows


class Local:
    """Worker processes on this machine; a single chunk is processed in this one.

    A process that is killed, for example for lack of memory, is replaced and its chunk
    repeated; after a second death the rows that kill are searched for and reported as failures.
    The cores are divided among the processes.

    Args:
        workers: Number of processes (default: number of CPUs).
    """

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise InputError(f"--workers must be 1 or more, not {workers}")
        self.workers = workers or settings.thread_count()

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """Yield the number and the outcome of every chunk, in order of completion."""
        waiting = iter(chunks)
        first = list(islice(waiting, 2))
        # The last shard of a resumed run may be the one that killed the run before.
        if len(first) < 2 and not any(chunk.number for chunk in first):
            work.warm()
            for chunk in first:
                yield chunk.number, work(chunk.items)
        else:
            yield from _in_processes(work, self.workers, chain(first, waiting))


class Guarded:
    """Work done in a process of its own, where rows that kill the process are found.

    Args:
        work: Loads its models anew for each chunk, so use this for few chunks.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def warm(self) -> None:
        """No-op: the process loads the models."""

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """Return the shard of these items."""
        ((_, outcome),) = _in_processes(self._work, 1, iter([Chunk(0, tuple(items))]))
        return outcome

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """Return the shard of items that all failed."""
        return self._work.lost(items, reason)


@dataclass(frozen=True, slots=True)
class _ChunkService:
    """The work as a service of worker processes; requests and replies are pickles."""

    work: Work

    def warm(self) -> None:
        self.work.warm()

    def __call__(self, request: bytes, report: Report) -> bytes:
        return pickle.dumps(self.work(pickle.loads(request)), pickle.HIGHEST_PROTOCOL)


def _in_processes(work: Work, workers: int, chunks: Iterator[Chunk]) -> Outcomes:
    first = list(islice(chunks, workers))  # no more processes than chunks
    chunks = chain(first, chunks)
    threads = max(1, settings.thread_count() // workers)
    service = _ChunkService(work)
    pool = Pool([WorkerProcess(service, threads=threads) for _ in first])
    completed: SimpleQueue[Future[tuple[int, Outcome]]] = SimpleQueue()
    pending = 0
    with closing(pool):
        pool.start()
        while True:
            # One chunk more than processes, so that none waits while an outcome is written.
            for chunk in islice(chunks, workers + 1 - pending):
                future = pool.submit(partial(_outcome, work=work, chunk=chunk))
                future.add_done_callback(completed.put)
                pending += 1
            if not pending:
                return
            with suppress(Empty):
                outcome = completed.get(timeout=_WAKE_SECONDS).result()
                pending -= 1
                yield outcome


def _outcome(process: WorkerProcess, work: Work, chunk: Chunk) -> tuple[int, Outcome]:
    """Return the outcome of a chunk; rows that kill the process are failures in it."""
    items = chunk.items
    for _ in range(_ATTEMPTS):
        if outcome := _attempt(process, items):
            return chunk.number, outcome
    killers = find_killers(
        len(items), lambda piece: not _attempt(process, items[piece.start : piece.stop])
    )
    # The rest is processed as one chunk: the results of the pieces need not be put together.
    given_up = set(killers)
    rest = tuple(item for index, item in enumerate(items) if index not in given_up)
    outcome = _attempt(process, rest) if rest else None
    if outcome is None:  # each piece survived, but all together killed the process
        return chunk.number, work.lost(items, _KILLER)
    failures = work.lost([items[index] for index in killers], _KILLER).failures
    return chunk.number, replace(outcome, failures=(*outcome.failures, *failures))


def _attempt(process: WorkerProcess, items: Sequence[Item]) -> Outcome | None:
    """Return the outcome of the items, or None if they killed the process."""
    try:
        process.start()
    except ProcessEndedError:
        raise WorkerError("a worker process ended while it loaded its models") from None
    try:
        reply = process.ask(pickle.dumps(items, pickle.HIGHEST_PROTOCOL))
    except ProcessEndedError:
        return None
    outcome: Outcome = pickle.loads(reply)
    return outcome


def find_killers(count: int, kills: Callable[[range], bool]) -> list[int]:
    """Return the indices of the items that kill a process, found by halves.

    Args:
        count: Number of items, which together have killed a process.
        kills: Whether a range of items kills. After too many deaths, the ranges that still kill
            are given up as a whole.
    """
    killers: list[int] = []
    deaths = 0

    def search(piece: range) -> None:
        nonlocal deaths
        deaths += 1
        if len(piece) < 2 or deaths > _MAX_DEATHS:
            killers.extend(piece)
            return
        middle = len(piece) // 2
        for half in (piece[:middle], piece[middle:]):
            if kills(half):
                search(half)

    search(range(count))
    return killers
