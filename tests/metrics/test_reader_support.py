"""Support by the reader: without references, from the narratives, wherever metrics are used."""

import json

import pytest

from commonground.agreement import Scores
from commonground.benchmark import Config, Study, make_run
from commonground.cli.app import run
from commonground.metrics import ReaderSupport

NARRATIVES = [
    "The dam broke at night. Two villages were flooded. The mayor blamed the rain.",
    "At night the dam gave way. The flood reached two villages. Nobody was hurt.",
]
GOOD = "The dam broke at night."
BAD = "A violin was sold in Paris."


@pytest.fixture(scope="module")
def measure():
    return ReaderSupport()


def test_what_all_narratives_say_is_stated(measure):
    score = measure.score(GOOD, NARRATIVES)
    assert score["stated"] > 0.5
    assert score["words"] > 0.5
    assert measure.score(BAD, NARRATIVES)["stated"] < 0.1


def test_the_narrative_that_states_least_counts(measure):
    blamed = "The mayor blamed the rain."
    assert measure.score(blamed, NARRATIVES[:1])["stated"] > 0.5
    assert measure.score(blamed, NARRATIVES)["stated"] < 0.5
    assert measure.score(blamed, NARRATIVES) == measure.score(blamed, NARRATIVES[::-1])


@pytest.mark.parametrize("summary", ["", " \n", []])
def test_an_empty_summary_scores_0(measure, summary):
    assert set(measure.score(summary, NARRATIVES).values.values()) == {0.0}


def files(folder, narratives=True):
    texts = [{"source": str(n), "text": text} for n, text in enumerate(NARRATIVES)]
    event = {"id": "dam", "references": [GOOD], **({"narratives": texts} if narratives else {})}
    rows = [{"id": "dam", "system": name, "summary": text} for name, text in SYSTEMS.items()]
    (folder / "events.jsonl").write_text(json.dumps(event) + "\n", "utf-8")
    (folder / "outputs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    return folder / "events.jsonl", folder / "outputs.jsonl"


SYSTEMS = {"good": GOOD, "bad": BAD}


def test_score_reads_the_narratives(tmp_path, measure):
    events, outputs = files(tmp_path)
    items = tmp_path / "items.jsonl"
    command = ["score", "--metric", "reader-support", "--metric", "rouge", "--per-item", str(items)]
    assert run([*command, "--predictions", str(outputs), "--references", str(events)]) == 0
    found = Scores.read(items)
    expected = measure.score(GOOD, NARRATIVES)["stated"]
    (good,) = found.pivot("reader-support.stated").matrix[1]
    assert good == pytest.approx(expected)
    assert found.pivot("rouge1").matrix[1] == [1]


def test_a_data_set_without_narratives_is_an_error(tmp_path, capsys):
    events, outputs = files(tmp_path, narratives=False)
    command = ["score", "--metric", "reader-support", "--predictions", str(outputs)]
    assert run([*command, "--references", str(events)]) == 2
    assert "id 'dam' has no narratives" in capsys.readouterr().err
    assert run(command) == 2
    assert "give a data set with them" in capsys.readouterr().err
    assert run([*command, "--references", str(events), "--output", str(tmp_path / "o.jsonl")]) == 2
    assert "reads narratives; use --per-item" in capsys.readouterr().err


def test_a_benchmark_run_has_it_too(tmp_path, measure):
    events, outputs = files(tmp_path)
    study = Study(make_run(tmp_path / "run", events, [outputs], Config(metrics=["reader-support"])))
    assert "reader-support.stated.minilm" in study.metrics
    values = study.values("reader-support.stated.minilm")
    assert values["good"][0] == pytest.approx(measure.score(GOOD, NARRATIVES)["stated"])


def test_single_references_make_no_sense(tmp_path, capsys):
    events, outputs = files(tmp_path)
    texts = ["--predictions", str(outputs), "--references", str(events)]
    command = ["agreement", "references", *texts, "--metric", "reader-support.stated"]
    assert run(command) == 2
    assert "reader-support uses no references" in capsys.readouterr().err
