"""`commonground score --output`: any number of predictions, scored shard by shard."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commonground.cli.scaled import Scale, ScaledRun
from commonground.cli.terminal import note
from commonground.io import find_files
from commonground.scale import Failure, Index, Item, Output, Score, prediction_rows, totals

Totals = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""By system and metric, what `to_dict` of a corpus gives."""

_SHARD_ROWS = 1000  # a second or two of work, and a few megabytes


MetricOptions = Mapping[str, Mapping[str, Any]]
"""The chosen metrics by name, each with its options."""


def score_to(
    output: str,
    predictions: Sequence[str],
    references: Sequence[str] | None,
    metrics: MetricOptions,
    scale: Scale,
) -> Totals:
    """Write a row for each prediction; the means of all."""
    inputs = find_files(predictions)
    data_set = find_files(references) if references else ()
    target = Output.of(output, scale.form)
    target.check_apart([*predictions, *(references or ())])
    work = Score(target.form, metrics)
    scaled = ScaledRun.of(scale, target, inputs, data_set, _SHARD_ROWS)

    def rows(index: Index) -> Iterator[Item | Failure]:
        index.add_references(data_set)
        name = ", ".join(references) if references else None
        return prediction_rows(inputs, index, name)

    scaled.check(rows)
    with scaled.folder:
        with scaled.begun(work.signature()) as index:
            ended = scaled.go("Scoring", rows(index), work)
            events = index.events()
        found = totals(scaled.folder.notes(ended.shards), work.metrics)
        scaled.end(ended, "predictions")
    if events:
        counts = (next(iter(metrics.values()))["items"] for metrics in found.values())
        note_missing(dict(zip(found, counts, strict=True)), events)
    return found


def note_missing(counts: Mapping[str, int], events: int) -> None:
    """Say which systems have no summary of some events."""
    for name, count in counts.items():
        if count < events:
            who = f"system {name!r}" if name else "the predictions"
            note(f"{who}: {count} of {events} events; the means are over these")
