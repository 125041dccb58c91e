"""`commonground overlap --input`: any number of events, compared shard by shard."""

from collections.abc import Iterator, Sequence
from typing import Any

from commonground.cli import definitions
from commonground.cli.definitions import Method, Settings
from commonground.cli.scaled import Scale, ScaledRun
from commonground.io import find_files
from commonground.scale import Failure, Index, Item, Output, RowWork, event_rows

_SHARD_ROWS = 20  # some seconds of work


class Compare(RowWork):
    """What narratives have in common, by one of the definitions.

    Args:
        form: How the results are written.
        method: The definition's name.
        settings: What it takes.
    """

    def __init__(self, form: str, method: str, settings: Settings) -> None:
        super().__init__(form)
        self._method = method
        self._settings = settings
        self._find: Method | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_find": None}  # each process loads its own

    def warm(self) -> None:
        """Load the models."""
        self._opened(quiet=True)

    def signature(self) -> str:
        """All that a result depends on, with as few narratives as there may be."""
        asked = self._settings.at_least
        found = definitions.signature(self._opened(quiet=False), asked or 2)
        return f"{found}|asked:{asked or 'all'}"

    def results(self, items: Sequence[Item]) -> list[dict[str, Any]]:
        """A row for each event."""
        find = self._opened(quiet=True)
        return [{"id": item.id, **find(item.content).to_dict()} for item in items]

    def _opened(self, *, quiet: bool) -> Method:
        if self._find is None:
            self._find = definitions.opened(self._method, self._settings, quiet=quiet)
        return self._find


def compare_to(
    output: str, source: Sequence[str], method: str, settings: Settings, scale: Scale
) -> None:
    """Write a row for each event."""
    inputs = find_files(source)
    target = Output.of(output, scale.form)
    target.check_apart(source)
    work = Compare(target.form, method, settings)
    scaled = ScaledRun.of(scale, target, inputs, (), _SHARD_ROWS)

    def rows(index: Index) -> Iterator[Item | Failure]:
        return event_rows(inputs, index, settings.at_least or 2)

    scaled.check(rows)
    with scaled.folder:
        with scaled.begun(work.signature()) as index:
            ended = scaled.go("Comparing", rows(index), work)
        scaled.end(ended, "events")
