"""What engines and works agree on: chunks of rows in, whole shards out."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from commonground.errors import CommongroundError, MissingExtraError, ModelError
from commonground.io import encoded


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the input that is to be worked on, and where it stands.

    `content` is what the work takes: plain values, which travel to other processes.
    """

    file: str
    line: int
    id: str
    content: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """A row without a result, and why."""

    file: str
    line: int
    id: str | None
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The row as it stands in the file of errors."""
        return {"file": self.file, "line": self.line, "id": self.id, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rows of one shard."""

    number: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a chunk.

    Attributes:
        rows: The results as the bytes of a whole file, in the order of the items.
        failures: The items that have none.
        notes: What the end of the run needs to know of the results, if anything; JSON.
    """

    rows: bytes
    failures: tuple[Failure, ...] = ()
    notes: bytes = b""


Outcomes: TypeAlias = Generator[tuple[int, Outcome], None, None]


class Work(Protocol):
    """What is done to a chunk. It travels to other processes, and loads its models there."""

    def warm(self) -> None:
        """Load what the work needs; trouble with that ends the run."""
        ...

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """The shard of these items. The outcome must not depend on where it is worked out."""
        ...

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """The shard of items that all failed."""
        ...


class Engine(Protocol):
    """Does the work on chunks, wherever it has hands to."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """The outcome of every chunk with its number, in any order.

        Chunks are taken as they are needed, a bounded number at a time: all of them would not
        fit into memory. An engine that loses a chunk twice gives `work.lost` for it. Closing the
        generator ends what was started.
        """
        ...


class RowWork(ABC):
    """A work that makes a row of each item; one that fails costs only itself.

    Args:
        form: How the results are written, one of `commonground.io.FORMS`.
    """

    def __init__(self, form: str) -> None:
        self.form = form

    @abstractmethod
    def warm(self) -> None:
        """Load what the work needs."""

    @abstractmethod
    def results(self, items: Sequence[Item]) -> Sequence[Mapping[str, Any]]:
        """A row for each item, in their order; or an error, for any of them."""

    def notes(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        """What the end of the run needs to know of these rows; JSON."""
        return b""

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """All items at once; where that fails, one after the other."""
        rows: list[Mapping[str, Any]] = []
        failures: list[Failure] = []
        try:
            rows.extend(self.results(items) if items else ())
        except _TROUBLE:
            raise
        except Exception:
            for item in items:
                self._add(item, rows, failures)
        return Outcome(encoded(rows, self.form), tuple(failures), self.notes(rows))

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """The shard of items that all failed."""
        failures = tuple(Failure(one.file, one.line, one.id, reason) for one in items)
        return Outcome(encoded([], self.form), failures, self.notes([]))

    def _add(self, item: Item, rows: list[Mapping[str, Any]], failures: list[Failure]) -> None:
        try:
            rows.extend(self.results([item]))
        except _TROUBLE:
            raise
        except Exception as error:
            failures.append(Failure(item.file, item.line, item.id, _reason(error)))


# Not a row's fault: all the others would fail too.
_TROUBLE = (ModelError, MissingExtraError)


def _reason(error: Exception) -> str:
    if isinstance(error, CommongroundError):
        return " ".join(str(error).split())
    return " ".join(f"unexpected {type(error).__name__}: {error}".split())
