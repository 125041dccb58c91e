"""Scores of any metric, from files and from tuples."""

import json

import numpy as np
import pytest

from commonground.agreement import Scores, resolve
from commonground.errors import InputError


def write(folder, name, text):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


CSV = "id,system,metric,value\nferry,lead,rouge1,0.5\nstorm,lead,rouge1,0.25\nferry,best,rouge1,1\n"


def test_csv_and_jsonl_are_the_same(tmp_path):
    table = Scores.read(write(tmp_path, "scores.csv", CSV))
    lines = "\n".join(json.dumps(row) for row in table.to_rows())
    assert Scores.read(write(tmp_path, "scores.jsonl", lines)) == table
    assert table.metrics == ("rouge1",)


def test_pivot_is_sorted_and_has_gaps(tmp_path):
    systems, ids, matrix = Scores.read(write(tmp_path, "scores.csv", CSV)).pivot("rouge1")
    assert (systems, ids) == (("best", "lead"), ("ferry", "storm"))
    assert np.array_equal(matrix, [[1, np.nan], [0.5, 0.25]], equal_nan=True)


def test_the_order_of_rows_does_not_matter():
    rows = [("b", "y", "m", 1.0), ("a", "x", "m", 2.0), ("a", "y", "m", 3.0), ("b", "x", "m", 4.0)]
    one, other = Scores.of(rows).pivot("m"), Scores.of(rows[::-1]).pivot("m")
    assert one[:2] == other[:2]
    assert np.array_equal(one.matrix, other.matrix)


def test_per_item_files_are_scores(tmp_path):
    row = {
        "id": "ferry",
        "system": "lead",
        "sem-f1": {"f1": 0.7, "recall": 0.6, "labelled": {"f1": 0.9}, "signature": "SEM-F1"},
        "rouge": {"rouge1": {"f1": 0.4, "recall": 0.2}, "rougeL": {"f1": 0.3}, "signature": "R"},
        "support": {"share": 0.5, "clauses": [1], "signature": "S"},
    }
    found = Scores.read(write(tmp_path, "items.jsonl", json.dumps(row)))
    assert {one.metric: one.value for one in found} == {
        "sem-f1": 0.7,
        "sem-f1.recall": 0.6,
        "sem-f1.labelled.f1": 0.9,
        "rouge1": 0.4,
        "rouge1.recall": 0.2,
        "rougeL": 0.3,
        "support": 0.5,
    }
    assert found.others() == ("sem-f1", "rouge1", "rougeL", "support")


@pytest.mark.parametrize("asked", ["rouge1.recall", "rouge.rouge1.recall"])
def test_any_column_has_a_name(asked):
    found = Scores.of([("a", "x", "rouge1", 0.4), ("a", "x", "rouge1.recall", 0.2)])
    assert found.pivot(asked).matrix.tolist() == [[0.2]]
    assert found.resolve("rouge1.f1") == found.resolve("rouge.rouge1.f1") == "rouge1"
    with pytest.raises(InputError, match=r"unknown metric 'rouge1\.precision'"):
        found.pivot("rouge1.precision")


def test_scores_against_single_references_are_kept_apart(tmp_path):
    text = "id,system,metric,value,reference\na,s,m,1,1\na,s,m,2,2\na,s,m,3,\n"
    found = Scores.read(write(tmp_path, "s.csv", text))
    assert found.references("m") == ("1", "2")
    assert [found.pivot("m", which).matrix[0, 0] for which in ("1", "2", "")] == [1, 2, 3]


def test_a_blank_value_is_a_missing_score(tmp_path):
    assert len(Scores.read(write(tmp_path, "s.csv", CSV + "storm,best,rouge1,\n"))) == 3


