"""`commonground overlap`: what narratives have in common, for files and for data sets."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli import definitions, generate
from commonground.cli.data_set import DataSet, Result
from commonground.cli.definitions import METHODS, Settings
from commonground.cli.device import use_device
from commonground.cli.narratives import read_narratives
from commonground.cli.overlap_text import conflicts_told, print_overlap
from commonground.cli.overlap_to import compare_to
from commonground.cli.scaled import (
    AddressOption,
    EngineOption,
    FormatOption,
    OverwriteOption,
    ResumeOption,
    Scale,
    ShardOption,
    StrictOption,
    WorkersOption,
)
from commonground.cli.terminal import note, print_json, print_lines
from commonground.errors import InputError, unknown_name
from commonground.io import check_writable

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
            f"{', '.join(generate.METHODS)}, a folder, or organisation/model on the hub."
        ),
    ] = METHODS[0],
    at_least: Annotated[
        int | None, typer.Option(help="How many narratives must agree; all, unless said.")
    ] = None,
    max_sentences: Annotated[
        int | None,
        typer.Option(help="The most sentences; all that is shared, unless said."),
    ] = None,
    strictness: Annotated[
        float | None,
        typer.Option(help="How sure a statement must be, from 0 to 1; higher tells less."),
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
    input_files: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="A data set instead: JSONL (.gz), Parquet, Arrow, a folder or a glob of them.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            help="Where a data set's results go: FILE.jsonl, FILE.parquet or shards in FOLDER/."
        ),
    ] = None,
    form: FormatOption = None,
    engine: EngineOption = None,
    workers: WorkersOption = None,
    address: AddressOption = None,
    shard_rows: ShardOption = None,
    resume: ResumeOption = False,
    overwrite: OverwriteOption = False,
    strict: StrictOption = False,
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
    device: Annotated[str | None, typer.Option(help="Encoder or hub model: cpu or cuda.")] = None,
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
    writes = _writes(method)
    options = generate.Options(
        verify,
        model,
        base_url,
        level,
        device if writes else None,
        batch,
        concurrency,
        timeout,
        retries,
        price,
    )
    settings = Settings(
        at_least,
        max_sentences,
        knowledge,
        encoder,
        ngrams,
        drop_stop_words,
        stem,
        topics,
        strictness,
    )
    settings.check(method, writes)
    options.check(method, writes)
    if not writes:
        use_device(device)
    if html and method not in PAGES:
        raise InputError(f"--html goes with the methods {' and '.join(PAGES)}")
    scale = Scale(form, engine, workers, shard_rows, resume, strict, address, overwrite)
    if input_files:
        output = _checked_output(narratives, html, as_json, output)
        if writes:
            unused = replace(scale, resume=False, overwrite=False)
            unused.check_unused(f"--method {', '.join(METHODS)}")
            _write_all(method, options, settings, _one(input_files), Path(output), scale)
        else:
            compare_to(output, input_files, method, settings, scale)
        return
    if output or resume:
        raise InputError("--output and --resume go with --input; for one event use --json")
    scale.check_unused("--input")
    paths = narratives or []
    settings.check_count(len(paths))
    if html:
        check_writable(html, *paths)
    event = read_narratives(paths)
    if writes:
        writer = generate.opened(method, options, settings.vectors)
        generate.one_event(writer, event, as_json, price)
    else:
        found = definitions.opened(method, settings)(event)
        _show(found, as_json, html)


def _writes(method: str) -> bool:
    """Whether a method is a model that writes; a name that is none is complained of."""
    if method in METHODS:
        return False
    if not generate.is_generator(method):
        raise unknown_name("method", method, (*METHODS, *generate.METHODS))
    return True


def _show(found: Result, as_json: bool, html: Path | None) -> None:
    """Print a result."""
    values = found.to_dict()
    if html:
        found.to_html(html)  # type: ignore[attr-defined]  # the method is one of PAGES
        note(f"{html}: written")
    if as_json:
        print_json(values)
    elif type(found).__name__ != "Overlap":
        print_lines(*str(found).splitlines(), "", values["signature"])
    elif html:
        print_lines(*str(found).splitlines(), *conflicts_told(values))
    else:
        print_overlap(values)


def _checked_output(
    narratives: list[Path] | None, html: Path | None, as_json: bool, output: str | None
) -> str:
    if narratives:
        raise InputError("give either narratives or --input, not both")
    if output is None:
        raise InputError("--input needs --output FILE.jsonl")
    if html or as_json:
        raise InputError("--html and --json show one event; a data set goes to --output")
    return output


def _write_all(
    method: str,
    options: generate.Options,
    settings: Settings,
    source: Path,
    output: Path,
    scale: Scale,
) -> None:
    """Let a model write a summary of each event; what it has written is kept row by row."""
    if not output.name.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"--output {output}: give it a name that ends in .jsonl or .jsonl.gz")
    data = DataSet(source, output, resume=scale.resume, overwrite=scale.overwrite, narratives=2)
    generate.data_set(generate.opened(method, options, settings.vectors), data, source)
    new = f", {len(data) - data.done} of them new" if scale.resume else ""
    note(f"{output}: {len(data)} events{new}; {generate.total(output, options.price)}")


def _one(names: list[str]) -> Path:
    if len(names) > 1:
        raise InputError("a model that writes takes one --input")
    return Path(names[0])
