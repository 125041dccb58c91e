"""The worked example: an item to practise on, its agreement, and a project made from it."""

import json
from functools import cache
from typing import Any

from commonground.agreement import Agreement, annotator_agreement
from commonground.annotate import (
    Database,
    Item,
    Progress,
    invite,
    make_project,
    save,
    save_guidelines,
    save_remark,
    sentence_labels,
    units_of,
)
from commonground.database import Viewer
from commonground.io import Event, Narrative, Prediction
from commonground.text import sentences
from commonground.web.context import DATA


@cache
def example_item() -> tuple[Item, tuple[Agreement, ...]]:
    """Return an item to practise on, and the agreement of the three annotators."""
    values = example_data()
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
        remarks={},
    )
    return item, annotator_agreement(sentence_labels(values["labels"]))


def make_example(database: Database, owner: Viewer) -> int:
    """Store the example as a project and return its id."""
    values = example_data()
    events, outputs, positions = {}, [], {}
    for row in values["events"]:
        narratives = tuple(Narrative(text["source"], text["text"]) for text in row["narratives"])
        events[row["id"]] = Event(row["id"], narratives, tuple(row["references"]))
    for position, row in enumerate(values["outputs"], start=1):
        outputs.append(Prediction(row["id"], row["summary"], row["system"], position))
        positions[row["id"], row["system"]] = position
    project = make_project(database, "Example", "sentences", events, outputs, owner=owner)
    names = dict.fromkeys(row["annotator"] for row in values["labels"])
    annotators = {name: invite(database, project.id, name)[1].id for name in names}
    for number, row in enumerate(values["labels"]):
        side, reference, sentence = row["side"], row["reference"], row["sentence"]
        unit = f"recall/{reference}/{sentence}" if reference else f"{side}/{sentence}"
        annotator, position = annotators[row["annotator"]], positions[row["id"], row["system"]]
        save(database, annotator, position, unit, row["label"], f"example-{number}")
    save_guidelines(database, project.id, values["guidelines"])
    for row in values["remarks"]:
        who, where = annotators[row["annotator"]], positions[row["id"], row["system"]]
        flagged, comment = row["flagged"], row["comment"]
        save_remark(database, who, where, row["unit"], flagged=flagged, comment=comment)
    return project.id


@cache
def example_data() -> dict[str, Any]:
    """Return the events, outputs, labels, guidelines and remarks of the example."""
    values: dict[str, Any] = json.loads((DATA / "annotate_example.json").read_text("utf-8"))
    return values