def test_metrics_are_matched_on_what_both_have():
    scores = Scores.of(
        [
            *[("a", "x", "m", 1.0), ("a", "y", "m", 2.0), ("b", "x", "m", 3.0)],
            *[("a", "x", "n", 4.0), ("a", "y", "n", 5.0), ("c", "x", "n", 6.0)],
        ]
    )
    systems, ids, (first, second) = scores.matched("m", "n")
    assert (systems, ids) == (("x", "y"), ("a",))
    assert (first.tolist(), second.tolist()) == ([[1], [2]], [[4], [5]])
    with pytest.raises(InputError, match="m, n have no id in common"):
        Scores.of([("a", "x", "m", 1.0), ("b", "x", "n", 1.0)]).matched("m", "n")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("s.csv", CSV + "ferry,lead,rouge1,0.6\n", "metric 'rouge1' is already in line 2"),
        (
            "s.csv",
            "id,system,metric,value\na,s,m,high\n",
            "line 2: \"value\" must be a number, not 'high'",
        ),
        (
            "s.csv",
            "id,system,metric,value\na,s,m,nan\n",
            "line 2: \"value\" must be a number, not 'nan'",
        ),
        ("s.csv", "id,system,metric\na,s,m\n", 'line 2: "value" is missing'),
        ("s.csv", "id,system,value\na,s,1\n", 'line 2: "metric" is missing'),
        ("s.csv", "id,system,metric,value\n,s,m,1\n", 'line 2: "id" is blank'),
        ("s.csv", "id,system,metric,value\na,s,m,1,2\n", "line 2: has 5 cells for 4 columns"),
        ("s.csv", "id,id,metric,value\na,s,m,1\n", "line 1: column 'id' appears twice"),
        ("s.csv", 'id,system,metric,value\n"a,s,m,1\n', "is not CSV"),
        ("s.csv", "", "has no rows"),
        ("s.csv", "id,system,metric,value\na,s,m,\n", "has no scores"),
        (
            "s.jsonl",
            '{"id": "a", "metric": "m", "value": true}',
            '"value" must be a number, not True',
        ),
        (
            "s.jsonl",
            '{"id": "a", "metric": ["m"], "value": 1}',
            "\"metric\" must be a name, not ['m']",
        ),
        ("s.jsonl", "id,system", "line 1: is not JSON"),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_line(tmp_path, name, text, complaint):
    path = write(tmp_path, name, text)
    with pytest.raises(InputError) as caught:
        Scores.read(path)
    assert str(caught.value).startswith(f"{path}")
    assert complaint in str(caught.value)


def test_a_quoted_cell_may_run_over_lines(tmp_path):
    text = 'id,system,metric,value\n"a\nb",s,m,1\na,s,m,high\n'
    with pytest.raises(InputError, match="line 4"):
        Scores.read(write(tmp_path, "s.csv", text))


def test_scores_in_two_files_say_where_the_first_was(tmp_path):
    one, other = write(tmp_path, "a.csv", CSV), write(tmp_path, "b.csv", CSV)
    with pytest.raises(InputError, match=r"b\.csv, line 2: .*is already in .*a\.csv, line 2"):
        Scores.read(one, other)


def test_unknown_metrics_and_double_scores():
    scores = Scores.of([("a", "x", "rouge1", 1.0)])
    with pytest.raises(InputError, match="did you mean 'rouge1'"):
        scores.pivot("rouge")
    with pytest.raises(InputError, match="no scores against reference '1'"):
        scores.pivot("rouge1", "1")
    with pytest.raises(InputError, match="two scores for id 'a'"):
        scores + scores


def test_a_part_of_one_name_only_may_be_left_out():
    known = ["sem-f1.use", "sem-f1.use.recall", "pyramid.edua-g.raw", "pyramid.edua-c.quality"]
    assert resolve("sem-f1", known) == "sem-f1.use"
    assert resolve("sem-f1.f1", known) == "sem-f1.use"
    assert resolve("sem-f1.recall", known) == "sem-f1.use.recall"
    assert resolve("pyramid.raw", known) == "pyramid.edua-g.raw"
    with pytest.raises(InputError, match=r"'sem-f1' is ambiguous: sem-f1\.use, sem-f1\.sif"):
        resolve("sem-f1", ["sem-f1.use", "sem-f1.sif"])
    with pytest.raises(InputError, match="unknown metric 'pyramid'"):
        resolve("pyramid", known)
