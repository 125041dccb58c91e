"""The worked example of annotation: three people's labels of summaries of three events."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from commonground.agreement import Agreement, annotator_agreement
from commonground.annotate import (
    Database,
    Item,
    Progress,
    invite,
    make_project,
    save,
    sentence_labels,
    units_of,
)
from commonground.io import Event, Narrative, Prediction
from commonground.text import sentences

_FILE = Path(__file__).parents[1] / "data" / "annotate_example.json"


@dataclass(frozen=True, slots=True)
class Example:
    """What the first visit shows.

    Attributes:
        item: An item to try the keys on.
        agreement: How far the three annotators agree.
    """

    item: Item
    agreement: tuple[Agreement, ...]


@cache
def example() -> Example:
    """The example as the page shows it."""
    values = _values()
    output = values["outputs"][0]
    event = next(one for one in values["events"] if one["id"] == output["id"])
    summary = sentences(output["summary"])
    references = [sentences(text) for text in event["references"]]
    units = units_of("sentences", summary, references)
    item = Item(
        position=1,
        narratives=(),
        summary=tuple(summary),
        references=tuple(map(tuple, references)),
        units=units,
        labels={},
        undoable=None,
        progress=Progress(0, len(units), 1, 1),
    )
    return Example(item, annotator_agreement(sentence_labels(values["labels"])))


def make(database: Database) -> int:
    """The example as a project of the owner's; its number."""
    values = _values()
    outputs = [
        Prediction(row["id"], row["summary"], row["system"], line)
        for line, row in enumerate(values["outputs"], start=1)
    ]
    events = {row["id"]: _event(row) for row in values["events"]}
    project = make_project(database, "Example", "sentences", events, outputs)
    positions = {
        (row["id"], row["system"]): position
        for position, row in enumerate(values["outputs"], start=1)
    }
    names = dict.fromkeys(row["annotator"] for row in values["labels"])
    annotators = {name: invite(database, project.id, name)[1].id for name in names}
    for number, row in enumerate(values["labels"]):
        side, reference, sentence = row["side"], row["reference"], row["sentence"]
        unit = f"recall/{reference}/{sentence}" if reference else f"{side}/{sentence}"
        position = positions[row["id"], row["system"]]
        key = f"example-{number}"
        save(database, annotators[row["annotator"]], position, unit, row["label"], key)
    return project.id


def _event(row: dict[str, Any]) -> Event:
    narratives = tuple(Narrative(one["source"], one["text"]) for one in row["narratives"])
    return Event(row["id"], narratives, tuple(row["references"]))


@cache
def _values() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return found
