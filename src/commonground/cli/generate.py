"""`commonground generate`: summaries that a model writes, verified against the narratives."""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from commonground import encoders
from commonground.cli.data_set import DataSet
from commonground.cli.events import NarrativesArgument, check_count, check_data_set
from commonground.cli.options import (
    JsonOption,
    OverwriteOption,
    ResumeOption,
    TokenEncoderOption,
    encoder_name,
    takes,
)
from commonground.cli.terminal import note, print_json, print_lines
from commonground.cli.texts import read_narratives
from commonground.errors import InputError, unknown_name
from commonground.io import Event, Narrative, read_rows
from commonground.models import WRITERS

if TYPE_CHECKING:
    from commonground.narratives.generators import Generated, Generator, Writer

METHODS = (*WRITERS, "llm", "gguf")

_HUB = "hub models"  # every method but llm and gguf
_TAKEN_BY = {
    "model": ("llm", "gguf"),
    "base_url": ("llm",),
    "level": ("llm", "gguf"),
    "device": (_HUB,),
    "batch": (_HUB,),
    "preset": (_HUB,),
    "concurrency": ("llm",),
    "timeout": ("llm",),
    "retries": ("llm",),
    "price": ("llm",),
}
_HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the models; None stands for the default."""

    verify: Annotated[
        str | None,
        typer.Option(
            help="What to do with unsupported sentences: drop, flag, or off to skip the check "
            "(default: drop)."
        ),
    ] = None
    model: Annotated[
        str | None,
        typer.Option(
            help="Name of the model (llm), or a GGUF file or model name (gguf; default: smollm2)."
        ),
    ] = None
    base_url: Annotated[
        str | None, typer.Option(help="Address of the endpoint, such as https://host/v1 (llm).")
    ] = None
    level: Annotated[
        int | None,
        typer.Option(help="Detail of the prompt, from 1 to 5 (llm and gguf; default: 4)."),
    ] = None
    device: Annotated[
        str | None,
        typer.Option(help="Device to run on: auto, cpu or cuda (hub models; default: auto)."),
    ] = None
    batch: Annotated[
        int | None, typer.Option(help="Events per batch (hub models; default: 1).")
    ] = None
    preset: Annotated[
        str | None,
        typer.Option(
            help="With papers, narratives stay in the given order and a long input is cut at its "
            "end, as in published baselines (hub models)."
        ),
    ] = None
    concurrency: Annotated[
        int | None, typer.Option(help="Concurrent requests (llm; default: 4).")
    ] = None
    timeout: Annotated[
        float | None, typer.Option(help="Seconds to wait for an answer (llm; default: 120).")
    ] = None
    retries: Annotated[
        int | None, typer.Option(help="Retries after a failed request (llm; default: 4).")
    ] = None
    price: Annotated[
        tuple[float, float] | None,
        typer.Option(
            help="Price of a million input tokens and of a million output tokens, to print the "
            "cost (llm).",
            metavar="IN OUT",
        ),
    ] = None

    def check(self, method: str) -> None:
        """Raise InputError for an option that the method does not have."""
        kind = method if method in ("llm", "gguf") else _HUB
        for field in fields(self):
            taken_by = _TAKEN_BY.get(field.name, (kind,))
            if getattr(self, field.name) is not None and kind not in taken_by:
                flag = field.name.replace("_", "-")
                methods = _HUB if taken_by == (_HUB,) else f"--method {' or '.join(taken_by)}"
                raise InputError(f"--{flag} requires {methods}")


@takes(Options)
def generate(
    options: Options,
    method: Annotated[
        str,
        typer.Option(
            help=f"Model that writes: {', '.join(METHODS)}, a model folder, or organisation/model "
            "on the hub."
        ),
    ],
    narratives: NarrativesArgument = None,
    encoder: TokenEncoderOption = None,
    as_json: JsonOption = False,
    input_files: Annotated[
        list[str] | None,
        typer.Option("--input", help="Data set to read instead of files: JSONL (.gz)."),
    ] = None,
    output: Annotated[
        str | None, typer.Option(help="Where to write the results of --input: FILE.jsonl (.gz).")
    ] = None,
    resume: ResumeOption = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Let a model write what narratives agree on, and verify it."""
    if not is_generator(method):
        raise unknown_name("method", method, METHODS)
    options.check(method)
    if input_files:
        target = Path(check_data_set(narratives, output, as_json))
        if len(input_files) > 1:
            raise InputError("generate takes only one --input")
        if not target.name.endswith((".jsonl", ".jsonl.gz")):
            raise InputError(f"--output {target}: the name must end in .jsonl or .jsonl.gz")
        source = Path(input_files[0])
        data = DataSet(source, target, resume=resume, overwrite=overwrite, narratives=2)
        generator = _open(method, options, encoder)
        data.check(lambda count: str(generator.signature(count)))
        with _model_messages(spinner=False):
            data.write("Writing", lambda events: _results(generator, events, source))
        new = f", {len(data) - data.done} of them new" if resume else ""
        note(f"{target}: {len(data)} events{new}; {_total(target, options.price)}")
        return
    for flag, value in (("output", output), ("resume", resume), ("overwrite", overwrite)):
        if value:
            raise InputError(f"--{flag} requires --input; for one event use --json")
    event = read_narratives(check_count(narratives))
    _write_event(_open(method, options, encoder), event, as_json, options.price)


