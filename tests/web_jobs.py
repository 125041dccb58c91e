"""Tasks for the tests of the pool."""

import os
import resource
import signal
import tempfile
import time

from commonground.errors import InputError
from commonground.web.tasks import Task
from commonground.workers import memory_limit


def echo(payload, report):
    report(0.5, "half-way")
    return {"said": payload["words"], "threads": os.environ["COMMONGROUND_THREADS"]}


def wait(payload, report):
    """Be at work until somebody ends it."""
    report(0.1, "waiting")
    time.sleep(600)


def large(payload, report):
    return "ä" * 40_000_000


def litter(payload, report):
    """Leave a file behind, and say where."""
    descriptor, path = tempfile.mkstemp()
    os.close(descriptor)
    report(0.1, path)
    time.sleep(60)


def spin(payload, report):
    while True:
        pass


def refuse(payload, report):
    raise InputError("the left text\nis empty")


def break_down(payload, report):
    raise ZeroDivisionError("oh")


def die(payload, report):
    os.kill(os.getpid(), signal.SIGKILL)


def swell(payload, report):
    with memory_limit(50_000_000):
        return len(bytes(200_000_000))


def devour(payload, report):
    """Take memory until the system says no, with a real limit on the process."""
    resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
    taken = []
    while True:
        taken.append(bytearray(50_000_000))


def chatter(payload, report):
    for step in range(1000):
        report(step / 1000, "nearly done")
        time.sleep(0.005)


def garble(payload, report):
    """Say what no honest worker says, as one would that a file gained control of."""
    (pipe,) = (cell.cell_contents for cell in report.__closure__)
    head, count = payload["says"]
    pipe.send_bytes(head.encode() * count)
    time.sleep(60)


SHORT = ("spin", "chatter")
NAMES = (
    *("echo", "wait", "large", "litter", "spin", "refuse", "break_down", "die", "swell", "devour"),
    *("chatter", "garble"),
)
TASKS = {name: Task(f"web_jobs:{name}", seconds=0.3 if name in SHORT else 30.0) for name in NAMES}
