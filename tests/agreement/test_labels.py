"""The three protocols as files, and scores from labels."""

import pytest

from commonground.agreement import (
    Overlaps,
    Ratings,
    Sample,
    SentenceLabels,
    human_scores,
    label_scores,
    read_labels,
)
from commonground.errors import InputError

SENTENCES = """annotator,id,system,side,reference,sentence,label,text
L1,ferry,lead,precision,,1,P,The ferry ran aground.
L1,ferry,lead,precision,,2,A,Nobody was surprised.
L1,ferry,lead,recall,1,1,P,A ferry ran aground.
L1,ferry,lead,recall,1,2,PP,All were taken off.
L1,ferry,lead,recall,2,1,A,Help came by noon.
L2,ferry,lead,precision,,1,PP,The ferry ran aground.
"""


def write(folder, text, name="labels.csv"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_one_score(tmp_path):
    found = read_labels(write(tmp_path, "annotator,id,score\nL1,a,8\nL2,a,6.5\nL2,b,\n"))
    assert isinstance(found, Ratings)
    assert found.values == {"score": {"L1": {Sample("a", ""): 8}, "L2": {Sample("a", ""): 6.5}}}
    (score,) = human_scores(found)
    assert (score.metric, score.value) == ("human-score", 7.25)


def test_two_scores_as_jsonl(tmp_path):
    text = '{"annotator": "L1", "id": "a", "system": "s", "precision": 8, "recall": null}'
    found = read_labels(write(tmp_path, text, "labels.jsonl"))
    assert found.values == {"precision": {"L1": {Sample("a", "s"): 8}}}


def test_sentence_labels(tmp_path):
    found = read_labels(write(tmp_path, SENTENCES))
    assert isinstance(found, SentenceLabels)
    assert found.annotators == ("L1", "L2")
    assert found.samples == (Sample("ferry", "lead"),)
    assert list(found.numbers("L1", "recall").values()) == [1, 0.5, 0]


def test_precision_recall_and_f1_by_hand(tmp_path):
    found = read_labels(write(tmp_path, SENTENCES))
    scores = label_scores(found)
    # Precision (1 + 0) / 2; recall ((1 + .5) / 2 + 0) / 2 = .375; F1 2 * .5 * .375 / .875 = 3/7.
    assert tuple(scores["L1"][Sample("ferry", "lead")]) == pytest.approx((0.5, 0.375, 3 / 7))
    assert scores["L2"] == {}  # only one side is labelled
    values = {one.metric: one.value for one in human_scores(found)}
    assert values["human-f1"] == pytest.approx(3 / 7)


def test_a_file_for_each_annotator(tmp_path):
    header, *lines = SENTENCES.splitlines()
    one = write(tmp_path, "\n".join([header, *lines[:5]]), "L1.csv")
    other = write(tmp_path, "\n".join([header, lines[5]]), "L2.csv")
    assert read_labels(one, other) == read_labels(write(tmp_path, SENTENCES))


def test_overlaps_become_references(tmp_path):
    text = 'annotator,id,text\nI2,a,"Two, in all."\nI1,b,\nI1,a,One.\n'
    found = read_labels(write(tmp_path, text))
    assert isinstance(found, Overlaps)
    assert found.to_rows() == [
        {"id": "a", "references": ["Two, in all.", "One."], "annotators": ["I2", "I1"]},
        {"id": "b", "references": [""], "annotators": ["I1"]},
    ]


HEAD = "annotator,id,side,reference,sentence,label\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("annotator,id,score\nL1,a,11\n", 'line 2: "score" must be from 1 to 10, not 11'),
        ("annotator,id,score\nL1,a,good\n", "line 2: \"score\" must be a number, not 'good'"),
        (
            "annotator,id,score\nL1,a,1\nL1,a,2\n",
            "line 3: the score by 'L1' for id 'a' is already in line 2",
        ),
        ("annotator,id,precision\nL1,a,1\n", 'line 2: "recall" is missing'),
        ("id,score\na,1\n", 'line 2: "annotator" is missing'),
        ("annotator,id\nL1,a\n", "line 2: has no labels"),
        ("annotator,id,score\nL1,a,\n", "every cell is blank"),
        (HEAD + "L1,a,precision,,1,X\n", "line 2: \"label\" must be P, PP or A, not 'X'"),
        (HEAD + "L1,a,precision,,1,\n", "every cell is blank"),
        (HEAD + "L1,a,both,,1,P\n", "line 2: \"side\" must be precision or recall, not 'both'"),
        (HEAD + "L1,a,precision,2,1,P\n", 'line 2: a "precision" label is against all references'),
        (HEAD + "L1,a,recall,,1,P\n", 'line 2: "reference" is blank'),
        (
            HEAD + "L1,a,recall,1,0,P\n",
            "line 2: \"sentence\" must be a whole number from 1 on, not '0'",
        ),
        (HEAD + "L1,a,recall,1,1.5,P\n", 'line 2: "sentence" must be a whole number'),
        (
            HEAD + "L1,a,recall,1,1,P\nL1,a,recall,1,1,A\n",
            "line 3: the label by 'L1' for sentence 1 of reference 1 (id 'a') is already",
        ),
        (
            SENTENCES + "L2,ferry,lead,precision,,2,A,Nobody cared.\n",
            "line 8: sentence 2 of the summary (id 'ferry', system 'lead') differs from",
        ),
        (
            "annotator,id,text\nI1,a,One.\nI1,a,Two.\n",
            "line 3: the overlap by 'I1' for id 'a' is already in line 2",
        ),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, text, complaint):
    with pytest.raises(InputError) as caught:
        read_labels(write(tmp_path, text))
    assert complaint in str(caught.value)


def test_protocols_are_not_mixed(tmp_path):
    one = write(tmp_path, SENTENCES)
    other = write(tmp_path, "annotator,id,score\nL1,a,1\n", "scores.csv")
    with pytest.raises(InputError, match=r"scores\.csv, line 2: has ratings, but other rows have"):
        read_labels(one, other)
