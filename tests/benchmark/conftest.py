"""A tiny study whose numbers can be worked out by hand, and a run of the example study."""

import json
from pathlib import Path

import pytest

from commonground.benchmark import Config, Study, make_run

STUDY = Path(__file__).parents[2] / "examples" / "study"


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The example study, without what takes long."""
    folder = tmp_path_factory.mktemp("example") / "run"
    make_run(
        folder,
        STUDY / "events.jsonl",
        [STUDY / "outputs.jsonl"],
        Config(title="Example study", draws=2, pyramids=("edua-g",)),
        labels=sorted((STUDY / "labels").iterdir()),
        scores=[STUDY / "scores.csv"],
        pyramids=STUDY / "pyramids",
    )
    return Study(folder)


class Tiny:
    """Files of a study of two events and two systems."""

    EVENTS = (
        {"id": "cat", "references": ["the cat was sitting", "a dog"]},
        {"id": "rain", "references": ["it rained", "rain fell today"]},
    )
    OUTPUTS = (
        {"id": "cat", "system": "one", "summary": "the cat sat"},
        {"id": "rain", "system": "one", "summary": "it rained"},
        {"id": "cat", "system": "two", "summary": "a horse"},
        {"id": "rain", "system": "two", "summary": "snow"},
    )

    def __init__(self, folder):
        self.folder = folder
        self.events = self.rows("events.jsonl", self.EVENTS)
        self.outputs = self.rows("outputs.jsonl", self.OUTPUTS)

    def rows(self, name, rows):
        return self.text(name, "".join(json.dumps(row) + "\n" for row in rows))

    def text(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, name="run", **more):
        more.setdefault("config", Config(metrics=("rouge",)))
        return make_run(self.folder / name, self.events, [self.outputs], **more)


@pytest.fixture
def tiny(tmp_path):
    return Tiny(tmp_path)
