"""Run folders: what is in them, interrupted and resumed, and what they refuse."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commonground.benchmark import (
    Config,
    Report,
    Study,
    Variant,
    leaderboard,
    make_run,
    make_tables,
    measure,
)
from commonground.errors import InputError

MISSING = "is not finished"


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_run_holds_config_outputs_signatures_and_scores(tiny):
    folder = tiny.run(scores=[tiny.text("mine.csv", "id,system,metric,value\ncat,one,mine,2\n")])
    assert set(contents(folder)) == {
        "config.json",
        "events.jsonl",
        "outputs.jsonl",
        "given/mine.csv",
        "scores/rouge.jsonl",
        "scores/rouge.references.jsonl",
        "signatures.json",
    }
    config = json.loads((folder / "config.json").read_text())
    assert config["settings"]["metrics"] == ["rouge"]
    assert len(config["inputs"]["events"]["events.jsonl"]) == 64
    signatures = json.loads((folder / "signatures.json").read_text())
    assert "|refs:2|multi:best|" in signatures["scores/rouge"]
    assert "|refs:1|" in signatures["scores/rouge.references"]


def test_scores_by_hand(tiny):
    study = Study(tiny.run())
    found = {
        (row.id, row.system, row.reference): row.value
        for row in study.scores
        if row.metric == "rouge1"
    }
    # "the cat sat" has 2 of its 3 words in the 4 of the first reference: F1 = 4/7.
    assert found["cat", "one", "1"] == pytest.approx(4 / 7)
    assert found["cat", "one", "2"] == 0
    assert found["cat", "one", ""] == pytest.approx(4 / 7)
    assert found["rain", "one", ""] == 1
    assert found["cat", "two", "2"] == found["cat", "two", ""] == 0.5
    assert found["rain", "two", ""] == 0
    assert list(study.values("rouge1")) == ["one", "two"]


def test_a_run_keeps_every_column_and_shows_the_main_ones(tiny):
    folder = tiny.run()
    study = Study(folder)
    assert study.metrics == ["rouge1", "rouge2", "rougeL"]
    # "the cat sat" has 2 of the 4 words of the first reference.
    assert study.values("rouge1.recall")["one"] == [0.5, 1]
    assert study.values("rouge.rouge1.precision")["one"] == [pytest.approx(2 / 3), 1]
    report = Report.compare(folder, metrics=["rouge1.recall", "rouge1.f1"])
    assert list(report.standings["one"]) == ["rouge1.recall", "rouge1"]
    assert report.standings["one"]["rouge1.recall"].mean == 0.75
    board = leaderboard([folder], ["rouge1.recall"])
    assert board["rows"][0]["scores"]["rouge1.recall"]["mean"] == 0.75
    table = make_tables(Study(folder, ["rouge1.recall"]), ["references"]).found["references"]
    assert {row[0] for row in table["rows"]} == {"rouge1.recall"}


def test_an_empty_reference_has_no_scores_of_its_own(tiny):
    tiny.events = tiny.rows("events.jsonl", [{"id": "cat", "references": ["the cat", " "]}])
    tiny.outputs = tiny.rows("outputs.jsonl", [{"id": "cat", "system": "a", "summary": "the cat"}])
    rows = [row for row in Study(tiny.run()).scores if row.metric == "rouge1"]
    assert [(row.reference, row.value) for row in rows] == [("", 1), ("1", 1)]


def test_the_same_command_again_changes_nothing_and_computes_nothing(tiny, monkeypatch):
    before = contents(tiny.run())
    monkeypatch.setattr(measure, "metric_rows", lambda *_: pytest.fail("computed twice"))
    assert contents(tiny.run()) == before


def test_an_interrupted_run_is_finished_by_the_same_command(tiny, monkeypatch):
    whole = contents(tiny.run("whole"))
    metric_rows = measure.metric_rows

    def interrupted(material, config, name, encoder, single, progress):
        if single:
            raise KeyboardInterrupt
        return metric_rows(material, config, name, encoder, single, progress)

    monkeypatch.setattr(measure, "metric_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tiny.run("part")
    part = tiny.folder / "part"
    assert "scores/rouge.jsonl" in contents(part)
    assert "scores/rouge.references.jsonl" not in contents(part)
    with pytest.raises(InputError, match=MISSING):
        Study(part)
    monkeypatch.setattr(measure, "metric_rows", metric_rows)
    tiny.run("part")
    assert contents(part) == whole


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import Tiny
from commonground.benchmark import measure

def dying(*_):
    def rows():
        yield {"id": "cat", "system": "one", "metric": "rouge1", "value": 0.5}
        os._exit(9)
    return rows(), "a signature"

measure.metric_rows = dying
Tiny(Path(sys.argv[2])).run("killed")
"""


