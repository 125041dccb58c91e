"""Meta-evaluation of a small set whose best metric is known, and the command."""

import json
from dataclasses import replace

import numpy as np
import pytest

from commonground.agreement import Scores, metric_correlation
from commonground.benchmark.meta import JudgedSet, meta_evaluate, read_judged, score_judged
from commonground.cli.app import run
from commonground.errors import InputError
from commonground.io import Event, Narrative
from commonground.metrics import Rouge, Score
from commonground.metrics.base import Corpus, Metric

IDS = [f"i{n}" for n in range(8)]
WORDS = "the dam broke at night and rain fell on every house".split()  # noqa: SIM905


def judged_set():
    """Eight inputs; system k says the first k + n words, and people count them."""
    events = {
        id_: Event(id_, (Narrative("only", " ".join(WORDS)),), (" ".join(WORDS),)) for id_ in IDS
    }
    outputs = {
        f"s{k}": {
            id_: " ".join(WORDS[: k + n % 3]) + " xyz" * (k * k % 5) for n, id_ in enumerate(IDS)
        }
        for k in range(1, 7)
    }
    human = [
        (id_, system, "coverage", len(set(text.split()) & set(WORDS)))
        for system, texts in outputs.items()
        for id_, text in texts.items()
    ]
    return JudgedSet("dams", events, outputs, Scores.of(human))


def evaluated(**more):
    judged = judged_set()
    scores, signatures = score_judged(judged, [Rouge(types=["rouge1"])])
    noise = np.random.default_rng(0).random((6, 8))
    rows = [(i, f"s{k + 1}", "noise", noise[k, n]) for k in range(6) for n, i in enumerate(IDS)]
    scores += Scores.of(rows)
    options = {"resamples": 50, "permutations": 99, "signatures": signatures, **more}
    return judged, scores, meta_evaluate(judged, scores, **options)


def test_recall_is_perfect_and_noise_is_not():
    judged, scores, result = evaluated()
    assert result.metrics == ("rouge1", "rouge1.precision", "rouge1.recall", "noise")
    recall = result.cell("rouge1.recall", "coverage")
    assert recall.value == pytest.approx(1)
    assert recall.best
    assert recall.interval.high == pytest.approx(1)
    truth = judged.human.pivot("coverage").matrix
    for metric in result.metrics:
        for level in ("system", "summary"):
            for method in ("pearson", "spearman", "kendall"):
                ours = scores.pivot(metric).matrix
                expected = metric_correlation(ours, truth, level=level, method=method).value
                found = result.cell(metric, "coverage", level, method).value
                assert found == pytest.approx(expected)
    assert result.cell("noise", "coverage", "summary").p_best == 0.01
    pair = next(
        one
        for one in result.differences
        if (one.first, one.second, one.level, one.method)
        == ("rouge1.recall", "noise", "summary", "pearson")
    )
    assert pair.p_bootstrap < 0.05
    assert pair.p_williams is None


def test_tables_mark_the_best_and_ties():
    *_, result = evaluated(columns=["rouge1.recall", "rouge1.f1"])
    text = result.to_markdown()
    assert "| rouge1.recall | **1.000** |" in text
    assert r"\textbf{1.000}" in result.to_latex()
    tied = result.cell("rouge1", "coverage", "system", "spearman")
    assert result.tied(tied) == ("†" in text.splitlines()[5])
    assert "(1.00–1.00)" in result.to_markdown(intervals=True)
    assert json.loads(json.dumps(result.to_dict()))["systems"] == 6


def test_a_row_for_each_correlation_and_bibtex_of_the_metrics():
    *_, result = evaluated()
    frame = result.to_dataframe()
    assert len(frame) == len(result.cells) == 6 * len(result.metrics)
    best = frame[(frame.level == "system") & (frame.method == "pearson") & frame.best]
    assert list(best.metric) == ["rouge1.recall"]
    assert "@inproceedings{lin-2004-rouge," in replace(result, signatures=("ROUGE|v:1",)).cite()


def test_the_heat_map_is_a_file(tmp_path):
    pytest.importorskip("matplotlib")
    *_, result = evaluated(permutations=0)
    result.heat_map(tmp_path / "map.svg", level="summary", method="kendall")
    text = (tmp_path / "map.svg").read_text()
    assert text.index("rouge1.recall") < text.index("noise")  # the best first
    # One human column: all three correlations, the one asked for first.
    assert text.index("Kendall's τ") < text.index("Pearson's r") < text.index("Spearman's ρ")


def test_unknown_columns():
    with pytest.raises(InputError, match="unknown human column 'focus'"):
        evaluated(human=["focus"])
    with pytest.raises(InputError, match="unknown metric 'rouge9'"):
        evaluated(columns=["rouge9"])


class Sources(Metric[Score, Corpus]):
    """Counts the narratives that it was given."""

    name = "sources"
    columns = ("number",)
    against = "narratives"

    def score(self, prediction, references):
        return Score({"number": len(references)}, self.signature(prediction, references))


def test_a_metric_against_narratives():
    scores, _ = score_judged(judged_set(), [Sources()])
    assert {row.value for row in scores} == {1}
    judged = judged_set()
    bare = {id_: Event(id_, (), event.references) for id_, event in judged.events.items()}
    with pytest.raises(InputError, match="no event has narratives, for sources"):
        score_judged(JudgedSet("x", bare, judged.outputs, judged.human), [Sources()])


def test_the_command(tmp_path, capsys):
    judged_set().write(tmp_path / "dams")
    few = ["--metric", "rouge", "--resamples", "20", "--permutations", "19"]
    out = tmp_path / "out"
    assert run(["benchmark", "meta", str(tmp_path / "dams"), *few, "-o", str(out)]) == 0
    assert "dams: 48 summaries" in capsys.readouterr().out
    names = {"meta.md", "meta.tex", "meta.json", "scores.jsonl", "events.jsonl", "human.jsonl"}
    assert names <= {path.name for path in out.iterdir()}
    scores = str(out / "scores.jsonl")
    again = ["--scores", scores, *few[2:], "--column", "rouge1.recall", "--json"]
    assert run(["benchmark", "meta", str(out), *again]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {cell["metric"] for cell in result["correlations"]} == {"rouge1.recall"}
    assert read_judged(out).summaries == 48


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("rouge.types", "--option must be METRIC.NAME=VALUE"),
        ('rouge.types=["rouge1","rougeX"]', "unknown ROUGE type 'rougeX'"),
        ("rouge.stems=true", "unknown option of rouge 'stems'"),
    ],
)
def test_options_of_a_metric(tmp_path, capsys, option, complaint):
    judged_set().write(tmp_path)
    assert run(["benchmark", "meta", str(tmp_path), "--metric", "rouge", "--option", option]) == 2
    assert complaint in capsys.readouterr().err
