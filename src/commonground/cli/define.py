"""`commonground define`: overlaps by other definitions than statements."""

import re
from functools import partial
from typing import Annotated

import typer

from commonground.cli.events import AtLeastOption, Events, HtmlOption
from commonground.cli.options import DeviceOption, EncoderOption, encoder_name, takes
from commonground.errors import InputError

app = typer.Typer()

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_LONGEST = 20  # words of an n-gram


@app.command()
@takes(Events)
def words(
    events: Events,
    ngrams: Annotated[
        str, typer.Option(help='Lengths of the n-grams, such as "2", "1-3" or "1,3".')
    ] = "1-3",
    drop_stop_words: Annotated[
        bool,
        typer.Option(
            "--drop-stop-words",
            help='Leave out n-grams that begin or end with a stop word such as "the".',
        ),
    ] = False,
    stem: Annotated[
        bool, typer.Option("--stem", help="Treat words with the same stem as one word.")
    ] = False,
) -> None:
    """List the n-grams that all narratives have, with their frequencies."""
    from commonground.narratives.definitions import WordOverlaps

    lengths = _lengths(ngrams)
    events.compare(partial(WordOverlaps, n=lengths, drop_stop_words=drop_stop_words, stem=stem))


@app.command()
@takes(Events)
def topics(
    events: Events,
    topics: Annotated[
        int | None,
        typer.Option(min=1, help="Number of topics (default: chosen by the number of sentences)."),
    ] = None,
) -> None:
    """Find the topics that all narratives have, with their probabilities."""
    from commonground.narratives.definitions import TopicOverlaps

    events.compare(partial(TopicOverlaps, topics=topics))


@app.command()
@takes(Events)
def facets(
    events: Events,
    at_least: AtLeastOption = None,
    encoder: EncoderOption = None,
    device: DeviceOption = None,
) -> None:
    """Find who, what, when, where, why and how the narratives share."""
    from commonground.narratives.definitions import FacetOverlaps

    finder = partial(FacetOverlaps, at_least=at_least, encoder=encoder_name(encoder))
    events.compare(finder, at_least=at_least)


@app.command()
@takes(Events)
def graph(
    events: Events,
    encoder: EncoderOption = None,
    device: DeviceOption = None,
    html: HtmlOption = None,
) -> None:
    """Find the largest common graph of who does what."""
    from commonground.narratives.definitions import GraphOverlaps

    events.compare(partial(GraphOverlaps, encoder=encoder_name(encoder)), html=html)


def _lengths(text: str) -> tuple[int, ...]:
    """Return the lengths that "2", "1-3" or "1,3" stands for."""
    lengths: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= _LONGEST:
            raise InputError(
                f'--ngrams must be lengths from 1 to {_LONGEST} such as "2", "1-3" or "1,3", '
                f"not {text!r}"
            )
        lengths.update(range(first, last + 1))
    return tuple(sorted(lengths))
