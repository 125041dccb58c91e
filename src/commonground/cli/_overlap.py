"""`commonground overlap`: what narratives have in common, for files and for data sets."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from commonground import _settings, encoders
from commonground.cli import _generate
from commonground.cli._overlap_text import print_overlap
from commonground.cli._terminal import note, print_json, print_lines, progress
from commonground.errors import InputError, unknown_name
from commonground.io import (
    Event,
    Narrative,
    ResumableRows,
    check_writable,
    each_event,
    read_text,
)

METHODS = ("statements", "words", "topics", "facets", "graph")
PAGES = ("statements", "graph")
"""The methods whose results have a page."""


class Result(Protocol):
    """What every method returns."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        ...


Method = Callable[[Sequence[Narrative]], Result]


def overlap(
    narratives: Annotated[
        list[Path] | None, typer.Argument(help="Two or more narratives, a text file each.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help=f"One of {', '.join(METHODS)}; or a model that writes: "
            f"{', '.join(_generate.METHODS)}, a folder, or organisation/model on the hub."
        ),
    ] = METHODS[0],
    at_least: Annotated[
        int | None, typer.Option(help="How many narratives must agree; all, unless said.")
    ] = None,
    max_sentences: Annotated[
        int | None, typer.Option(help="The most sentences of the summary; 3, unless said.")
    ] = None,
    knowledge: Annotated[
        Path | None, typer.Option(help='Background, a line each: "AP = Associated Press".')
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="An encoder with token vectors.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page that shows it here.")] = None,
    input_file: Annotated[
        Path | None, typer.Option("--input", help="A data set (JSONL) instead of files.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Where a data set's results go (JSONL).")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run that did not end.")
    ] = False,
    verify: Annotated[
        str | None,
        typer.Option(help="What becomes of sentences without support: drop (default), flag, off."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="llm: the model's name; gguf: a file, or smollm2.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="llm: the endpoint, as in https://host/v1.")
    ] = None,
    level: Annotated[
        int | None, typer.Option(help="llm, gguf: detail of the prompt, 1 to 5.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="Hub models: auto, cpu or cuda.")] = None,
    batch: Annotated[int | None, typer.Option(help="Hub models: events at once.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="llm: requests at once.")] = None,
    timeout: Annotated[float | None, typer.Option(help="llm: seconds for one answer.")] = None,
    retries: Annotated[int | None, typer.Option(help="llm: attempts after the first.")] = None,
    price: Annotated[
        tuple[float, float] | None,
        typer.Option(help="llm: cost of a million tokens read, and written.", metavar="IN OUT"),
    ] = None,
) -> None:
    """Say what narratives have in common, and where each says it."""
    options = _generate.Options(
        verify, model, base_url, level, device, batch, concurrency, timeout, retries, price
    )
    writes = method not in METHODS and _generate.is_generator(method)
    options.check(method, writes)
    if html and method not in PAGES:
        raise InputError(f"--html goes with the methods {' and '.join(PAGES)}")
    if input_file:
        output = _checked_output(narratives, html, as_json, output)
        if writes:
            writer = _generator(method, at_least, max_sentences, knowledge, encoder, options)
            _generate.data_set(writer, input_file, output, resume, price)
        else:
            work = _method(method, at_least, max_sentences, knowledge, encoder)
            _data_set(work, input_file, output, resume)
        return
    if output or resume:
        raise InputError("--output and --resume go with --input; for one event use --json")
    paths = narratives or []
    if writes:
        writer = _generator(method, at_least, max_sentences, knowledge, encoder, options)
        _generate.one_event(writer, paths, as_json, price)
        return
    work = _method(method, at_least, max_sentences, knowledge, encoder)
    if html:
        check_writable(html, *paths)
    found = work([Narrative(path.name, read_text(path)) for path in paths])
    _show(found, as_json, html)


def _generator(
    name: str,
    at_least: int | None,
    max_sentences: int | None,
    knowledge: Path | None,
    encoder: str | None,
    options: _generate.Options,
) -> Any:
    if knowledge or max_sentences is not None or at_least is not None:
        raise InputError("--knowledge, --max-sentences and --at-least do not go with a model")
    vectors = encoder or _settings.setting("encoder") or encoders.DEFAULT
    return _generate.opened(name, options, vectors)


def _method(
    name: str,
    at_least: int | None,
    max_sentences: int | None,
    knowledge: Path | None,
    encoder: str | None,
) -> Method:
    """What does the work; modules are imported on demand, since they are slow to."""
    if name not in METHODS:
        raise unknown_name("method", name, (*METHODS, *_generate.METHODS))
    if name != "statements" and (knowledge or max_sentences is not None):
        raise InputError("--knowledge and --max-sentences go with the method statements")
    if at_least is not None and name not in ("statements", "facets"):
        raise InputError("--at-least goes with the methods statements and facets")
    vectors = encoder or _settings.setting("encoder") or encoders.DEFAULT
    if name == "statements":
        from commonground.overlap import Overlaps
        from commonground.overlap._overlap import MOST

        return Overlaps(
            encoders.load(vectors),  # type: ignore[arg-type]  # which it checks
            at_least=at_least,
            max_sentences=MOST if max_sentences is None else max_sentences,
            knowledge=_known(knowledge),
        ).find
    from commonground.overlap import facets, graph, topics, words

    other: Mapping[str, Method] = {
        "words": words.common_words,
        "topics": topics.common_topics,
        "facets": lambda some: facets.common_facets(some, at_least=at_least, encoder=vectors),
        "graph": lambda some: graph.common_graph(some, encoder=vectors),
    }
    return other[name]


def _known(path: Path | None) -> Any:
    if path is None:
        return None
    from commonground.overlap import Knowledge

    found = Knowledge.of(read_text(path))
    for line in found.unused:
        note(f"{path}: bridges no wordings and is left aside: {line}")
    return found


def _show(found: Result, as_json: bool, html: Path | None) -> None:
    if html:
        found.to_html(html)  # type: ignore[attr-defined]  # the method is one of PAGES
        note(f"{html}: written")
    if as_json:
        print_json(found.to_dict())
    elif html or type(found).__name__ != "Overlap":
        print_lines(*str(found).splitlines())
    else:
        print_overlap(found.to_dict())


def _checked_output(
    narratives: list[Path] | None, html: Path | None, as_json: bool, output: Path | None
) -> Path:
    if narratives:
        raise InputError("give either narratives or --input, not both")
    if output is None:
        raise InputError("--input needs --output FILE.jsonl")
    if not output.name.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"--output {output}: give it a name that ends in .jsonl or .jsonl.gz")
    if html or as_json:
        raise InputError("--html and --json show one event; a data set goes to --output")
    return output


def _data_set(work: Method, source: Path, output: Path, resume: bool) -> None:
    rows = ResumableRows(output, source, resume=resume)
    known = {event.id for event in each_event(source)}  # every row is checked before the work
    if strange := sorted(rows.done - known):
        raise InputError(f"{output}: has results of other events, such as {strange[0]!r}")
    done = 0
    with progress("Comparing") as advance, rows.writing():
        for number, event in enumerate(each_event(source), start=1):
            if event.id not in rows.done:
                rows.write({"id": event.id, **_found(work, event, source).to_dict()})
                done += 1
            advance(number, len(known))
    note(f"{output}: {len(known)} events" + (f", {done} of them new" if resume else ""))


def _found(work: Method, event: Event, source: Path) -> Result:
    try:
        return work(event.narratives)
    except InputError as error:
        raise InputError(f"{source}, id {event.id!r}: {error}") from None
