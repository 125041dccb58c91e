"""What `make demo` shows: a summary, sentence by sentence, against what people wrote."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import commonground as cg
from commonground.io import Event, read_events, read_predictions
from commonground.metrics import SemF1Score

HERE = Path(__file__).parent
STYLES = {"P": "green", "PP": "yellow", "A": "red"}
WORDS = {"P": "present", "PP": "partly", "A": "absent"}


def main() -> None:
    """Score two systems' summaries of the first example event, and explain the scores."""
    console = Console(highlight=False)
    events = read_events(HERE / "events.jsonl")
    event = next(iter(events.values()))
    show_event(console, event)
    for prediction in read_predictions(HERE / "predictions.jsonl"):
        if prediction.id == event.id:
            score = cg.sem_f1(prediction.summary, event.references)
            overlap = cg.rouge(prediction.summary, event.references)
            show_score(console, prediction.system, score, overlap["rouge1"].f1)
    console.print(str(score.signature), style="dim", soft_wrap=True)
    console.print()
    console.print("Score a whole data set:", style="bold")
    console.print(
        "  .venv/bin/commonground score --predictions examples/predictions.jsonl "
        "--references examples/events.jsonl",
        soft_wrap=True,
    )


def show_event(console: Console, event: Event) -> None:
    """The narratives and one of the references."""
    console.print("\nTwo narratives of one event", style="bold")
    for narrative in event.narratives:
        console.print()
        console.print(narrative.source, style="italic", markup=False)
        console.print(narrative.text, markup=False)
    console.print("\nWhat both say, as one of three people put it", style="bold")
    console.print(event.references[0], markup=False)


def show_score(console: Console, system: str, score: SemF1Score, rouge1: float) -> None:
    """Each sentence with its label and the reference sentence nearest to it."""
    console.print(
        f"\nThe summary of system '{system}': SEM-F1 {score.f1:.2f} (precision "
        f"{score.precision:.2f}, recall {score.recall:.2f}), ROUGE-1 {rouge1:.2f}",
        style="bold",
    )
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("summary sentence", "is", "similarity", "nearest sentence of the references"):
        table.add_column(heading, style="", header_style="dim")
    for match in score.sentences:
        label = Text(WORDS[match.label], style=STYLES[match.label])
        table.add_row(match.text, label, f"{match.similarity:.2f}", match.match)
    console.print(table)


if __name__ == "__main__":
    main()
