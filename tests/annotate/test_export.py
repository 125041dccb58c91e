"""Exports: what `commonground agreement` makes of them, and that the page shows the same."""

import csv
import json

import pytest

from commonground.agreement import SentenceLabels, labelled_texts, read_labels
from commonground.annotate import agreement_now, exported, invite, make_project, save, written_now
from commonground.cli import run
from commonground.errors import InputError
from commonground.io import Event, Narrative, Prediction


def _export(database, project, form, tmp_path):
    path = tmp_path / f"labels.{form}"
    path.write_text("".join(exported(database, project, form)), encoding="utf-8", newline="")
    return path


@pytest.fixture
def command(capsys):
    """`commonground agreement labels FILE --json`, as the terminal runs it."""

    def labels(path):
        assert run(["agreement", "labels", str(path), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return labels


def _label(database, annotator, position, labels):
    for unit, value in labels.items():
        save(
            database, annotator, position, unit, value, f"label-{position}-{unit}".replace("/", "-")
        )


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_command_reads_sentence_labels(
    database, project, first, second, form, tmp_path, command
):
    ferry = ["precision/1", "precision/2", "recall/1/1", "recall/1/2", "recall/2/1"]
    _label(database, first, 1, dict(zip(ferry, ["P", "A", "P", "PP", "A"], strict=True)))
    _label(database, second, 1, dict(zip(ferry, ["P", "PP", "P", "PP", "P"], strict=True)))
    read = command(_export(database, project.id, form, tmp_path))
    assert read["protocol"] == "sentence labels"
    assert read["annotators"] == ["L1", "L2"]
    assert read["agreement"] == json.loads(
        json.dumps([one.to_dict() for one in agreement_now(database, project.id)])
    )
    precision, recall = read["agreement"]
    assert precision["pairs"][0]["reward"]["mean"] == 0.5  # P/P 1, A/PP 0
    assert recall["pairs"][0]["reward"]["mean"] == pytest.approx(2 / 3)  # 1, 1, A/P 0
    (one, other) = read["scores"]
    assert (one["annotator"], one["system"], one["precision"]) == ("L1", "careful", 0.5)
    assert other["precision"] == 0.75


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("protocol", ["score", "precision-recall"])
def test_the_command_reads_ratings(database, events, outputs, protocol, form, tmp_path, command):
    project = make_project(database, "Rated", protocol, events, outputs)
    quantities = ["score"] if protocol == "score" else ["precision", "recall"]
    for name, scores in {"L1": (3, 5, 8), "L2": (2, 6, 9)}.items():
        annotator = invite(database, project.id, name)[1].id
        for position, score in enumerate(scores, start=1):
            _label(database, annotator, position, dict.fromkeys(quantities, str(score)))
    read = command(_export(database, project.id, form, tmp_path))
    assert read["protocol"] == "ratings"
    assert [one["quantity"] for one in read["agreement"]] == quantities
    assert [one["mean"]["tau"] for one in read["agreement"]] == [1.0] * len(quantities)
    shown = [one.to_dict() for one in agreement_now(database, project.id)]
    assert read["agreement"] == json.loads(json.dumps(shown))


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_command_reads_written_overlaps(database, events, form, tmp_path, command):
    project = make_project(database, "Written", "overlap", events)
    texts = ['The ferry, "Star",\nran aground.', "=1+1 über alles \u2028 end"]
    writer = invite(database, project.id, "I1")[1].id
    for position, text in enumerate(texts, start=1):
        save(database, writer, position, "text", text, f"text-{position}-x")
    other = invite(database, project.id, "I2")[1].id
    save(database, other, 1, "text", "", "text-empty")
    path = _export(database, project.id, form, tmp_path)
    assert command(path)["annotators"] == [
        {"annotator": "I1", "events": 2, "without overlap": 0, "words": 4.5},
        {"annotator": "I2", "events": 1, "without overlap": 1, "words": None},
    ]
    assert read_labels(path).texts == {
        "ferry": {"I1": texts[0], "I2": ""},
        "fair": {"I1": texts[1]},
    }
    assert written_now(database, project.id) == {"I1": [5, 4], "I2": [0]}
    assert agreement_now(database, project.id) == ()


@pytest.mark.parametrize("sign", ["\r", "\n", "\r\n", "\x0b", "\x85", "\u2028", '"', ",", "'"])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_sentence_with_any_sign_comes_back(database, sign, form, tmp_path):
    """A bare carriage return was written without quotes, and the file could not be read."""
    events = {"e": Event("e", (), ("Rain fell.",))}
    summary = f"It{sign}rained all day"
    project = make_project(
        database, "Signs", "sentences", events, [Prediction("e", summary, "s", 1)]
    )
    _label(database, invite(database, project.id, "L1")[1].id, 1, {"precision/1": "P"})
    labels = read_labels(_export(database, project.id, form, tmp_path))
    (texts,) = labelled_texts(labels).values()
    assert "".join(texts.summary).split() == summary.split()


NASTY = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1+1", "''-1", "'tis so", "\t=1"]


def test_no_spreadsheet_finds_a_formula_and_the_command_reads_what_was_meant(
    database, tmp_path, command
):
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    events = {one: Event(one, narratives, ()) for one in NASTY}
    project = make_project(database, "Nasty", "overlap", events)
    annotator = invite(database, project.id, '=HYPERLINK("x")')[1].id
    for position, text in enumerate(NASTY, start=1):
        save(database, annotator, position, "text", text, f"text-{position:04}")
    path = _export(database, project.id, "csv", tmp_path)
    with path.open(newline="", encoding="utf-8") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert command(path)["annotators"][0]["annotator"] == '=HYPERLINK("x")'
    read = read_labels(path).texts
    assert read == {one.strip(): {'=HYPERLINK("x")': one.strip()} for one in NASTY}
    assert read == read_labels(_export(database, project.id, "jsonl", tmp_path)).texts


def test_sentences_and_systems_that_look_like_formulas_are_agreed_on(database, tmp_path, command):
    events = {"-1": Event("-1", (), ("=A1 is a cell.",))}
    outputs = [Prediction("-1", "+1 is a vote.", "@home", 1)]
    project = make_project(database, "Nasty", "sentences", events, outputs)
    for name in ("=one", "+two"):
        annotator = invite(database, project.id, name)[1].id
        _label(database, annotator, 1, {"precision/1": "P", "recall/1/1": "A"})
    forms = [_export(database, project.id, form, tmp_path) for form in ("csv", "jsonl")]
    assert command(forms[0])["annotators"] == ["+two", "=one"]
    assert labelled_texts(read_labels(forms[0])) == labelled_texts(read_labels(forms[1]))


def test_a_half_labelled_item_keeps_all_its_sentences(database, project, first, tmp_path):
    _label(database, first, 1, {"precision/2": "A", "recall/2/1": "P"})
    labels = read_labels(_export(database, project.id, "csv", tmp_path))
    assert isinstance(labels, SentenceLabels)
    assert len(labels.values["L1"]) == 2
    (texts,) = labelled_texts(labels).values()
    assert texts.summary == ("The ferry ran aground.", "The captain wept.")
    assert texts.references == (("The ferry ran aground.", "Nobody was hurt."), ("All safe.",))


def test_agreement_waits_for_a_second_annotator(database, project, first, second):
    assert agreement_now(database, project.id) == ()
    _label(database, first, 1, {"precision/1": "P"})
    assert agreement_now(database, project.id) == ()
    _label(database, second, 2, {"precision/1": "P"})
    (precision,) = agreement_now(database, project.id)
    assert (precision.items, precision.complete, precision.mean("tau")) == (2, 0, None)


def test_half_a_pair_of_scores_is_exported_with_a_blank(database, events, outputs, tmp_path):
    project = make_project(database, "Rated", "precision-recall", events, outputs)
    annotator = invite(database, project.id, "L1")[1].id
    _label(database, annotator, 1, {"recall": "4"})
    path = _export(database, project.id, "csv", tmp_path)
    assert path.read_text() == (
        "annotator,id,system,precision,recall,flagged,comment\nL1,ferry,careful,,4,,\n"
    )
    assert list(read_labels(path).values) == ["recall"]


def test_an_export_of_many_items_comes_in_pieces_and_is_whole(database, tmp_path):
    narratives = (Narrative("One", "It rained."), Narrative("Two", "Rain fell."))
    events = {f"e{number}": Event(f"e{number}", narratives, ()) for number in range(450)}
    project = make_project(database, "Many", "overlap", events)
    annotator = invite(database, project.id, "I1")[1].id
    for position in (1, 200, 201, 400, 450):
        save(database, annotator, position, "text", "Rain. " * 3000, f"text-{position:04}")
    assert len(list(exported(database, project.id, "csv"))) > 1
    labels = read_labels(_export(database, project.id, "csv", tmp_path))
    assert list(labels.texts) == ["e0", "e199", "e200", "e399", "e449"]


def test_an_unknown_form_or_project_is_said_at_once(database, project):
    with pytest.raises(InputError, match="did you mean 'jsonl'"):
        exported(database, project.id, "json")
    with pytest.raises(InputError, match="no project 99"):
        exported(database, 99, "csv")
