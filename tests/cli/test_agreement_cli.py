"""`commonground agreement`: tables, JSON, and one line where something is wrong."""

import json

import pytest

from commonground.cli import run

LABELS = """annotator,id,system,side,reference,sentence,label,text
L1,bridge,lead,precision,,1,P,The bridge was closed on Friday.
L1,bridge,lead,precision,,2,A,The mayor likes tea.
L1,bridge,lead,recall,1,1,P,On Friday the bridge was closed.
L2,bridge,lead,precision,,1,P,The bridge was closed on Friday.
L2,bridge,lead,precision,,2,PP,The mayor likes tea.
L2,bridge,lead,recall,1,1,P,On Friday the bridge was closed.
"""
SYSTEMS = {"good": 3.0, "fair": 2.0, "poor": 1.0}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    rows = ["id,system,metric,value,reference"]
    for topic in range(10):
        for system, worth in SYSTEMS.items():
            gold = worth + topic / 10 + (topic * len(system)) % 3 / 20
            rows.append(f"t{topic},{system},human,{gold},")
            rows.append(f"t{topic},{system},rouge1,{gold / 5 + (topic % 4) / 50},")
            rows.append(f"t{topic},{system},noise,{(topic * 7 + len(system) * 5) % 11},")
            rows += [f"t{topic},{system},single,{gold * (topic % 3 + one)},{one}" for one in (1, 2)]
    (tmp_path / "scores.csv").write_text("\n".join(rows))
    return tmp_path


