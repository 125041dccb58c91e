"""The data set of `commonground generate`: checked before the work, resumable after a failure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from commonground.cli.events import Result
from commonground.cli.terminal import progress
from commonground.errors import CommongroundError, InputError
from commonground.io import Event, Narrative, ResumableRows, each_event
from commonground.scale import InterruptedRunError, difference


class DataSet:
    """The events of a file, and an output file with a row for each of them.

    Checks everything that needs no model at once: every row of the data set, and when
    resuming, that the existing results belong to these events and texts.
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
        # The number of narratives and their hash: the texts may be too large to keep.
        self._known = {
            event.id: (
                len(event.narratives),
                hash(event.narratives),
            )
            for event in each_event(source, narratives=narratives)
        }
        if unknown := sorted(self._rows.done - set(self._known)):
            raise InputError(f"{output}: has results of other events, such as {unknown[0]!r}")
        for row in self._rows.kept():
            self._check_texts(row)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def done(self) -> int:
        """Number of events that were done before."""
        return len(self._rows.done)

    def check(self, signature: Callable[[int], str]) -> None:
        """Raise InputError if existing results have another signature for n narratives."""
        expected = cache(signature)
        for row in self._rows.kept():
            ours = expected(self._known[str(row["id"])][0])
            if (theirs := row.get("signature")) != ours:
                raise InputError(
                    f"{self._output}: was started with other settings "
                    f"({difference(theirs, ours)}); use the same settings, or write to another file"
                )

    def write(
        self, label: str, results: Callable[[Iterable[Event]], Iterable[tuple[Event, Result]]]
    ) -> None:
        """Write a row for each event that has none; `results` may yield them in any order.

        Ctrl-C raises an InterruptedRunError.
        """
        done = self.done
        try:
            with progress(label) as advance, self._rows.writing():
                for event, result in results(self._waiting()):
                    self._rows.write({"id": event.id, **result.to_dict()})
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
        done = self._rows.count()  # from the disk: a row may be written and not yet counted
        if not done:
            return f"none of {len(self)} events is done"
        part = self._rows.part.name
        return f"{done} of {len(self)} events are done, in {part}; continue with --resume"

    def _check_texts(self, row: Mapping[str, Any]) -> None:
        """Raise InputError if a result quotes other narratives than the data set has now."""
        quoted = row.get("narratives")
        if not isinstance(quoted, list):
            return
        texts = (
            Narrative(n.get("source", ""), n.get("text", "")) for n in quoted if isinstance(n, dict)
        )
        if hash(tuple(texts)) != self._known[str(row["id"])][1]:
            raise InputError(
                f"{self._output}: has a result of {row['id']!r} from other texts than "
                f"{self._source} has; write to another file"
            )
