"""Judged sets: our layout, and files in the forms that their authors publish."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from commonground.benchmark.meta import read_judged
from commonground.errors import InputError


def rows(path, items):
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def pyramid_folder(folder):
    """Two inputs, two systems, in the layout of REALSumm and PyrXSum."""
    for name in ("summaries", "labels"):
        (folder / name).mkdir()
    files = {
        "ids.txt": "a1\nb2",
        "references.txt": "<t> The dam broke . </t> <t> Rain fell . </t>\n<t> A ferry sank . </t>",
        "SCUs.txt": "The dam broke\tRain fell\nA ferry sank",
        "summaries/one.summary": "The dam broke .\nA ferry sank .",
        "labels/one.label": "1\t0\n1",
        "summaries/two.summary": "It rained .\nA boat .",
        "labels/two.label": "0\t0\n0",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def human(judged):
    return {(row.id, row.system, row.metric): row.value for row in judged.human}


def test_units_present_in_a_summary(tmp_path):
    judged = read_judged(pyramid_folder(tmp_path))
    assert judged.events["a1"].references == ("The dam broke .\nRain fell .",)
    assert judged.outputs["two"] == {"a1": "It rained .", "b2": "A boat ."}
    assert human(judged)["a1", "one", "human-units"] == 0.5
    assert human(judged)["b2", "one", "human-units"] == 1
    assert judged.summaries == 4


def test_wrong_labels_are_named(tmp_path):
    folder = pyramid_folder(tmp_path)
    (folder / "labels" / "one.label").write_text("1\n1", "utf-8")
    with pytest.raises(InputError, match=r"one\.label, line 1: must have 2 labels of 0 or 1"):
        read_judged(folder)
    (folder / "ids.txt").write_text("a1", "utf-8")
    with pytest.raises(InputError, match=r"references\.txt: has 2 lines for 1 ids"):
        read_judged(folder)


def test_summeval(tmp_path):
    row = {
        "id": "dm-1",
        "model_id": "M1",
        "decoded": "the dam broke",
        "references": ["the dam broke at night", "at night"],
        "text": "An article.",
        "expert_annotations": [{"coherence": 2, "relevance": 5}, {"coherence": 3, "relevance": 4}],
        "turker_annotations": [{"coherence": 1}],
    }
    judged = read_judged(rows(tmp_path / "model_annotations.aligned.paired.jsonl", [row]))
    assert judged.title == "model_annotations.aligned.paired"
    assert len(judged.events["dm-1"].references) == 2
    assert judged.events["dm-1"].narratives[0].text == "An article."
    assert human(judged) == {
        ("dm-1", "M1", "expert.coherence"): 2.5,
        ("dm-1", "M1", "expert.relevance"): 4.5,
        ("dm-1", "M1", "turker.coherence"): 1,
    }


def test_rose(tmp_path):
    row = {
        "example_id": 7,
        "source": "An article.",
        "reference": "The dam broke.",
        "reference_acus": ["The dam broke."],
        "system_outputs": {"bart": "The dam broke.", "brio": "Rain."},
        "annotations": {
            "bart": {"acu_labels": [1], "acu": 1.0, "normalized_acu": 0.9},
            "brio": {"acu_labels": [0], "acu": 0.0, "normalized_acu": 0.0},
        },
    }
    judged = read_judged(rows(tmp_path / "cnndm_test.jsonl", [row]))
    assert judged.outputs["brio"] == {"7": "Rain."}
    assert human(judged)["7", "bart", "normalized_acu"] == 0.9
    assert set(judged.human.metrics) == {"acu", "normalized_acu"}


def test_published_rows_that_do_not_fit(tmp_path):
    row = {"reference": "r", "system_outputs": {"bart": "s"}, "annotations": [1]}
    with pytest.raises(InputError, match="line 1: does not have the published form"):
        read_judged(rows(tmp_path / "rose.jsonl", [row]))


def layout(folder):
    rows(folder / "events.jsonl", [{"id": "a", "references": ["x"]}, {"id": "b", "references": []}])
    rows(folder / "outputs.jsonl", [{"id": i, "system": "s", "summary": "x"} for i in "ab"])
    return folder


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("human.csv", "id,system,fluency,focus\na,s,1,2\nb,s,3,\n"),
        ("human.csv", "id,system,metric,value\na,s,fluency,1\nb,s,fluency,3\na,s,focus,2\n"),
    ],
)
def test_layout_with_wide_or_long_scores(tmp_path, name, text):
    (layout(tmp_path) / name).write_text(text, "utf-8")
    judged = read_judged(tmp_path)
    expected = {("a", "s", "fluency"): 1, ("b", "s", "fluency"): 3, ("a", "s", "focus"): 2}
    assert human(judged) == expected
    judged.write(tmp_path / "copy")
    copy = read_judged(tmp_path / "copy")
    assert (copy.events, copy.outputs) == (judged.events, judged.outputs)
    assert human(copy) == expected


def test_layout_as_csv_with_labels_of_an_annotation_project(tmp_path):
    (tmp_path / "events.csv").write_text(
        "id,reference1,reference2,narrative1\nferry,It sank.,A ferry sank.,Long ago.\n", "utf-8"
    )
    (tmp_path / "outputs.csv").write_text("id,system,summary\nferry,lead,It sank.\n", "utf-8")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "project.csv").write_text(
        "annotator,id,system,score\nL1,ferry,lead,8\nL2,ferry,lead,6\n", "utf-8"
    )
    judged = read_judged(tmp_path)
    assert judged.events["ferry"].references == ("It sank.", "A ferry sank.")
    assert judged.events["ferry"].narratives[0].text == "Long ago."
    assert human(judged) == {("ferry", "lead", "human-score"): 7}


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("human.csv", "id,system,focus\na,s,high\n", "\"focus\" must be a number, not 'high'"),
        ("human.csv", "id,system,focus\na,t,1\n", "system 't', id 'a', which has no summary"),
        ("outputs.jsonl", '{"id": "c", "system": "s", "summary": ""}', "id 'c' is not in the ev"),
        ("other.csv", "", "has no human scores"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, file, text, complaint):
    (layout(tmp_path) / file).write_text(text, "utf-8")
    with pytest.raises(InputError, match=complaint):
        read_judged(tmp_path)


def test_unknown_data(tmp_path):
    with pytest.raises(InputError, match="is none of the forms layout, pyramid, realsumm"):
        read_judged(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_judged(tmp_path / "nothing")


def scores_dict(path, systems, **more):
    """A pickle in the form of REALSumm's repository; NumPy numbers, as there."""
    document = {
        "doc_id": 52,
        "ref_summ": "<t> The dam broke . </t>  <t> Rain fell . </t>",
        "system_summaries": {
            name: {
                "system_summary": f"<t> {text} </t>",
                "scores": {"rouge_1_f_score": 0.5, "litepyramid_recall": np.float64(value)},
            }
            for name, (text, value) in systems.items()
        },
    }
    path.write_bytes(pickle.dumps({52: document, **more}, protocol=3))


