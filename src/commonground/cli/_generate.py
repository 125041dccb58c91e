"""`commonground overlap --method MODEL`: summaries that a model writes, verified."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.cli._terminal import note, print_json, print_lines, progress
from commonground.errors import CommongroundError, InputError
from commonground.io import Event, Narrative, ResumableRows, each_event, read_rows, read_text

if TYPE_CHECKING:
    from commonground.overlap.generators import Generated, Generator, Writer

PAPERS = ("bart", "t5", "pegasus")
METHODS = (*PAPERS, "llm", "gguf")


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
        for field in fields(self):
            known = _KNOWN_BY.get(field.name)
            has = writes and _has(method, known)
            if getattr(self, field.name) is not None and not has:
                name = field.name.replace("_", "-")
                raise InputError(f"--{name} goes with {known or 'models that write'}")


_KNOWN_BY = {
    "model": "the methods llm and gguf",
    "base_url": "the method llm",
    "level": "the methods llm and gguf",
    "device": "models of the hub",
    "batch": "models of the hub",
    "concurrency": "the method llm",
    "timeout": "the method llm",
    "retries": "the method llm",
    "price": "the method llm",
}


def _has(method: str, known: str | None) -> bool:
    if known == "models of the hub":
        return method not in ("llm", "gguf")
    return known is None or method in known.split()


def is_generator(method: str) -> bool:
    """Whether a method is a model that writes: by name, a name on the hub, or a folder."""
    return method in METHODS or "/" in method or Path(method).is_dir()


def opened(method: str, options: Options, encoder: str) -> "Generator":
    """The model, ready to write."""
    from commonground import encoders
    from commonground.overlap.generators import Generator

    vectors = encoders.load(encoder)
    return Generator(
        _writer(method, options),
        verify=options.verify or "drop",
        encoder=vectors,  # type: ignore[arg-type]  # which it checks
    )


def _writer(method: str, options: Options) -> "Writer":
    from commonground.overlap import generators

    level = options.level if options.level is not None else generators.DEFAULT_LEVEL
    if method == "gguf":
        return generators.Gguf(options.model or generators.DEFAULT_GGUF, level=level)
    if method != "llm":
        return generators.Seq2Seq(
            method,
            device=options.device or "auto",
            batch=1 if options.batch is None else options.batch,
        )
    if not options.model or not options.base_url:
        raise InputError("--method llm needs --base-url ADDRESS and --model NAME")
    usual = generators.Patience()
    return generators.Llm(
        options.model,
        options.base_url,
        level=level,
        concurrency=4 if options.concurrency is None else options.concurrency,
        patience=generators.Patience(
            timeout=usual.timeout if options.timeout is None else options.timeout,
            retries=usual.retries if options.retries is None else options.retries,
        ),
    )


def one_event(
    generator: "Generator",
    paths: Sequence[Path],
    as_json: bool,
    price: tuple[float, float] | None,
) -> None:
    """Write and show the summary of one event."""
    ((_, found),) = generator.each([[Narrative(path.name, read_text(path)) for path in paths]])
    if found.warning:
        note(f"warning: {found.warning}")
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(*str(found).splitlines())
        note(_bill(found.tokens.read, found.tokens.written, price))


def data_set(
    generator: "Generator",
    source: Path,
    output: Path,
    resume: bool,
    price: tuple[float, float] | None,
) -> None:
    """Write a row for each event as it is done, in whatever order; all or the rest of them."""
    rows = ResumableRows(output, source, resume=resume)
    known = {_checked(event, source) for event in each_event(source)}  # before the work begins
    if strange := sorted(rows.done - known):
        raise InputError(f"{output}: has results of other events, such as {strange[0]!r}")
    done = len(rows.done)
    try:
        with progress("Writing") as advance, rows.writing():
            for event, found in _found(generator, source, rows.done):
                if found.warning:
                    note(f"warning: {source}, id {event.id!r}: {found.warning}")
                rows.write({"id": event.id, **found.to_dict()})
                done += 1
                advance(done, len(known))
    except CommongroundError as error:
        kept = f"; {done} of {len(known)} events are done, go on with --resume"
        raise type(error)(f"{error}{kept}") from None
    new = f", {done - len(rows.done)} of them new" if resume else ""
    note(f"{output}: {done} events{new}; {_total(output, price)}")


def _checked(event: Event, source: Path) -> str:
    if len(event.narratives) < 2:
        raise InputError(f"{source}, id {event.id!r}: has fewer than two narratives")
    return event.id


def _found(
    generator: "Generator", source: Path, done: set[str]
) -> Iterator[tuple[Event, "Generated"]]:
    under_way: dict[int, Event] = {}

    def narratives() -> Iterator[Sequence[Narrative]]:
        waiting = (event for event in each_event(source) if event.id not in done)
        for number, event in enumerate(waiting):
            under_way[number] = event
            yield event.narratives

    for number, found in generator.each(narratives()):
        yield under_way.pop(number), found


def _total(output: Path, price: tuple[float, float] | None) -> str:
    """Tokens and cost of all rows, also of those that an earlier run wrote."""
    tokens = [row.values.get("tokens") or {} for row in read_rows(output)]
    read, written = (sum(int(one.get(key, 0)) for one in tokens) for key in ("read", "written"))
    return _bill(read, written, price)


def _bill(read: int, written: int, price: tuple[float, float] | None) -> str:
    bill = f"{read:,} tokens read, {written:,} written"
    if price is None:
        return bill
    return f"{bill}, cost {(read * price[0] + written * price[1]) / 1e6:.4f}"
