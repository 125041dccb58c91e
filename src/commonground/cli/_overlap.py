"""`commonground overlap`: what narratives have in common, for files and for data sets."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli import _definitions, _generate
from commonground.cli._data_set import DataSet, Result
from commonground.cli._definitions import METHODS, Method, Settings
from commonground.cli._overlap_text import print_overlap
from commonground.cli._terminal import note, print_json, print_lines
from commonground.errors import InputError, unknown_name
from commonground.io import Event, Narrative, check_writable, read_text

PAGES = ("statements", "graph")
"""The methods whose results have a page."""


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
    ngrams: Annotated[
        str | None, typer.Option(help='words: lengths of n-grams, as "2", "1-3" or "1,3"; 1-3.')
    ] = None,
    drop_stop_words: Annotated[
        bool, typer.Option("--drop-stop-words", help='words: none that begin or end with "the".')
    ] = False,
    stem: Annotated[
        bool, typer.Option("--stem", help="words: those with one stem are one word.")
    ] = False,
    topics: Annotated[int | None, typer.Option(help="topics: how many.")] = None,
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
    settings = Settings(
        at_least, max_sentences, knowledge, encoder, ngrams, drop_stop_words, stem, topics
    )
    writes = _writes(method)
    settings.check(method, writes)
    options.check(method, writes)
    if html and method not in PAGES:
        raise InputError(f"--html goes with the methods {' and '.join(PAGES)}")
    if input_file:
        output = _checked_output(narratives, html, as_json, output)
        data = DataSet(input_file, output, resume=resume, narratives=at_least or 2)
        if writes:
            writer = _generate.opened(method, options, settings.vectors)
            _generate.data_set(writer, data, input_file)
            bill = f"; {_generate.total(output, price)}"
        else:
            _data_set(_definitions.opened(method, settings), data, input_file)
            bill = ""
        new = f", {len(data) - data.done} of them new" if resume else ""
        note(f"{output}: {len(data)} events{new}{bill}")
        return
    if output or resume:
        raise InputError("--output and --resume go with --input; for one event use --json")
    paths = narratives or []
    settings.check_count(len(paths))
    if html:
        check_writable(html, *paths)
    event = [Narrative(path.name, read_text(path)) for path in paths]
    if writes:
        writer = _generate.opened(method, options, settings.vectors)
        _generate.one_event(writer, event, as_json, price)
    else:
        _show(_definitions.opened(method, settings)(event), as_json, html)


def _writes(method: str) -> bool:
    """Whether a method is a model that writes; a name that is none is complained of."""
    if method in METHODS:
        return False
    if not _generate.is_generator(method):
        raise unknown_name("method", method, (*METHODS, *_generate.METHODS))
    return True


def _show(found: Result, as_json: bool, html: Path | None) -> None:
    values = found.to_dict()
    if html:
        found.to_html(html)  # type: ignore[attr-defined]  # the method is one of PAGES
        note(f"{html}: written")
    if as_json:
        print_json(values)
    elif type(found).__name__ != "Overlap":
        print_lines(*str(found).splitlines(), "", values["signature"])
    elif html:
        print_lines(*str(found).splitlines())
    else:
        print_overlap(values)


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


def _data_set(work: Method, data: DataSet, source: Path) -> None:
    data.check(partial(_definitions.signature, work))
    data.write("Comparing", lambda events: _found(work, events, source))


def _found(work: Method, events: Iterable[Event], source: Path) -> Iterator[tuple[Event, Result]]:
    for event in events:
        try:
            yield event, work(event.narratives)
        except InputError as error:
            raise InputError(f"{source}, id {event.id!r}: {error}") from None
