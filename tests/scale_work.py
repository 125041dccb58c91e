"""Works for the tests of engines, in a module that worker processes can import."""

import os
import signal
import time
from pathlib import Path

from commonground.errors import InputError, ModelError
from commonground.scale import Chunk, Failure, Item, RowWork


class Double(RowWork):
    """Twice each number; what is told by other contents happens."""

    def __init__(self, form="jsonl"):
        super().__init__(form)

    def signature(self):
        return "double"

    def results(self, items):
        return [{"id": item.id, "double": doubled(item.content)} for item in items]


class NoModel(Double):
    def warm(self):
        raise ModelError("no such model")


class NoVocabulary(Double):
    def warm(self):
        Path("no such vocabulary.txt").read_bytes()


class DiesAtOnce(Double):
    def warm(self):
        os.kill(os.getpid(), signal.SIGKILL)


class Environment(Double):
    """The names of the settings that have come along."""

    def results(self, items):
        names = sorted(name for name in os.environ if name.startswith("COMMONGROUND_"))
        return [{"id": item.id, "names": names} for item in items]


def doubled(content):
    if content == "refuse":
        raise InputError("this is refused")
    if content == "break":
        raise ValueError("two\nlines")
    if content == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if isinstance(content, str) and content.startswith("die once: "):
        mark = Path(content.removeprefix("die once: "))
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 0
    if content == "model":
        raise ModelError("weights are gone")
    if content == "slow":
        time.sleep(0.2)
        return 0
    return 2 * content


def rows_of(*contents):
    return [
        content if isinstance(content, Failure) else Item("in.jsonl", line, f"r{line}", content)
        for line, content in enumerate(contents, start=1)
    ]


def chunks_of(*contents):
    return [Chunk(number, tuple(rows_of(*some))) for number, some in enumerate(contents)]
