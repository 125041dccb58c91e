"""What engines and works share: chunks of rows in, whole shards out."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from commonground.errors import CommongroundError, MissingExtraError, ModelError
from commonground.io import encoded, place
from commonground.plain import Plain

_FATAL = (ModelError, MissingExtraError)  # not a row's fault: all the others would fail too


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the input, and where it stands.

    `content` is what the work takes: plain values that can be sent to other processes.
    """

    file: str
    line: int
    id: str
    content: Any


@dataclass(frozen=True, slots=True)
class Failure(Plain):
    """A row without a result, and why."""

    file: str
    line: int
    id: str | None
    reason: str

    @classmethod
    def of(cls, file: Path, line: int, identifier: object, error: Exception) -> "Failure":
        """Return the failure of a row; the reason does not repeat where it stands."""
        name = str(identifier) if isinstance(identifier, str | int) else None
        reason = str(error).removeprefix(f"{place(file, line)}: ").removeprefix(f"{file}: ")
        return cls(str(file), line, name, " ".join(reason.split()))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The rows of one shard."""

    number: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a chunk.

    Attributes:
        rows: The results as the bytes of a whole file, in the order of the items.
        failures: The items without a result.
        notes: JSON for the end of the run, if it needs to know anything of the results.
    """

    rows: bytes
    failures: tuple[Failure, ...] = ()
    notes: bytes = b""


Outcomes: TypeAlias = Generator[tuple[int, Outcome], None, None]


class Work(Protocol):
    """What is done to a chunk. It is pickled, and loads its models in each process."""

    def warm(self) -> None:
        """Load the models; an error here ends the run."""
        ...

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """Return the shard of these items, which must be the same in every process."""
        ...

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """Return the shard of items that all failed."""
        ...


class Engine(Protocol):
    """Runs the work on chunks, here or on other machines."""

    def run(self, work: Work, chunks: Iterable[Chunk]) -> Outcomes:
        """Yield the number and the outcome of every chunk, in any order.

        Chunks are taken as they are needed, a bounded number at a time, since all of them may
        not fit into memory. An engine that loses a chunk repeatedly yields `work.lost` for it.
        Closing the generator ends all processes.
        """
        ...


class RowWork(ABC):
    """Work that makes a row of each item; an item that fails costs only itself.

    Args:
        form: The format of the results, one of `commonground.io.FORMS`.
    """

    def __init__(self, form: str) -> None:
        self.form = form

    def __getstate__(self) -> dict[str, Any]:
        # Each process loads its own models.
        return {name: value for name, value in vars(self).items() if name != "models"}

    @cached_property
    def models(self) -> Any:
        """The models, loaded when first needed."""
        return None

    def warm(self) -> None:
        """Load the models."""
        _ = self.models

    @abstractmethod
    def signature(self) -> str:
        """Return all that the results depend on besides the rows."""

    @abstractmethod
    def results(self, items: Sequence[Item]) -> Sequence[Mapping[str, Any]]:
        """Return a row for each item in order; raise if any of them fails."""

    def notes(self, rows: Sequence[Mapping[str, Any]]) -> bytes:
        """Return what the end of the run needs to know of these rows, as JSON."""
        return b""

    def __call__(self, items: Sequence[Item]) -> Outcome:
        """Process all items at once; if that fails, one by one."""
        rows: list[Mapping[str, Any]] = []
        failures: list[Failure] = []
        try:
            rows.extend(self.results(items) if items else ())
        except _FATAL:
            raise
        except Exception:
            for item in items:
                try:
                    rows.extend(self.results([item]))
                except _FATAL:
                    raise
                except Exception as error:
                    failures.append(Failure(item.file, item.line, item.id, _reason(error)))
        return Outcome(encoded(rows, self.form), tuple(failures), self.notes(rows))

    def lost(self, items: Sequence[Item], reason: str) -> Outcome:
        """Return the shard of items that all failed."""
        failures = tuple(Failure(item.file, item.line, item.id, reason) for item in items)
        return Outcome(encoded([], self.form), failures, self.notes([]))


def _reason(error: Exception) -> str:
    prefix = "" if isinstance(error, CommongroundError) else f"unexpected {type(error).__name__}: "
    return " ".join(f"{prefix}{error}".split())
