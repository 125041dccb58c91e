"""`commonground benchmark judge`: a language model judges summaries by a rubric."""

from pathlib import Path
from typing import Annotated

import typer

from commonground.benchmark.judge import AnswerCache, Judgement, Rubric
from commonground.benchmark.judge import judge as ask
from commonground.cli.options import JsonOption
from commonground.cli.terminal import note, print_json, print_lines, progress
from commonground.errors import InputError
from commonground.io import check_writable, read_events, read_predictions, write_rows
from commonground.narratives.generators import Gguf, Llm, Patience
from commonground.report import to_markdown


def judge(
    events: Annotated[Path, typer.Argument(help="Data set (JSONL).")],
    predictions: Annotated[
        Path, typer.Option(help='Predictions: JSONL rows {"id", "summary"[, "system"]}.')
    ],
    rubric: Annotated[Path, typer.Option(help="Rubric file: criteria, a line ---, and the text.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File for the scores of each summary (JSONL).")
    ],
    model: Annotated[
        str,
        typer.Option(
            help="Name of the model at the endpoint; without --base-url, a GGUF file on this "
            "machine."
        ),
    ],
    base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible endpoint, as in https://host/v1.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Answers for each summary.")] = 3,
    attempts: Annotated[
        int, typer.Option(min=1, help="Requests for an answer until it is valid.")
    ] = 3,
    temperature: Annotated[float, typer.Option(help="How much answers vary, 0 to 2.")] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, help="Maximum concurrent requests.")] = 4,
    timeout: Annotated[float, typer.Option(help="Seconds for a whole reply.")] = 120.0,
    retries: Annotated[int, typer.Option(min=0, help="Retries of a failed request.")] = 4,
    cache: Annotated[
        Path | None,
        typer.Option(help="File of answers to resume from (default: OUTPUT.answers.jsonl)."),
    ] = None,
    prices: Annotated[
        str | None,
        typer.Option(help="Prices of a million tokens as READ,WRITTEN, to print the cost."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let a language model judge summaries; the same command resumes an interrupted run."""
    check_writable(output, events, predictions, rubric)
    answers = cache or output.with_name(f"{output.name}.answers.jsonl")
    check_writable(answers, events, predictions, rubric)
    outputs: dict[str, dict[str, str]] = {}
    for row in read_predictions(predictions):
        outputs.setdefault(row.system, {})[row.id] = row.summary
    writer: Llm | Gguf
    if base_url is None:
        writer = Gguf(model, temperature=temperature)
    else:
        patience = Patience(timeout, retries)
        writer = Llm(
            model, base_url, concurrency=concurrency, temperature=temperature, patience=patience
        )
    with progress("Judging") as advance:
        result = ask(
            read_events(events),
            outputs,
            Rubric.read(rubric),
            writer,
            AnswerCache(answers),
            repeats=repeats,
            attempts=attempts,
            prices=_prices(prices),
            progress=advance,
        )
    write_rows(output, result.scores.to_rows())
    if result.invalid:
        note(f"{result.invalid} of {result.answers} answers were not valid and count as missing")
    if as_json:
        print_json(result.to_dict())
    else:
        print_lines(*to_markdown(_table(result)).splitlines())


def _table(result: Judgement) -> dict[str, object]:
    rows = []
    for name, judged in result.criteria.items():
        reach = judged.interval
        interval = f"{reach.low:.3f}–{reach.high:.3f}" if reach else None
        rows.append([name, judged.mean, interval, judged.agreement.value, judged.summaries])
    cost = "" if result.cost is None else f", cost {result.cost:.4f}"
    return {
        "title": "",
        "columns": ["criterion", "mean", "95% interval", "α of repeats", "summaries"],
        "rows": rows,
        "notes": [
            f"{result.answers} answers, {result.asked} requests in this run, {result.invalid} "
            f"invalid; {result.tokens.read} tokens read, {result.tokens.written} written{cost}.",
            str(result.signature),
        ],
    }


def _prices(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        read, written = map(float, text.split(","))
    except ValueError:
        raise InputError(f"--prices must be READ,WRITTEN, not {text!r}") from None
    return read, written
