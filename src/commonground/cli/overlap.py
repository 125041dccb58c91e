"""`commonground overlap`: what narratives agree on, for files and for data sets."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground import encoders
from commonground.cli.device import DeviceOption
from commonground.cli.events import AtLeastOption, Events, HtmlOption
from commonground.cli.options import EncoderOption, encoder_name, takes
from commonground.cli.overlap_text import conflicts_told, print_overlap
from commonground.cli.terminal import note, print_lines
from commonground.io import read_text

if TYPE_CHECKING:
    from commonground.narratives import Knowledge, Overlap, Overlaps


@takes(Events)
def overlap(
    events: Events,
    at_least: AtLeastOption = None,
    strictness: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Minimum probability of a statement; higher gives fewer, surer statements "
            "(default: 0.5).",
        ),
    ] = None,
    max_sentences: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of statements (default: all that are shared)."),
    ] = None,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            help='File of background knowledge, one line each, such as "AP = Associated Press".'
        ),
    ] = None,
    encoder: EncoderOption = None,
    device: DeviceOption = None,
    html: HtmlOption = None,
) -> None:
    """Find what narratives agree on, with the evidence in each."""
    options: dict[str, Any] = {
        "at_least": at_least,
        "max_sentences": max_sentences,
        "knowledge": _load_knowledge(knowledge) if knowledge else None,
    }
    if strictness is not None:
        options["strictness"] = strictness
    events.compare(
        partial(_open, encoder_name(encoder), options),
        at_least=at_least,
        html=html,
        show=_print_beside_page if html else lambda result: print_overlap(result.to_dict()),
    )


def _open(encoder: str, options: dict[str, Any]) -> "Overlaps":
    from commonground.narratives import Overlaps

    return Overlaps(encoders.load(encoder), **options)  # type: ignore[arg-type]  # it checks


def _load_knowledge(path: Path) -> "Knowledge":
    from commonground.narratives import Knowledge

    knowledge = Knowledge.of(read_text(path))
    for line in knowledge.unused:
        note(f"{path}: line ignored, it does not equate two wordings: {line}")
    return knowledge


def _print_beside_page(result: "Overlap") -> None:
    print_lines(*str(result).splitlines(), *conflicts_told(result.to_dict()))