def test_a_killed_run_leaves_no_half_file_and_goes_on(tiny):
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", KILLED, here, str(tiny.folder)]
    assert subprocess.run(command, check=False).returncode == 9
    killed = tiny.folder / "killed"
    assert not (killed / "scores" / "rouge.jsonl").exists()
    tiny.run("killed")
    left = {name: text for name, text in contents(killed).items() if "/." not in name}
    assert left == contents(tiny.run("whole"))


def test_what_a_killed_copy_leaves_behind_is_passed_over(tiny):
    folder = tiny.run()
    (folder / "labels" / ".labels.csv.12-ab").write_text("annotator,id")
    (folder / "given" / ".scores.csv.12-ab").write_text("id")
    assert Study(folder).gold is None


def refused(message, call, *arguments, **more):
    with pytest.raises(InputError, match=message):
        call(*arguments, **more)


def test_another_configuration_is_refused(tiny):
    tiny.run()
    refused(
        r"has another configuration \(settings: stemmer\)",
        tiny.run,
        config=Config(metrics=("rouge",), stemmer=False),
    )
    tiny.outputs = tiny.rows("outputs.jsonl", tiny.OUTPUTS[:3])
    refused(r"another configuration \(inputs: predictions\)", tiny.run)


def test_a_folder_with_other_things_in_it_is_refused(tiny):
    (tiny.folder / "run").mkdir()
    (tiny.folder / "run" / "thesis.tex").write_text("mine")
    refused("is not empty and not a run", tiny.run)
    refused("is not a run folder", Study, tiny.folder)


def test_wrong_input_is_refused_before_anything_is_written(tiny):
    labels = tiny.text("labels.csv", "annotator,id,system,score\nL1,cat,one,11\n")
    refused('line 2: "score" must be from 1 to 10', tiny.run, labels=[labels])
    scores = tiny.text("scores.csv", "id,system,metric,value\ncat,one,m,high\n")
    refused('line 2: "value" must be a number', tiny.run, scores=[scores])
    refused("is not a folder of pyramids", tiny.run, pyramids=tiny.folder / "none")
    refused("needs a folder of pyramids", tiny.run, config=Config(pyramids=("manual",)))
    tiny.outputs = tiny.rows("o.jsonl", [*tiny.OUTPUTS, {"id": "dog", "summary": "x"}])
    refused(r"o.jsonl, line 5: id 'dog' is not in .*events.jsonl", tiny.run)
    assert not (tiny.folder / "run").exists()


def test_references_are_needed(tiny):
    tiny.events = tiny.rows("e.jsonl", [{"id": i, "narratives": []} for i in ("cat", "rain")])
    refused("no summary belongs to an event with references in .*e.jsonl", tiny.run)
    assert not (tiny.folder / "run").exists()


def test_a_pyramid_of_no_event_is_refused(tiny):
    (tiny.folder / "pyramids").mkdir()
    tiny.text("pyramids/dog.json", "{}")
    refused("the data set has no event 'dog'", tiny.run, pyramids=tiny.folder / "pyramids")


def test_two_files_with_one_system_and_two_of_one_name(tiny):
    (tiny.folder / "more").mkdir()
    other = tiny.rows("more/outputs.jsonl", tiny.OUTPUTS[:1])
    refused("appears twice", make_run, tiny.folder / "r", tiny.events,
            [tiny.outputs, other])  # fmt: skip
    other = tiny.rows("more/outputs.jsonl", [{"id": "cat", "summary": "x", "system": "three"}])
    refused("two files of predictions are named 'outputs.jsonl'", make_run, tiny.folder / "r",
            tiny.events, [tiny.outputs, other])  # fmt: skip


def test_rows_without_a_system_are_the_file_s(tiny):
    lead = tiny.rows("lead.jsonl", [{"id": "cat", "summary": "the cat"}])
    config = Config(metrics=("rouge",))
    study = Study(make_run(tiny.folder / "r", tiny.events, [tiny.outputs, lead], config))
    assert list(study.outputs) == ["one", "two", "lead"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("edua-x", "unknown builder"), ("edua-g+hard", "unknown method"), ("+", "a pyramid is")],
)
def test_a_pyramid_that_is_none(text, message):
    refused(message, Variant.parse, text)


def test_settings_that_are_wrong():
    refused("unknown metric 'rogue'; did you mean 'rouge'", Config, metrics=("rogue",))
    refused("draws must be at least 1", Config, draws=0)
    refused("unknown splitter", Config, splitter="spaces")


def test_options_of_a_metric_and_stems(tiny):
    options = {"rouge": {"types": ["rouge1"], "multi": "mean"}}
    study = Study(tiny.run("own", config=Config(metrics=("rouge",), options=options)))
    assert study.signatures["scores/rouge"].startswith("ROUGE|types:rouge1|stem:porter|")
    assert "|multi:mean|" in study.signatures["scores/rouge"]
    plain = Study(tiny.run("plain", config=Config(metrics=("rouge",), stemmer=False)))
    assert "|stem:no|" in plain.signatures["scores/rouge"]
    refused("unknown metric with options 'rogue'", Config, options={"rogue": {}})
