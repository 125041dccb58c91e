"""Every metric follows the protocol, built in or from another package."""

import json
import sys
import types
from importlib.metadata import EntryPoint

import pytest

from commonground.agreement import Scores
from commonground.benchmark import Config, Report, Study, leaderboard, make_run
from commonground.cli import run
from commonground.errors import InputError
from commonground.metrics import Corpus, Metric, Score, column_value, registry
from commonground.score import Signature

SUMMARIES = ["The dam broke at night. Two villages flooded.", "A bus was late."]
REFERENCES = [
    ["At night the dam broke.", "Two villages were flooded at night."],
    ["Buses ran late."],
]


class Jaccard(Metric):
    """The metric of docs/metrics.md."""

    name = "jaccard"
    columns = ("jaccard",)

    def __init__(self, stemmer: bool = False) -> None:
        self.cut = 4 if stemmer else None

    @property
    def settings(self):
        return {"words": f"first{self.cut}" if self.cut else "whole"}

    def words(self, text):
        text = text if isinstance(text, str) else " ".join(text)
        return {word[: self.cut] for word in text.lower().split()}

    def score(self, prediction, references):
        ours = self.words(prediction)
        others = map(self.words, references)
        values = [len(ours & other) / (len(ours | other) or 1) for other in others]
        return Score({"jaccard": max(values)}, self.signature(prediction, references))


@pytest.fixture
def plugin(monkeypatch):
    """Install a package that registers metrics."""

    def install(**metrics):
        module = types.ModuleType("plugged")
        vars(module).update(metrics)
        monkeypatch.setitem(sys.modules, "plugged", module)
        entries = [EntryPoint(name, f"plugged:{name}", registry.GROUP) for name in metrics]
        entries.append(EntryPoint("broken", "no_such_package:Metric", registry.GROUP))
        monkeypatch.setattr(registry, "entry_points", lambda group: entries)

    return install