def is_generator(method: str) -> bool:
    """Return whether the method is a known name, a model on the hub or a folder.

    Raises:
        InputError: The method is a path without a folder.
    """
    if method in METHODS or _HUB_NAME.fullmatch(method):
        return True
    path = Path(method).expanduser()
    if method and path.is_dir():
        return True
    if path.is_file():
        raise InputError(
            f"--method {method} is a file; give a model folder, or use --method gguf --model FILE "
            "for a GGUF file"
        )
    if "/" in method or "\\" in method:
        raise InputError(
            f"--method {method}: no such folder; write a hub model as organisation/model"
        )
    return False


def _open(method: str, options: Options, encoder: str | None) -> "Generator":
    from commonground.narratives.generators import Generator

    vectors = encoders.load(encoder_name(encoder))
    return Generator(
        _writer(method, options),
        verify=options.verify or "drop",
        encoder=vectors,  # type: ignore[arg-type]  # it checks
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

    level = DEFAULT_LEVEL if options.level is None else options.level
    if method == "gguf":
        return Gguf(options.model or DEFAULT_GGUF, level=level)
    if method != "llm":
        batch = 1 if options.batch is None else options.batch
        device = options.device or "auto"
        return Seq2Seq(method, device=device, batch=batch, preset=options.preset)
    if not options.model or not options.base_url:
        raise InputError("--method llm requires --base-url ADDRESS and --model NAME")
    patience: dict[str, Any] = {"timeout": options.timeout, "retries": options.retries}
    return Llm(
        options.model,
        options.base_url,
        level=level,
        concurrency=4 if options.concurrency is None else options.concurrency,
        patience=replace(Patience(), **{k: v for k, v in patience.items() if v is not None}),
    )


def _write_event(
    generator: "Generator",
    event: Sequence[Narrative],
    as_json: bool,
    price: tuple[float, float] | None,
) -> None:
    with _model_messages(spinner=True):
        ((_, result),) = generator.each([event])
    if result.warning:
        note(f"warning: {result.warning}")
    if as_json:
        print_json(result.to_dict())
    else:
        print_lines(*str(result).splitlines())
        note(_bill(result.tokens.read, result.tokens.written, price))


def _results(
    generator: "Generator", events: Iterable[Event], source: Path
) -> Iterator[tuple[Event, "Generated"]]:
    """Yield the result for each event, in the order in which the model finishes."""
    pending: dict[int, Event] = {}

    def narratives() -> Iterator[Sequence[Narrative]]:
        for number, event in enumerate(events):
            pending[number] = event
            yield event.narratives

    for number, result in generator.each(narratives()):
        event = pending.pop(number)
        if result.warning:
            note(f"warning: {source}, id {event.id!r}: {result.warning}")
        yield event, result


class _MessageHandler(logging.Handler):
    """Prints warnings as notes, and shows other messages beside the spinner."""

    def __init__(self, show: Callable[[str], object]) -> None:
        super().__init__()
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            note(record.getMessage())
        else:
            self._show(record.getMessage())


@contextmanager
def _model_messages(spinner: bool) -> Iterator[None]:
    """Show the log messages of the models, on a terminal with a spinner if asked for."""
    screen = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    hidden = not (spinner and screen.is_terminal)
    with Progress(*columns, console=screen, transient=True, disable=hidden) as line:
        task = line.add_task("waiting for the model")
        handler = _MessageHandler(lambda text: line.update(task, description=escape(text)))
        logger = logging.getLogger("commonground.narratives")
        level = logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)


def _total(output: Path, price: tuple[float, float] | None) -> str:
    """Return tokens and cost of all rows, including those of an earlier run."""
    tokens = [row.values.get("tokens") or {} for row in read_rows(output)]
    read, written = (sum(int(row.get(key, 0)) for row in tokens) for key in ("read", "written"))
    return _bill(read, written, price)


def _bill(read: int, written: int, price: tuple[float, float] | None) -> str:
    bill = f"{read:,} tokens read, {written:,} written"
    if price is None:
        return bill
    return f"{bill}, cost {(read * price[0] + written * price[1]) / 1e6:.4f}"
