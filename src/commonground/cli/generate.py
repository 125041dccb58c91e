"""`commonground overlap --method MODEL`: summaries that a model writes, verified."""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from commonground.cli.data_set import DataSet
from commonground.cli.terminal import note, print_json, print_lines
from commonground.errors import InputError
from commonground.io import Event, Narrative, read_rows
from commonground.models import WRITERS

if TYPE_CHECKING:
    from commonground.narratives.generators import Generated, Generator, Writer

METHODS = (*WRITERS, "llm", "gguf")

_HUB = "models of the hub"  # all methods but the two that have a name of their own
_ALL = (_HUB, "llm", "gguf")
_TAKEN_BY = {
    "verify": _ALL,
    "model": ("llm", "gguf"),
    "base_url": ("llm",),
    "level": ("llm", "gguf"),
    "device": (_HUB,),
    "batch": (_HUB,),
    "concurrency": ("llm",),
    "timeout": ("llm",),
    "retries": ("llm",),
    "price": ("llm",),
}
_HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class Options:
    """What generators take; None where nothing was said."""

    verify: str | None = None
    model: str | None = None
    base_url: str | None = None
    level: int | None = None
    device: str | None = None
    batch: int | None = None
    concurrency: int | None = None
    timeout: float | None = None
    retries: int | None = None
    price: tuple[float, float] | None = None

    def check(self, method: str, writes: bool) -> None:
        """Complain of an option that the method, which writes or does not, does not have."""
        who = method if method in _ALL else _HUB
        for field in fields(self):
            taken_by = _TAKEN_BY[field.name]
            if getattr(self, field.name) is not None and not (writes and who in taken_by):
                flag = field.name.replace("_", "-")
                raise InputError(f"--{flag} goes with {_listed(taken_by)}")


def _listed(methods: Sequence[str]) -> str:
    if methods == _ALL:
        return "models that write"
    if methods == (_HUB,):
        return _HUB
    return f"the method{'s' if len(methods) > 1 else ''} {' and '.join(methods)}"


def is_generator(method: str) -> bool:
    """Whether a method is a model that writes: by name, a name on the hub, or a folder.

    Raises:
        InputError: A path with no folder there.
    """
    if method in METHODS or _HUB_NAME.fullmatch(method):
        return True
    path = Path(method).expanduser()
    if method and path.is_dir():
        return True
    if path.is_file():
        raise InputError(
            f"--method {method}: is a file; give the folder of a model, or for a GGUF file "
            "--method gguf --model FILE"
        )
    if "/" in method or "\\" in method:
        raise InputError(
            f"--method {method}: no such folder; a model on the hub is organisation/model"
        )
    return False


def opened(method: str, options: Options, encoder: str) -> "Generator":
    """The model, ready to write."""
    from commonground import encoders
    from commonground.narratives.generators import Generator

    vectors = encoders.load(encoder)
    return Generator(
        _writer(method, options),
        verify=options.verify or "drop",
        encoder=vectors,  # type: ignore[arg-type]  # which it checks
    )


def _writer(method: str, options: Options) -> "Writer":
    from commonground.narratives.generators import (
        DEFAULT_GGUF,
        DEFAULT_LEVEL,
        Gguf,
        Llm,
        Patience,
        Seq2Seq,
    )

    level = options.level if options.level is not None else DEFAULT_LEVEL
    if method == "gguf":
        return Gguf(options.model or DEFAULT_GGUF, level=level)
    if method != "llm":
        return Seq2Seq(
            method,
            device=options.device or "auto",
            batch=1 if options.batch is None else options.batch,
        )
    if not options.model or not options.base_url:
        raise InputError("--method llm needs --base-url ADDRESS and --model NAME")
    usual = Patience()
    return Llm(
        options.model,
        options.base_url,
        level=level,
        concurrency=4 if options.concurrency is None else options.concurrency,
        patience=Patience(
            timeout=usual.timeout if options.timeout is None else options.timeout,
            retries=usual.retries if options.retries is None else options.retries,
        ),
    )


def one_event(
    generator: "Generator",
    event: Sequence[Narrative],
    as_json: bool,
    price: tuple[float, float] | None,
) -> None:
    """Write and show the summary of one event."""
    with _telling(alone=True):
        ((_, found),) = generator.each([event])
    if found.warning:
        note(f"warning: {found.warning}")
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(*str(found).splitlines())
        note(_bill(found.tokens.read, found.tokens.written, price))


def data_set(generator: "Generator", data: DataSet, source: Path) -> None:
    """Write a row for each event as it is done, in whatever order; all or the rest of them."""
    data.check(lambda narratives: str(generator.signature(narratives)))
    with _telling(alone=False):
        data.write("Writing", lambda events: _found(generator, events, source))


def _found(
    generator: "Generator", events: Iterable[Event], source: Path
) -> Iterator[tuple[Event, "Generated"]]:
    under_way: dict[int, Event] = {}

    def narratives() -> Iterator[Sequence[Narrative]]:
        for number, event in enumerate(events):
            under_way[number] = event
            yield event.narratives

    for number, found in generator.each(narratives()):
        event = under_way.pop(number)
        if found.warning:
            note(f"warning: {source}, id {event.id!r}: {found.warning}")
        yield event, found


class _Remarks(logging.Handler):
    """Passes on what models have to say: warnings as notes, the rest to a line of progress."""

    def __init__(self, about: Callable[[str], object]) -> None:
        super().__init__()
        self._about = about

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            note(record.getMessage())
        else:
            self._about(record.getMessage())


@contextmanager
def _telling(alone: bool) -> Iterator[None]:
    """Let models tell why it takes long; the only event also has a line on a terminal."""
    screen = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    hidden = not (alone and screen.is_terminal)
    with Progress(*columns, console=screen, transient=True, disable=hidden) as line:
        task = line.add_task("waiting for the model")
        remarks = _Remarks(lambda words: line.update(task, description=escape(words)))
        logger = logging.getLogger("commonground.narratives")
        level = logger.level
        logger.addHandler(remarks)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(remarks)
            logger.setLevel(level)


def total(output: Path, price: tuple[float, float] | None) -> str:
    """Tokens and cost of all rows, also of those that an earlier run wrote."""
    tokens = [row.values.get("tokens") or {} for row in read_rows(output)]
    read, written = (sum(int(one.get(key, 0)) for one in tokens) for key in ("read", "written"))
    return _bill(read, written, price)


def _bill(read: int, written: int, price: tuple[float, float] | None) -> str:
    bill = f"{read:,} tokens read, {written:,} written"
    if price is None:
        return bill
    return f"{bill}, cost {(read * price[0] + written * price[1]) / 1e6:.4f}"