@pytest.mark.parametrize("name", ["", "scores_dicts"])
def test_the_scores_dicts_of_realsumm(tmp_path, name):
    folder = tmp_path / "scores_dicts"
    folder.mkdir()
    scores_dict(folder / "abs.pkl", {"bart_out.txt": ("The dam broke .", 0.5)})
    scores_dict(folder / "ext.pkl", {"bart_out.txt": ("Rain fell .", 0.25)})
    judged = read_judged(tmp_path / name)
    assert judged.events["52"].references == ("The dam broke .\nRain fell .",)
    assert judged.outputs == {
        "abs_bart_out": {"52": "The dam broke ."},
        "ext_bart_out": {"52": "Rain fell ."},
    }
    assert human(judged) == {
        ("52", "abs_bart_out", "human-units"): 0.5,
        ("52", "ext_bart_out", "human-units"): 0.25,
    }
    assert read_judged(folder / "ext.pkl").summaries == 1


class Runs:
    """A pickle of it would create a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_a_pickle_that_names_code_is_refused_unread(tmp_path):
    scores_dict(tmp_path / "abs.pkl", {}, bad=Runs(tmp_path / "made"))
    with pytest.raises(InputError, match=r"abs\.pkl: is refused, because it names code"):
        read_judged(tmp_path)
    assert not (tmp_path / "made").exists()


def test_damaged_and_other_pickles(tmp_path):
    scores_dict(tmp_path / "abs.pkl", {"s.txt": ("x", 1)})
    whole = (tmp_path / "abs.pkl").read_bytes()
    (tmp_path / "abs.pkl").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="is damaged, or not a pickle"):
        read_judged(tmp_path)
    (tmp_path / "abs.pkl").write_bytes(pickle.dumps({1: {"other": 2}}))
    with pytest.raises(InputError, match="does not have the published form"):
        read_judged(tmp_path)