def files(tmp_path):
    rows = [
        {"id": str(number), "summary": summary, "references": references}
        for number, (summary, references) in enumerate(zip(SUMMARIES, REFERENCES, strict=True))
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["score", "--predictions", str(path)]


EXTRAS = {"bert-score", "bleu", "chrf", "meteor"}


@pytest.mark.parametrize("name", sorted({*registry.BUILT_IN} - EXTRAS))
def test_built_in_metrics_follow_the_protocol(name):
    metric = registry.create(name)
    assert isinstance(metric, Metric)
    assert metric.name == name
    assert set(metric.main_columns.values()) <= set(metric.columns)
    single = metric.score(SUMMARIES[0], REFERENCES[0])
    corpus = metric.corpus(SUMMARIES, REFERENCES)
    assert corpus.items[0].to_dict() == single.to_dict()
    assert list(corpus.to_dataframe().columns) == list(metric.columns)
    for column in metric.columns:
        assert column_value(single, column) == column_value(single.to_dict(), column)
    assert isinstance(metric.signature(SUMMARIES[0], REFERENCES[0]), Signature)
    plain = corpus.to_dict()
    assert {"mean", "interval", "items", "signature"} <= set(plain)
    assert json.loads(json.dumps(plain)) == plain
    assert metric.cells(plain)
    assert str(corpus.signature).split("|")[0] == str(single.signature).split("|")[0]


def test_a_metric_needs_a_name_columns_and_score():
    with pytest.raises(TypeError, match="abstract"):
        type("Empty", (Metric,), {"name": "empty"})()


def test_a_plug_in_scores_in_python(plugin):
    plugin(jaccard=Jaccard)
    metric = registry.create("jaccard")
    assert registry.names()[-2:] == ("broken", "jaccard")
    assert metric.score("a b", ["b c", "a b c d"])["jaccard"] == 0.5
    corpus = metric.corpus(["a b", "a"], [["b c"], ["a"]])
    assert isinstance(corpus, Corpus)
    assert corpus.mean == {"jaccard": (1 / 3 + 1) / 2}
    assert corpus.interval["jaccard"].low <= corpus.mean["jaccard"]
    assert str(corpus.signature).startswith("JACCARD|words:whole|refs:1|boot:1000|seed:0|v:")


@pytest.mark.parametrize("more", [[], ["--output", "out.jsonl", "--workers", "1"]])
def test_a_plug_in_scores_by_command(plugin, tmp_path, monkeypatch, capsys, more):
    plugin(jaccard=Jaccard)
    monkeypatch.chdir(tmp_path)
    assert run([*files(tmp_path), "--metric", "jaccard", "--stemmer", "--json", *more]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert system["jaccard"] == Jaccard(stemmer=True).corpus(SUMMARIES, REFERENCES).to_dict()
    assert "|refs:1-2|" in system["jaccard"]["signature"]


def test_the_table_of_a_plug_in_beside_a_built_in(plugin, tmp_path, capsys):
    plugin(jaccard=Jaccard)
    assert run([*files(tmp_path), "--metric", "jaccard", "--metric", "rouge"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    mean = Jaccard().corpus(SUMMARIES, REFERENCES).mean["jaccard"]
    assert lines[0][:2] == ["items", "rouge1"]
    assert lines[3:5] == [["items", "jaccard"], ["2", f"{mean:.3f}"]]


def test_studies_read_the_items_of_a_plug_in(plugin, tmp_path, capsys):
    plugin(jaccard=Jaccard)
    items = tmp_path / "items.jsonl"
    names = ["--metric", "jaccard", "--metric", "rouge"]
    assert run([*files(tmp_path), *names, "--per-item", str(items)]) == 0
    scores = Scores.read(items)
    assert scores.others() == ("rouge1", "rouge2", "rougeL", "rougeLsum", "jaccard")
    expected = [item["jaccard"] for item in Jaccard().corpus(SUMMARIES, REFERENCES).items]
    assert scores.pivot("jaccard").matrix.tolist() == [expected]


@pytest.fixture
def data(tmp_path):
    """Events, and two systems: one has the references themselves."""
    ids = [str(number) for number in range(len(REFERENCES))]
    events = [{"id": id_, "references": texts} for id_, texts in zip(ids, REFERENCES, strict=True)]
    texts = {"a": SUMMARIES, "copy": [texts[0] for texts in REFERENCES]}
    predictions = [
        {"id": id_, "summary": text, "system": system}
        for system, summaries in texts.items()
        for id_, text in zip(ids, summaries, strict=True)
    ]
    for name, rows in (("d.jsonl", events), ("p.jsonl", predictions)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_studies_compute_a_plug_in(plugin, data, capsys):
    plugin(jaccard=Jaccard)
    config = Config(metrics=["jaccard"])
    study = Study(make_run(data / "run", data / "d.jsonl", [data / "p.jsonl"], config))
    assert study.metrics == ["jaccard"]
    corpus = Jaccard(stemmer=True).corpus(SUMMARIES, REFERENCES)  # studies stem
    assert study.values("jaccard")["a"] == [item["jaccard"] for item in corpus.items]
    assert study.signatures["scores/jaccard"] == str(corpus.signature)
    files = ["--predictions", str(data / "p.jsonl"), "--references", str(data / "d.jsonl")]
    assert run(["agreement", "references", *files, "--metric", "jaccard", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["references"]
    assert (found["metric"], [pair["first"] for pair in found["pairs"]]) == ("jaccard", ["1"])


def test_lower_can_be_better(plugin, data):
    class Distance(Jaccard):
        name = "distance"
        columns = ("distance",)
        higher_is_better = False

        def score(self, prediction, references):
            score = super().score(prediction, references)
            return Score({"distance": 1 - score["jaccard"]}, score.signature)

    plugin(distance=Distance)
    config = Config(metrics=["distance", "rouge"])
    study = Study(make_run(data / "run", data / "d.jsonl", [data / "p.jsonl"], config))
    assert list(study.values("distance")) == list(study.values("rouge1")) == ["copy", "a"]
    board = leaderboard([data / "run"], ["distance"])
    assert [row["system"] for row in board["rows"]] == ["copy", "a"]
    report = Report.compare(study, metrics=["distance"])
    assert [standing["distance"].rank for standing in report.standings.values()] == [1, 2]
    assert list(report.standings) == ["copy", "a"]


def test_wrong_plug_ins_are_one_line(plugin, tmp_path, capsys):
    plugin(number=3)
    with pytest.raises(InputError, match="unknown metric 'rogue'; did you mean 'rouge'"):
        registry.create("rogue")
    with pytest.raises(InputError, match=r"'number' .* is not a subclass of Metric"):
        registry.create("number")
    with pytest.raises(InputError, match="unknown option of rouge 'stemer'; did you mean"):
        registry.create("rouge", stemer=True)
    assert run([*files(tmp_path), "--metric", "broken"]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "metric 'broken' (no_such_package:Metric) cannot be loaded: ModuleNotFoundError" in line


def test_a_broken_plug_in_does_not_disturb_the_others(plugin, tmp_path, capsys):
    plugin(rouge=Jaccard)  # the name of a built-in metric is taken
    assert run([*files(tmp_path), "--metric", "rouge", "--json"]) == 0
    assert "rouge1" in json.loads(capsys.readouterr().out)["systems"][0]["rouge"]["mean"]


def test_fields_that_differ_between_items_are_merged():
    metric = Jaccard()
    one = Signature.of("M", enc="a/b", split="given", refs="4")
    other = Signature.of("M", enc="a/b", split="lines", refs="10")
    merged = str(metric.corpus_signature([one, other, one], 3))
    assert merged.startswith("M|enc:a/b|split:lines/given|refs:4-10|boot:1000|seed:0|v:")
