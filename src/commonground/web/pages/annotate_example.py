"""The worked example of annotation: three people's labels of summaries of three events."""

import json
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


@cache
def example() -> tuple[Item, tuple[Agreement, ...]]:
    """Return an item to practise on, and the agreement of the three annotators."""
    values = _values()
    output = values["outputs"][0]
    event = next(event for event in values["events"] if event["id"] == output["id"])
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
    return item, annotator_agreement(sentence_labels(values["labels"]))


def make(database: Database) -> int:
    """Store the example as a project and return its id."""
    values = _values()
    events, outputs, positions = {}, [], {}
    for row in values["events"]:
        narratives = tuple(Narrative(text["source"], text["text"]) for text in row["narratives"])
        events[row["id"]] = Event(row["id"], narratives, tuple(row["references"]))
    for position, row in enumerate(values["outputs"], start=1):
        outputs.append(Prediction(row["id"], row["summary"], row["system"], position))
        positions[row["id"], row["system"]] = position
    project = make_project(database, "Example", "sentences", events, outputs)
    names = dict.fromkeys(row["annotator"] for row in values["labels"])
    annotators = {name: invite(database, project.id, name)[1].id for name in names}
    for number, row in enumerate(values["labels"]):
        side, reference, sentence = row["side"], row["reference"], row["sentence"]
        unit = f"recall/{reference}/{sentence}" if reference else f"{side}/{sentence}"
        annotator, position = annotators[row["annotator"]], positions[row["id"], row["system"]]
        save(database, annotator, position, unit, row["label"], f"example-{number}")
    return project.id


@cache
def _values() -> dict[str, Any]:
    values: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return values
