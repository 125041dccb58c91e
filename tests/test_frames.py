"""Data frames of pandas and polars, in and out."""

import math
from dataclasses import replace

import pandas as pd
import pytest

import commonground as cg
from commonground.agreement import Scores, annotator_agreement, read_labels
from commonground.frames import to_frame
from commonground.metrics import Rouge

ROWS = [("ferry", "lead", "rouge1", 0.5), ("storm", "lead", "rouge1", 0.25)]


def frames():
    """A function that makes a frame from columns, for each library that is installed."""
    return pytest.mark.parametrize("library", ["pandas", "polars"])


def made(library, columns):
    return getattr(pytest.importorskip(library), "DataFrame")(columns)  # noqa: B009


@frames()
def test_scores_come_back_as_they_went(library):
    pytest.importorskip(library)
    frame = Scores.of(ROWS).to_dataframe(library)
    assert list(frame.columns) == ["id", "system", "metric", "value"]
    assert Scores.from_dataframe(frame) == Scores.of(ROWS)


@frames()
def test_scores_of_single_references_come_back(library):
    pytest.importorskip(library)
    scores = Scores.of([("ferry", "lead", "rouge1", 0.5, "A"), ("ferry", "lead", "rouge1", 0.1)])
    assert Scores.from_dataframe(scores.to_dataframe(library)) == scores


@frames()
def test_a_wide_table_has_a_column_for_each_metric(library):
    columns = {"event": ["ferry", "storm"], "rouge1": [0.5, None], "human": [4, 2]}
    scores = Scores.from_dataframe(made(library, columns), id="event", metrics=["rouge1", "human"])
    assert scores.metrics == ("rouge1", "human")
    assert {(row.id, row.metric, row.value) for row in scores} == {
        ("ferry", "rouge1", 0.5),
        ("ferry", "human", 4.0),
        ("storm", "human", 2.0),
    }


@frames()
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["ferry"], "metric": ["rouge1"]}, "df has no column 'value'; it has id, metric"),
        ({"id": ["a"], "metric": ["m"], "value": ["high"]}, "'value' must be a number, not 'high'"),
        ({"id": ["a"], "metric": ["m"], "value": [None]}, "df has no scores"),
        ({"id": ["a", "a"], "metric": ["m", "m"], "value": [1, 2]}, "two scores for id 'a'"),
        ({"id": ["a", None], "metric": ["m", "m"], "value": [1, 2]}, "row 1 of df has no 'id'"),
    ],
)
def test_wrong_frames_get_one_line(library, columns, message):
    with pytest.raises(cg.InputError, match=message):
        Scores.from_dataframe(made(library, columns))


@pytest.mark.parametrize("wrong", [None, 3, "scores.csv", [1, 2], {"id": ["a"]}, pd.Series([1])])
def test_what_is_no_frame_gets_one_line(wrong):
    with pytest.raises(cg.InputError, match="df must be a DataFrame of pandas or polars, got "):
        Scores.from_dataframe(wrong)


def test_unknown_libraries_are_named():
    with pytest.raises(cg.InputError, match="did you mean 'polars'"):
        to_frame([], "polar")


@frames()
def test_a_corpus_has_a_row_for_each_item(library):
    pytest.importorskip(library)
    corpus = Rouge(types=["rouge1"]).corpus(["the cat sat", "rain"], [["the cat"], ["sun"]])
    frame = corpus.to_dataframe(["cat", "rain"], library=library)
    assert list(frame["rouge1.f1"]) == [0.8, 0.0]
    assert list(frame.index if library == "pandas" else frame["id"]) == ["cat", "rain"]
    with pytest.raises(cg.InputError, match="1 ids do not fit 2 items"):
        corpus.to_dataframe(["cat"])


