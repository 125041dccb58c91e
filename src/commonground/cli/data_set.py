"""A data set for models that write: checked before the work, kept when it breaks off."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from commonground.cli.terminal import progress
from commonground.errors import CommongroundError, InputError
from commonground.io import Event, ResumableRows, each_event
from commonground.scale import InterruptedRunError, difference


class Result(Protocol):
    """What every method returns."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with a `signature`."""
        ...


class DataSet:
    """The events of a file, and a file that gets a row for each of them.

    All that can be checked without a model is checked at once: every row of the data set, and
    that the results there, if the run goes on, are of its events and of the same texts.

    Args:
        source: The data set.
        output: The file of results.
        resume: Whether to go on with it.
        overwrite: Whether to replace one that is there.
        narratives: How many narratives every event must have.
    """

    def __init__(
        self,
        source: Path,
        output: Path,
        *,
        resume: bool,
        narratives: int,
        overwrite: bool = False,
    ) -> None:
        self._source = source
        self._output = output
        self._rows = ResumableRows(output, source, resume=resume, overwrite=overwrite)
        # How many narratives, and their hash: the texts of all events may be too large to keep.
        self._known = {
            event.id: (len(event.narratives), _hashed((n.source, n.text) for n in event.narratives))
            for event in each_event(source, narratives=narratives)
        }
        if strange := sorted(self._rows.done - set(self._known)):
            raise InputError(f"{output}: has results of other events, such as {strange[0]!r}")
        for row in self._rows.kept():
            self._check_texts(row)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def done(self) -> int:
        """How many events were done before."""
        return len(self._rows.done)

    def check(self, signature: Callable[[int], str]) -> None:
        """Refuse to go on with results of other settings.

        Args:
            signature: That of a result now, for so many narratives.
        """
        expected = cache(signature)
        for row in self._rows.kept():
            ours = expected(self._known[str(row["id"])][0])
            theirs = row.get("signature")
            if theirs != ours:
                raise InputError(
                    f"{self._output}: was begun with other settings ({difference(theirs, ours)}); "
                    "give the same ones, or write to another file"
                )

    def write(
        self, what: str, results: Callable[[Iterable[Event]], Iterable[tuple[Event, Result]]]
    ) -> None:
        """Write a row for each event that has none; `results` finds them, in any order.

        Raises:
            InterruptedRunError: After Ctrl-C.
        """
        done = self.done
        try:
            with progress(what) as advance, self._rows.writing():
                for event, found in results(self._waiting()):
                    self._rows.write({"id": event.id, **found.to_dict()})
                    done += 1
                    advance(done, len(self))
        except KeyboardInterrupt:
            raise InterruptedRunError(f"interrupted; {self._kept()}") from None
        except CommongroundError as error:
            error.args = (f"{error}; {self._kept()}",)
            raise

    def _waiting(self) -> Iterator[Event]:
        return (event for event in each_event(self._source) if event.id not in self._rows.done)

    def _kept(self) -> str:
        done = self._rows.count()  # the disk knows: a row may be there and not yet be counted
        if not done:
            return f"none of {len(self)} events is done"
        kept = f"{done} of {len(self)} events are done and kept in {self._rows.part.name}"
        return f"{kept}, go on with --resume"

    def _check_texts(self, row: Mapping[str, Any]) -> None:
        """Results that repeat their narratives must be of the texts that are there now."""
        told = row.get("narratives")
        if not isinstance(told, list):
            return
        theirs = ((one.get("source"), one.get("text")) for one in told if isinstance(one, dict))
        if _hashed(theirs) != self._known[str(row["id"])][1]:
            raise InputError(
                f"{self._output}: has a result of {row['id']!r} from other texts than "
                f"{self._source} has; write to another file"
            )


def _hashed(narratives: Iterable[tuple[object, object]]) -> int:
    return hash(tuple(narratives))