def told(capsys, *words):
    assert run(["agreement", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def printed(capsys, *words):
    assert run(["agreement", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_labels(folder, capsys):
    found = told(capsys, "labels", folder / "labels.csv")
    assert found["protocol"] == "sentence labels"
    precision, recall = found["agreement"]
    assert precision["pairs"][0]["reward"] == {"mean": 0.5, "sd": None, "n": 1}
    assert recall["pairs"][0]["tau"]["note"] == "fewer than two pairs"
    assert found["scores"][0] == {
        "annotator": "L1",
        "id": "bridge",
        "system": "lead",
        "precision": 0.5,
        "recall": 1.0,
        "f1": pytest.approx(2 / 3),
    }
    text = printed(capsys, "labels", folder / "labels.csv")
    assert "Agreement on precision" in text and "L1 – L2" in text


def test_labels_become_scores(folder, capsys):
    out = folder / "human.jsonl"
    told(capsys, "labels", folder / "labels.csv", "--scores", out)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["metric"]: row["value"] for row in rows}["human-precision"] == 0.625


def test_one_annotator_is_told_and_the_scores_stay(folder, capsys):
    path = folder / "one.csv"
    path.write_text("".join(line for line in LABELS.splitlines(True) if not line.startswith("L2")))
    assert run(["agreement", "labels", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.startswith(
        "All labels are by 'L1', and agreement needs two annotators; "
        "the table has the scores of these labels alone.\n\n"
    )
    assert "Scores from the labels" in shown.out


def test_overlaps_become_references(folder, capsys):
    path, out = folder / "overlaps.csv", folder / "data.jsonl"
    path.write_text("annotator,id,text\nI1,a,One two.\nI2,a,\n")
    found = told(capsys, "labels", path, "--references", out)
    assert found["annotators"][1] == {
        "annotator": "I2",
        "events": 1,
        "without overlap": 1,
        "words": None,
    }
    assert json.loads(out.read_text())["references"] == ["One two.", ""]


def test_machine(folder, capsys):
    found = told(capsys, "machine", folder / "labels.csv", "--thresholds", "35-65")["machine"]
    assert [one["side"] for one in found] == ["precision", "recall"]
    assert found[0]["reward"]["L1"]["mean"] == 1
    assert "35-65" in printed(capsys, "machine", folder / "labels.csv")


def test_references_from_scores(folder, capsys):
    (found,) = told(capsys, "references", folder / "scores.csv")["references"]
    assert found["metric"] == "single"
    assert set(found["pairs"][0]["systems"]) == set(SYSTEMS)
    assert "1 – 2" in printed(capsys, "references", folder / "scores.csv")


def test_references_computed(folder, capsys):
    data, outputs = folder / "data.jsonl", folder / "outputs.jsonl"
    texts = ["Rain fell on the town.", "The town had snow.", "Fog lay over the fields."]
    events = [{"id": str(n), "references": [text, texts[0]]} for n, text in enumerate(texts)]
    data.write_text("\n".join(map(json.dumps, events)))
    rows = [{"id": str(n), "summary": "Rain fell."} for n in range(3)]
    outputs.write_text("\n".join(map(json.dumps, rows)))
    found = told(
        capsys, "references", "--predictions", outputs, "--references", data, "--metric", "rouge1"
    )
    assert [one["metric"] for one in found["references"]] == ["rouge1"]
    assert found["references"][0]["pairs"][0]["mean"] is None  # the second reference is constant


def test_correlation(folder, capsys):
    words = ("correlation", folder / "scores.csv", "--gold", "human", "--metric", "rouge1")
    found = told(capsys, *words, "--resamples", 20)
    levels = [(one["level"], one["method"]) for one in found["correlations"]]
    assert levels == [
        (level, method)
        for level in ("system", "summary")
        for method in ("pearson", "spearman", "kendall")
    ]
    assert found["correlations"][0]["value"] > 0.99
    text = printed(capsys, *words, "--interval", "fisher", "--level", "pooled")
    assert "Correlation with human" in text


def test_systems(folder, capsys):
    words = ("systems", folder / "scores.csv", "--metric", "rouge1", "--metric", "noise")
    found = told(capsys, *words, "--gold", "human", "--draws", 10, "--topics", 8)
    assert [one["outcome"] for one in found["pairs"]["human"]] == [-1, 1, 1]
    rouge, noise = found["accuracy"]
    assert (rouge["on_all"], rouge["mean"], rouge["delta"]) == (1, 1, 0)
    assert noise["on_all"] < 1
    text = printed(capsys, *words, "--gold", "human", "--draws", 3)
    assert "3 samples of 9 of 10 topics" in text
    text = printed(capsys, "systems", folder / "scores.csv")
    assert "noise: systems" in text and "single" not in text and "accuracy" not in text


def test_compare(folder, capsys):
    path = folder / "scores.csv"
    two = told(capsys, "compare", path, "--metric", "human", "--first", "good", "--second", "fair")
    assert two["difference"] == pytest.approx(0.995, abs=0.1)
    assert two["p_wilcoxon"] == pytest.approx(2 / 2**10)
    words = ("compare", path, "--gold", "human", "--first", "rouge1", "--second", "noise")
    found = told(capsys, *words, "--resamples", 30, "--level", "pooled")
    assert found["first"] > found["second"]
    assert "p permutation" in printed(capsys, *words, "--resamples", 30, "--level", "pooled")


def test_grid(folder, capsys):
    data, outputs, scores = folder / "d.jsonl", folder / "o.jsonl", folder / "gold.csv"
    references = ["The mill burned down. Nobody was hurt.", "A fire destroyed the mill."]
    data.write_text(json.dumps({"id": "mill", "references": references}))
    texts = {"a": "Fire destroyed the mill. Nobody was hurt.", "b": "The mill burned.", "c": "Tea."}
    rows = [{"id": "mill", "system": who, "summary": text} for who, text in texts.items()]
    outputs.write_text("\n".join(map(json.dumps, rows)))
    scores.write_text("id,system,metric,value\nmill,a,raw,3\nmill,b,raw,2\nmill,c,raw,0\n")
    words = ["grid", "--predictions", outputs, "--references", data, "--scores", scores]
    words += ["--gold", "raw", "--alphas", "10,20", "--betas", "1,2", "--percentiles", "50,60"]
    found = told(capsys, *words, "--output", folder / "points.jsonl")
    assert len(found["points"]) == 8 == len((folder / "points.jsonl").read_text().splitlines())
    assert found["contour"]["y"] == [50, 60]
    for wrong in ("nan", "1,inf", "1,x"):
        assert run(["agreement", *map(str, words), "--alphas", wrong]) == 2
        assert f"separated by commas, not '{wrong}'" in capsys.readouterr().err
    pytest.importorskip("matplotlib")
    assert "One-way ANOVA" in printed(capsys, *words, "--plot", folder / "contour.svg")
    assert "percentile" in (folder / "contour.svg").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["labels", "nothing.csv"], "nothing.csv: no such file"),
        (["labels", "labels.csv", "--references", "x.jsonl"], "only written overlaps"),
        (
            ["machine", "labels.csv", "--predictions", "x"],
            "give --predictions and --references together",
        ),
        (["machine", "labels.csv", "--splitter", "dots"], "unknown splitter 'dots'"),
        (["references"], "give score files, or --predictions and --references together"),
        (["references", "scores.csv", "--metric", "human"], "against 0 single references"),
        (["correlation", "scores.csv", "--gold", "humans"], "did you mean 'human'?"),
        (["correlation", "scores.csv", "--gold", "human", "--interval", "x"], "unknown interval"),
        (["correlation", "scores.csv", "--gold", "human", "--level", "x"], "unknown level 'x'"),
        (["systems", "scores.csv", "--metric", "rouge"], "did you mean 'rouge1'?"),
        (["systems", "scores.csv", "--metric", "human", "--correction", "hulm"], "'holm'"),
        (["compare", "scores.csv", "--first", "a", "--second", "b"], "give --metric to compare"),
    ],
)
def test_what_is_wrong_is_one_line(folder, monkeypatch, capsys, words, complaint):
    monkeypatch.chdir(folder)
    assert run(["agreement", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert complaint in shown.err and shown.err.count("\n") == 1


def test_alone_it_shows_its_commands(capsys):
    run(["agreement"])
    text = capsys.readouterr().out
    for name in ("labels", "machine", "references", "correlation", "systems", "compare", "grid"):
        assert name in text


def test_one_rater_is_told_how_to_get_the_scores(folder, capsys):
    path = folder / "one.csv"
    path.write_text("annotator,id,system,score\nL1,a,x,4\n")
    assert run(["agreement", "labels", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out == (
        "All labels are by 'L1', and agreement needs two annotators; "
        "--scores FILE writes the ratings as scores.\n"
    )