@frames()
def test_results_have_a_row_for_each_part(library):
    pytest.importorskip(library)
    left = "The ferry ran aground on Saturday. All 212 people were brought ashore. Crew praised."
    right = "On Saturday the ferry ran aground. All 230 people were brought ashore."
    overlap = cg.overlap([left, right])
    frame = overlap.to_dataframe(library)
    kinds = list(frame["kind"])
    assert kinds.count("shared") == len(overlap.statements) >= 1
    assert kinds.count("unique") == len(overlap.unique)
    assert [value for value in frame["value"] if isinstance(value, str)] == ["212", "230"]
    verified = cg.verify("The ferry ran aground. The captain resigned.", [left]).to_dataframe(
        library
    )
    assert list(verified["supported"]) == [True, False]
    semantic = cg.sem_f1("Rain fell.", ["It rained.", "It rained all day. We left."])
    rows = semantic.to_dataframe(library)
    assert [
        None if value is None or math.isnan(value) else int(value) for value in rows["reference"]
    ] == [None, 0, 1, 1]
    rouge = cg.rouge("rain", ["rain"], types=["rouge1", "rougeL"]).to_dataframe(library)
    assert list(rouge["type"]) == ["rouge1", "rougeL"]
    pyramid = cg.Pyramid.build(["It rained. The match was off.", "Rain fell all day."])
    assert list(pyramid.to_dataframe(library)["weight"]) == [unit.weight for unit in pyramid.units]
    score = pyramid.score("There was rain.").to_dataframe(library)
    assert list(score["label"]) == [unit.label for unit in pyramid.units]


def test_agreement_has_a_row_for_each_pair(tmp_path):
    path = tmp_path / "labels.csv"
    rows = [
        f"{who},{place},careful,{value}" for place in "abc" for who, value in (("L1", 9), ("L2", 8))
    ]
    path.write_text("annotator,id,system,score\n" + "\n".join(rows), "utf-8")
    (agreement, *_) = annotator_agreement(read_labels(path))
    frame = agreement.to_dataframe()
    assert list(zip(frame["first"], frame["second"], frame["items"], strict=True)) == [
        ("L1", "L2", 3)
    ]


def test_pyramids_that_are_compared_have_a_row_for_each_pair_and_unit():
    first = cg.Pyramid.build(["It rained.", "It rained. The match was off."])
    second = cg.Pyramid.build(["It rained.", "It rained. We sang songs."])
    found = cg.pyramid.compare(first, second)
    frame = found.to_dataframe()
    assert len(frame) == len(found.pairs) + len(found.only_auto) + len(found.only_manual)
    assert next(iter(frame["auto"])) == found.pairs[0].auto.label


def test_grids_and_tables_of_studies_become_frames():
    points = {
        cg.pyramid.GridPoint(10.0, 2.5, 80.0): 0.5,
        cg.pyramid.GridPoint(20.0, 2.5, 80.0): None,
    }
    frame = cg.agreement.GridStudy(points, ()).to_dataframe()
    assert next(iter(frame["value"])) == 0.5
    table = {"columns": ["system", "F1"], "rows": [["lead", 0.5]]}
    tables = cg.benchmark.Tables("Study", {"scores": table}, {})
    assert tables.to_dataframe("scores").to_dict("records") == [{"system": "lead", "F1": 0.5}]
    with pytest.raises(cg.InputError, match="unknown table 'scored'; did you mean 'scores'"):
        tables.to_dataframe("scored")


@frames()
def test_a_result_without_rows_keeps_its_columns(library):
    pytest.importorskip(library)
    empty = cg.verify("", ["It rained."]).to_dataframe(library)
    assert list(empty.columns)[:3] == ["text", "claim", "label"]
    assert len(empty) == 0
    nothing = replace(cg.overlap(["It rained.", "We sang."]), statements=(), unique=())
    assert list(nothing.to_dataframe(library).columns)[:2] == ["kind", "text"]


@frames()
def test_references_have_a_row_for_each_pair_and_system(library):
    pytest.importorskip(library)
    rows = [
        (str(item), "lead", "m", float(item * number), str(number))
        for item in range(4)
        for number in (1, 2)
    ]
    found = cg.agreement.reference_agreement(Scores.of(rows), "m").to_dataframe(library)
    assert list(found["system"]) == ["lead"]
    assert next(iter(found["value"])) == pytest.approx(1)


def test_a_wide_table_without_names_of_metrics_gets_a_hint():
    wide = made("pandas", {"id": ["a"], "system": ["x"], "rouge": [0.5]})
    with pytest.raises(cg.InputError, match=r"no column 'metric'; .* name them: metrics=\[...\]"):
        Scores.from_dataframe(wide)
