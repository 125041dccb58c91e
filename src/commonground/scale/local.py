"""The engine of one machine: worker processes, each with one chunk at a time."""

import contextlib
import multiprocessing
import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any

from commonground import settings
from commonground.errors import InputError
from commonground.scale import worker
from commonground.scale.hunt import Hunt
from commonground.scale.work import Chunk, Item, Outcome, Outcomes, Work

_TRIES = 2
_KILLER = "the process that worked on this row was killed, more than once"


class Local:
    """Worker processes on this machine; a single chunk is done in this one.

    A process that is killed, say for memory, is replaced and its chunk done again; the second
    time the rows that kill are searched for, and given up. The cores are divided among the
    processes. (The standard library's executor ends all work when one process dies, and cannot
    tell on which.)

    Args:
        workers: How many; as many as there are cores, where nothing is said.
    """

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 1:
            raise InputError(f"--workers must be 1 or more, not {workers}")
        self.workers = workers or settings.thread_count()

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """The outcome of every chunk with its number, in the order they are done."""
        waiting = iter(chunks)
        first = list(islice(waiting, 2))
        # The last shard of many may be the one that killed the run before.
        alone = len(first) < 2 and not any(chunk.number for chunk in first)
        if alone:
            work.warm()
            for chunk in first:
                yield chunk.number, work(chunk.items)
            return
        yield from _in_processes(work, self.workers, chain(first, waiting))


class Guarded:
    """A work that is done in a process of its own, where rows that kill it are found and given up.

    Args:
        work: Whose models are loaded for each chunk anew, so this is for few of them.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def warm(self) -> None:
        """Nothing: the process loads the models."""

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """The shard of these items."""
        ((_, outcome),) = _in_processes(self._work, 1, iter([Chunk(0, tuple(items))]))
        return outcome

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """The shard of items that all failed."""
        return self._work.lost(items, reason)


def _in_processes(work: Work, workers: int, chunks: Iterator[Chunk]) -> Outcomes:
    pool = _Pool(work, workers, chunks)
    try:
        yield from pool.outcomes()
    finally:
        pool.end()


@dataclass(frozen=True, slots=True)
class _Task:
    """A chunk on its way, written as it will travel.

    In a hunt for rows that kill it is a piece of the chunk, and in the end all but those rows.
    """

    chunk: Chunk
    message: bytes
    lost: int = 0
    hunt: Hunt | None = None
    piece: range | None = None


class _Pool:
    """The processes and what each is doing."""

    def __init__(self, work: Work, workers: int, chunks: Iterator[Chunk]) -> None:
        self._work = work
        self._most = workers
        self._threads = max(1, settings.thread_count() // workers)
        self._chunks = chunks
        self._next: deque[_Task] = deque()
        self._idle: list[_Process] = []
        self._busy: dict[Connection[Any, Any], tuple[_Process, _Task]] = {}
        self._starting: dict[Connection[Any, Any], _Process] = {}

    def outcomes(self) -> Iterator[tuple[int, Outcome]]:
        """Give work until there is none left."""
        self._read_ahead(self._most)
        for _ in self._next:  # no more processes than there is work for
            self._start()
        while True:
            self._hand_out()
            if not self._next and not self._busy:
                return
            for pipe in wait([*self._busy, *self._starting]):
                yield from self._heard(pipe)  # type: ignore[arg-type]

    def end(self) -> None:
        """End every process."""
        working = [process for process, _ in self._busy.values()]
        for process in (*self._idle, *working, *self._starting.values()):
            process.end()

    def _start(self) -> None:
        process = _Process(self._work, self._threads)
        self._starting[process.pipe] = process

    def _hand_out(self) -> None:
        """A task for each idle process; and the next one is read while they work."""
        self._read_ahead()
        while self._idle and self._next:
            process, task = self._idle.pop(), self._next.popleft()
            self._busy[process.pipe] = process, task
            with contextlib.suppress(OSError):  # a process that has died is heard of by its pipe
                process.pipe.send_bytes(task.message)
            self._read_ahead()

    def _read_ahead(self, count: int = 1) -> None:
        for chunk in islice(self._chunks, max(0, count - len(self._next))):
            self._next.append(_Task(chunk, _message(chunk.items)))

    def _heard(self, pipe: "Connection[Any, Any]") -> Iterator[tuple[int, Outcome]]:
        """What a process says, or that it has died."""
        if pipe in self._starting:
            process = self._starting.pop(pipe)
            try:
                _, trouble = pipe.recv()
            except (EOFError, OSError):
                process.end()
                reason = "a worker process ended while it loaded its models"
                raise worker.WorkerError(reason) from None
            self._idle.append(process)
            worker.check(trouble)
            return
        process, task = self._busy.pop(pipe)
        try:
            said, found = pipe.recv()
        except (EOFError, OSError):
            process.end()
            self._start()
            yield from self._again(task)
            return
        if said == worker.FAILED:
            process.end()
            worker.check(found)
        self._idle.append(process)
        if task.hunt and task.piece is not None:
            task.hunt.survived()
            yield from self._hunted(task.chunk, task.hunt)
            return
        self._hand_out()  # before the outcome is written: nobody need wait for that
        if task.hunt:
            given_up = self._work.lost(task.hunt.killers(), _KILLER)
            found = replace(found, failures=(*found.failures, *given_up.failures))
        yield task.chunk.number, found

    def _again(self, task: _Task) -> Iterator[tuple[int, Outcome]]:
        """A task has killed its process: do it again, or look for the rows that do."""
        lost = task.lost + 1
        if task.hunt and task.piece is None:  # what no piece of it did, all together have done
            yield task.chunk.number, self._work.lost(task.chunk.items, _KILLER)
        elif task.hunt is None and lost < _TRIES:
            self._next.appendleft(replace(task, lost=lost))
        else:
            hunt = task.hunt or Hunt(task.chunk)
            everything = range(len(task.chunk.items))
            for piece in hunt.killed(task.piece or everything):
                message = _message(hunt.items(piece))
                self._next.appendleft(_Task(task.chunk, message, hunt=hunt, piece=piece))
            yield from self._hunted(task.chunk, hunt)

    def _hunted(self, chunk: Chunk, hunt: Hunt) -> Iterator[tuple[int, Outcome]]:
        """Where the rows that kill are known, go on with the others."""
        if not hunt.over:
            return
        if rest := hunt.rest():
            self._next.appendleft(_Task(chunk, _message(rest), hunt=hunt))
        else:
            yield chunk.number, self._work.lost(chunk.items, _KILLER)


def _message(items: tuple[Item, ...]) -> bytes:
    return pickle.dumps(items, protocol=pickle.HIGHEST_PROTOCOL)


class _Process:
    """One worker process and the pipe to it."""

    def __init__(self, work: Work, threads: int) -> None:
        context = multiprocessing.get_context("spawn")  # forks of a process with threads may hang
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=worker.main, args=(theirs, work, threads), name="commonground", daemon=True
        )
        with _deaf_to_interrupts():
            self._process.start()
        theirs.close()  # so that the end of the process is the end of the pipe

    def end(self) -> None:
        """Kill it; it holds nothing that is not done again."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self.pipe.close()


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started within the block does not hear Ctrl-C, not even while it starts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
