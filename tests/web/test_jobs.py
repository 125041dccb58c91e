"""The pool of worker processes, with real processes."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from commonground.errors import InputError
from commonground.web.jobs import LOST, Jobs, QueueFullError
from web_jobs import TASKS

LIMIT = 60.0  # seconds, for what takes none: a test that would wait for ever fails instead


@pytest.fixture(scope="module")
def shared():
    jobs = Jobs(1, 8, TASKS, warm=None)
    jobs.start()
    yield jobs
    jobs.close()


def until(holds):
    deadline = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ended(job):
    until(lambda: job.over)
    return job


def running(job, message=""):
    until(lambda: job.state == "running" and message in job.message)
    return job


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_job_is_done_by_another_process_with_one_thread(shared):
    job = ended(shared.submit("echo", {"words": "schön"}, "me"))
    assert job.state == "done"
    assert job.result == {"said": "schön", "threads": "1"}
    assert (job.progress, job.message) == (0.5, "half-way")


def test_errors_are_lines_for_people(shared):
    assert ended(shared.submit("refuse", {}, "me")).error == "the left text\nis empty"
    broken = ended(shared.submit("break_down", {}, "me"))
    assert (broken.state, broken.error) == ("failed", "The work failed: ZeroDivisionError: oh")
    swollen = ended(shared.submit("swell", {}, "me"))
    assert swollen.error == "This needs more memory than is available."


def test_only_the_one_who_asked_sees_a_job(shared):
    job = shared.submit("echo", {"words": "mine"}, "me")
    assert shared.get(job.id, "me") is job
    assert shared.get(job.id, "you") is None
    assert shared.get("unknown", "me") is None


def test_a_worker_that_is_killed_fails_its_job_and_is_replaced(shared):
    assert ended(shared.submit("die", {}, "me")).error == LOST
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"


def test_a_worker_without_memory_says_so_and_is_replaced(shared):
    (worker,) = shared._pool.processes
    ended(shared.submit("echo", {"words": "first"}, "me"))
    before = worker.pid
    job = ended(shared.submit("devour", {}, "me"))
    assert (job.state, job.error) == ("failed", "This needs more memory than is available.")
    after = ended(shared.submit("echo", {"words": "next"}, "me"))
    assert after.result["said"] == "next"
    assert worker.pid != before


def test_a_worker_killed_between_jobs_costs_nobody_anything(shared):
    ended(shared.submit("echo", {"words": "first"}, "me"))
    (worker,) = shared._pool.processes
    os.kill(worker.pid, signal.SIGKILL)
    until(lambda: not alive(worker.pid))
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"


def test_a_worker_that_has_done_its_share_is_replaced(shared, monkeypatch):
    ended(shared.submit("echo", {"words": "first"}, "me"))
    (worker,) = shared._pool.processes
    before = worker.pid
    monkeypatch.setattr(worker, "max_requests", 1)
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"
    assert ended(shared.submit("echo", {"words": "last"}, "me")).state == "done"
    assert before != worker.pid
    assert not alive(before)


def test_workers_are_not_all_replaced_at_the_same_time():
    shares = [worker.max_requests for worker in Jobs(4, 8, TASKS, warm=None)._pool.processes]
    assert len(set(shares)) == 4


def test_work_that_takes_too_long_is_ended(shared):
    job = ended(shared.submit("spin", {}, "me"))
    assert job.error == "This took longer than 0 seconds and was ended."
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"


def test_work_that_tells_much_gets_no_more_time(shared):
    job = ended(shared.submit("chatter", {}, "me"))
    assert job.error == "This took longer than 0 seconds and was ended."


@pytest.mark.parametrize(
    ("head", "count"),
    [
        *(("", 1), ("p{", 1), ("pnull", 1), ("p[1]", 1), ('p["x", "y"]', 1), ("d{", 1), ("f", 1)),
        *(("x1", 1), ("d", 70_000_000), ("d[", 1_000_000)),
    ],
)
def test_a_worker_that_talks_nonsense_fails_its_job_and_is_replaced(shared, head, count):
    job = ended(shared.submit("garble", {"says": [head, count]}, "me"))
    assert job.state == "failed"
    assert job.error == LOST or job.error.startswith("The server could not do this work (")
    assert "\n" not in job.error
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"


def test_a_process_that_cannot_be_started_fails_its_job_and_the_next_is_done(monkeypatch):
    def fail(process):
        raise BlockingIOError(11, "no more processes")

    jobs = Jobs(1, 8, TASKS, warm=None)
    with monkeypatch.context() as patched:
        patched.setattr(SpawnProcess, "start", fail)
        jobs.start()
        job = ended(jobs.submit("echo", {"words": "first"}, "me"))
        assert job.error == "The server could not do this work (BlockingIOError). Try again."
    assert ended(jobs.submit("echo", {"words": "next"}, "me")).state == "done"
    jobs.close()


def test_cancelling_ends_the_process_and_frees_the_next(shared):
    job = running(shared.submit("wait", {}, "me"), "waiting")
    waiting = shared.submit("wait", {}, "me")
    (worker,) = shared._pool.processes
    before = worker.pid
    assert shared.ahead(waiting) == 0
    assert shared.cancel(waiting)
    assert shared.cancel(job)
    assert (job.state, waiting.state) == ("cancelled", "cancelled")
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"
    assert not alive(before)
    assert shared.cancel(job)  # over is over
    assert job.state == "cancelled"


@pytest.fixture
def held_end(monkeypatch):
    """Holds what ends a process, right before it is done: (it is there, let it go on)."""
    there, go_on = threading.Event(), threading.Event()
    remove = shutil.rmtree

    def wait(folder, ignore_errors):
        there.set()
        go_on.wait(LIMIT)
        remove(folder, ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", wait)
    yield there, go_on
    go_on.set()


def test_a_job_whose_process_is_being_ended_can_be_cancelled_again(held_end):
    there, go_on = held_end
    jobs = Jobs(1, 8, TASKS, warm=None)
    jobs.start()
    job = running(jobs.submit("wait", {}, "me"), "waiting")
    assert jobs.cancel(job)
    assert there.wait(LIMIT)
    assert jobs.cancel(job)
    jobs._pool.processes[0].kill()
    go_on.set()
    assert ended(jobs.submit("echo", {"words": "next"}, "me")).state == "done"
    jobs.close()


def test_closing_ends_all_processes_while_one_is_being_ended(held_end):
    there, go_on = held_end
    jobs = Jobs(2, 8, TASKS, warm=None)
    jobs.start()
    some = [running(jobs.submit("wait", {}, "me"), "waiting") for _ in range(2)]
    first, second = jobs._pool.processes
    pid = second.pid
    jobs.cancel(next(job for job in some if jobs._running[job.id] is first))
    assert there.wait(LIMIT)
    with ThreadPoolExecutor() as other:
        closing = other.submit(jobs.close)
        until(lambda: not alive(pid))
        go_on.set()
        closing.result(LIMIT)


def test_cancelling_what_has_just_ended_costs_no_process(shared, monkeypatch):
    (worker,) = shared._pool.processes
    end = shared._end

    def end_and_cancel(job, state, **more):
        end(job, state, **more)
        assert shared.cancel(job)

    ended(shared.submit("echo", {"words": "first"}, "me"))
    before = worker.pid
    with monkeypatch.context() as patched:
        patched.setattr(shared, "_end", end_and_cancel)
        assert ended(shared.submit("echo", {"words": "x"}, "me")).state == "done"
        until(lambda: not shared._running)
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"
    assert worker.pid == before


def test_what_a_process_leaves_behind_goes_with_it(shared):
    job = running(shared.submit("litter", {}, "me"), "commonground-")
    left = Path(job.message)
    assert left.exists()
    shared.cancel(job)
    ended(shared.submit("echo", {"words": "next"}, "me"))
    assert not left.parent.exists()


def test_a_result_that_is_too_large_is_said_in_a_line(shared):
    job = ended(shared.submit("large", {}, "me"))
    assert job.error == "The result is larger than 64 MB. Use less text."


def test_the_server_goes_on_with_a_result(shared):
    def then(found, settle):
        settle()
        return found["said"].upper()

    job = ended(shared.submit("echo", {"words": "schön"}, "me", then=then))
    assert (job.state, job.result) == ("done", "SCHÖN")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InputError("the disk is full"), "the disk is full"),
        (OSError(28, "/secret/place"), "The server could not do this work (OSError). Try again."),
    ],
)
def test_a_result_that_cannot_be_used_fails_its_job_in_a_line(shared, error, words):
    def then(found, settle):
        raise error

    ended(shared.submit("echo", {"words": "first"}, "me"))
    (worker,) = shared._pool.processes
    before = worker.pid
    job = ended(shared.submit("echo", {"words": "x"}, "me", then=then))
    assert (job.state, job.error) == ("failed", words)
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"
    assert worker.pid == before  # which is not to blame


@pytest.mark.parametrize("settled", [False, True])
def test_cancelling_ends_a_job_until_its_result_is_settled(shared, settled):
    begun, go_on, stored = threading.Event(), threading.Event(), []

    def then(found, settle):
        if settled:
            settle()
        begun.set()
        assert go_on.wait(LIMIT)
        if not settled:
            settle()
        stored.append(found)
        return "stored"

    job = shared.submit("echo", {"words": "x"}, "me", then=then)
    assert begun.wait(LIMIT)
    assert shared.cancel(job) != settled
    go_on.set()
    assert ended(job).state == ("done" if settled else "cancelled")
    assert ended(shared.submit("echo", {"words": "next"}, "me")).state == "done"
    assert bool(stored) == settled
    assert shared.cancel(job) != settled


def test_a_full_queue_says_when_to_come_back():
    jobs = Jobs(0, 2, TASKS, warm=None)
    first = jobs.submit("echo", {}, "me")
    second = jobs.submit("echo", {}, "me")
    assert (jobs.ahead(first), jobs.ahead(second)) == (0, 1)
    with pytest.raises(QueueFullError, match="Try again in") as full:
        jobs.submit("echo", {}, "you")
    assert full.value.retry_after >= 1
    jobs.cancel(first)
    assert jobs.submit("echo", {}, "you").state == "queued"


def test_what_waits_is_bounded_in_bytes(monkeypatch):
    monkeypatch.setattr("commonground.web.jobs._QUEUE_BYTES", 100)
    jobs = Jobs(0, 9, TASKS, warm=None)
    large = jobs.submit("echo", {"words": "x" * 200}, "me")  # alone, it may come
    with pytest.raises(QueueFullError):
        jobs.submit("echo", {}, "me")
    jobs.cancel(large)
    jobs.submit("echo", {"words": "x" * 50}, "me")
    with pytest.raises(QueueFullError):
        jobs.submit("echo", {"words": "x" * 50}, "me")
    assert jobs.submit("echo", {}, "me").state == "queued"


def test_results_are_dropped_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("commonground.web.jobs._KEPT_JOBS", 2)
    jobs = Jobs(0, 9, TASKS, warm=None)
    some = [jobs.submit("echo", {}, "me") for _ in range(4)]
    for job in some[:3]:
        jobs.cancel(job)
    assert [jobs.get(job.id, "me") is not None for job in some] == [False, True, True, True]


SERVER = """
import sys, time
sys.path[:0] = {paths!r}
from commonground.web.jobs import Jobs
from web_jobs import TASKS
if __name__ == "__main__":
    jobs = Jobs(2, 8, TASKS, warm=None)
    jobs.start()
    some = [jobs.submit("wait", {{}}, "me") for _ in range(2)]
    while any("waiting" not in one.message for one in some):
        time.sleep(0.01)
    print(*(one.pid for one in jobs._pool.processes), flush=True)
    print(*(one.folder for one in jobs._pool.processes), sep="\\n", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_with_a_server_that_is_killed(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(SERVER.format(paths=[str(Path(__file__).parents[1])]))
    server = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in server.stdout.readline().split()]
    folders = [Path(server.stdout.readline().rstrip("\n")) for _ in pids]
    assert len(pids) == 2
    assert all(map(alive, pids))
    assert all(folder.is_dir() for folder in folders)
    server.kill()
    server.wait()
    until(lambda: not any(map(alive, pids)))
    assert not any(folder.exists() for folder in folders)
