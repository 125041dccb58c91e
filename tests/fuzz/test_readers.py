"""Random values in every kind of JSON file: each is read, or refused with one line.

What is read is also used and written again, since a number can be too large only then.
"""

import json
import os
from random import Random

import pytest

from commonground import Pyramid, models
from commonground.agreement import Scores, read_labels
from commonground.benchmark import Study, statistics, validate
from commonground.benchmark.config import Config, read_config
from commonground.benchmark.judge.judging import AnswerCache
from commonground.benchmark.meta import read_judged
from commonground.benchmark.run import read_signatures, step_files
from commonground.errors import CommongroundError
from commonground.io import read_events, read_json, read_predictions, write_events
from commonground.io.resumable import ResumableRows
from commonground.pyramid import Corrections, read_event_units, read_pyramid, read_units, replay
from commonground.report import wording
from commonground.scale.grouping.articles import read_articles
from commonground.scale.output import Output
from commonground.scale.run_folder import RunFolder
from commonground.settings import setting
from fuzz_values import ODD, changed

VALUES = 220  # for each reader
EVENT = {
    "id": "dam",
    "narratives": [{"source": "A", "text": "It broke."}, {"source": "B", "text": "It fell."}],
    "references": ["The dam broke.", "The dam fell."],
}
PREDICTION = {"id": "dam", "summary": "It broke.", "system": "s", "references": ["It fell."]}
UNIT = {"unit": "The dam broke.", "weight": 2, "id": "dam", "units": ["a", "b"], "weights": [1, 2]}
LABEL = {"annotator": "L1", "id": "dam", "system": "s", "side": "recall", "reference": 1}
LABEL |= {"sentence": 2, "label": "PP", "text": "The dam broke."}
RATING = {"annotator": "L1", "id": "dam", "system": "s", "score": 4, "precision": 3, "recall": 2}
WRITTEN = {"annotator": "L1", "id": "dam", "text": "It broke."}
SCORE = {"id": "dam", "system": "s", "rouge": {"rouge1": {"f1": 0.5}, "signature": "ROUGE|v:1"}}
VALUE = {"id": "dam", "system": "s", "metric": "human", "value": 0.5}
CHANGES = [
    {"do": "reweigh", "unit": 0, "weight": 2},
    {"do": "rename", "unit": "Rain fell.", "label": "It rained."},
    {"do": "merge", "units": [0, 1], "label": "Both"},
    {"do": "split", "unit": 0, "contributors": [0], "label": "One"},
    {"do": "accept", "student": "a.txt", "unit": 0, "text": ""},
    {"do": "point", "student": "a.txt", "unit": 0, "sentence": 1},
    {"do": "comment", "student": "a.txt", "comment": "Good."},
    {"do": "delete", "unit": 1},
    {"do": "add", "label": "New", "weight": 3},
]
CORRECTIONS = {
    "format": "commonground-corrections",
    "version": 1,
    "changes": [{**change, "by": "T", "at": "2026-01-05T10:00:00+00:00"} for change in CHANGES],
}
PYRAMID = Pyramid.from_units(["Rain fell.", "The dam broke."], [2, 1])
CONTRIBUTOR = {"reference": 0, "text": "Rain fell.", "id": "1", "spans": [[0, 10]]}
WHOLE = PYRAMID.to_dict() | {"references": ["Rain fell.", "Snow."], "names": ["a", "b"]}
WHOLE["units"] = [unit | {"contributors": [CONTRIBUTOR]} for unit in WHOLE["units"]]
ARTICLE = {"id": "1", "source": "A", "text": "The dam broke on Monday.", "title": "Dam"}
SUMMEVAL = {
    "id": "dam",
    "model_id": "M1",
    "decoded": "It broke.",
    "text": "The dam broke.",
    "references": ["It fell."],
    "expert_annotations": [{"coherence": 2, "fluency": 3, "consistency": 4, "relevance": 5}],
}
ROSE = {
    "example_id": "dam",
    "source": "The dam broke.",
    "reference": "It fell.",
    "system_outputs": {"s": "It broke."},
    "annotations": {"s": {"acu": 0.5, "normalized_acu": 0.4}},
}
RUN = {
    "signature": "score|v:1",
    "form": "jsonl",
    "shard_rows": 2,
    "inputs": [{"name": "in.jsonl", "size": 2, "changed": 10**9}],
}
CONFIGURATION = Config(metrics=["rouge"], thresholds=[])
CONFIG = {
    "version": "0.1.0",
    "settings": CONFIGURATION.to_dict(),
    "inputs": {"events": {"e": "0" * 64}},
}


def _events(path):
    events = read_events(path)
    write_events(path.with_name("again.jsonl"), events.values())
    assert read_events(path.with_name("again.jsonl")) == events
    statistics(events.values())


def _pyramid(path):
    pyramid = read_pyramid(path)
    pyramid.save(path.with_name("again.json"))
    assert read_pyramid(path.with_name("again.json")) == pyramid
    pyramid.to_html(path.with_name("page.html"))


def _corrections(path):
    corrections = Corrections.load(path)
    corrections.save(path.with_name("again.json"))
    found = replay(PYRAMID, corrections.changes, {"a.txt": "Rain fell."})
    json.dumps(found.pyramid.to_dict(), allow_nan=False)


def _resumed(path):
    path.rename(path.with_name("out.jsonl.part"))
    rows = ResumableRows(path.with_name("out.jsonl"), resume=True)
    list(rows.kept())


def _run_folder(path):
    folder = path.parent / "out" / "_run"
    folder.mkdir(parents=True)
    path.rename(folder / "run.json")
    source = path.with_name("in.jsonl")
    source.write_text("{}")
    os.utime(source, ns=(10**9, 10**9))
    output = Output.of(f"{path.parent / 'out'}/", None)
    with RunFolder(output, [source], resume=True, shard_rows=None, usual=2) as run:
        run.begin("score|v:1")


def _study(path):
    path.rename(path.with_name("config.json"))
    read_config(path.parent)
    for step in step_files(path.parent, CONFIGURATION):
        step.parent.mkdir(exist_ok=True)
        step.touch()
    _ = Study(path.parent).data


def _signatures(path):
    path.rename(path.with_name("signatures.json"))
    read_signatures(path.parent)


def _model(name):
    def located(path):
        for file in ("modules.json", "config.json"):
            path.with_name(file).write_text("{}")
        path.with_name("model.safetensors").write_bytes(b"")
        path.rename(path.with_name(name))
        models.locate_folder(path.parent)

    return located


def _settings(path):
    value = path.read_text("utf-8")
    path.with_name("commonground.toml").write_text(f"encoder = {value}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)
        setting("encoder")


def _articles(path):
    list(read_articles([path]))


def _with_references(path):
    list(read_predictions(path, references=True))


MODULES = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]
INDEX = {"weight_map": {"a": "model.safetensors"}, "metadata": {"total_size": 1}}
READERS = {
    "events": (EVENT, ".jsonl", _events),
    "validation": (EVENT, ".jsonl", lambda path: str(validate(path))),
    "predictions": (PREDICTION, ".jsonl", lambda path: list(read_predictions(path))),
    "own references": (PREDICTION, ".jsonl", _with_references),
    "units": (UNIT, ".jsonl", read_units),
    "event units": (UNIT, ".jsonl", read_event_units),
    "labels": (LABEL, ".jsonl", read_labels),
    "ratings": (RATING, ".jsonl", read_labels),
    "written overlaps": (WRITTEN, ".jsonl", read_labels),
    "scores": (SCORE, ".jsonl", Scores.read),
    "values": (VALUE, ".jsonl", Scores.read),
    "pyramid": (WHOLE, ".json", _pyramid),
    "corrections": (CORRECTIONS, ".json", _corrections),
    "wording": ({"missed": "Still to come"}, ".json", lambda path: wording(read_json(path))),
    "articles": (ARTICLE, ".jsonl", _articles),
    "summeval": (SUMMEVAL, ".jsonl", lambda path: read_judged(path, "summeval")),
    "rose": (ROSE, ".jsonl", lambda path: read_judged(path, "rose")),
    "resumed rows": ({"id": "dam", "score": 1}, ".jsonl", _resumed),
    "run folder": (RUN, ".json", _run_folder),
    "study": (CONFIG, ".json", _study),
    "signatures": ({"scores/rouge": "ROUGE|v:1"}, ".json", _signatures),
    "answers": ({"key": "k", "answer": "{}", "usage": [1, 2]}, ".jsonl", AnswerCache),
    "modules": (MODULES, ".json", _model("modules.json")),
    "config": ({"hidden_size": 4, "auto": {"a": [1]}}, ".json", _model("config.json")),
    "adapter": ({"base_model_name_or_path": "."}, ".json", _model("adapter_config.json")),
    "router": ({"types": {"a": "sentence_transformers.x"}}, ".json", _model("router_config.json")),
    "index": (INDEX, ".json", _model("model.safetensors.index.json")),
    "settings": ("minilm", ".json", _settings),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_files(name, tmp_path):
    document, suffix, read = READERS[name]
    random = Random(name)
    understood = 0
    for number in range(VALUES):
        text = changed(document, random) if number else json.dumps(document)
        rows = text if suffix == ".json" or random.random() < 0.7 else f"{text}\n{text}"
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / f"file{suffix}"
        path.write_text(rows + "\n", encoding="utf-8", errors="surrogatepass")
        try:
            read(path)
            understood += 1
        except CommongroundError as error:
            line = str(error)
            assert "\n" not in line.replace(str(path), ""), (line, rows[:2000])
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise AssertionError(f"{name}: {what} of {rows[:3000]}") from error
    assert understood, name


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_values_in_python(value):
    """What a program hands over is checked as a file is."""
    for call in (Pyramid.from_dict, Corrections.from_dict, wording):
        if value != {}:  # no change of the words
            with pytest.raises(CommongroundError):
                call(value)
