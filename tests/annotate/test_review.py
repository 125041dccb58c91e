"""Review: who differs where, what was flagged, what is decided; all worked out by hand."""

import csv
import io
import json

import pytest

from commonground.agreement import label_scores, read_labels
from commonground.annotate import (
    NotFoundError,
    adjudicated_rows,
    change_mark,
    confusion_matrix,
    decide,
    exported,
    final_count,
    find_item,
    invite,
    label_rows,
    make_project,
    review_counts,
    review_item,
    review_positions,
    review_rows,
    save,
    save_remark,
    withdraw,
)
from commonground.cli import run
from commonground.errors import InputError

FERRY = ("precision/1", "precision/2", "recall/1/1", "recall/1/2", "recall/2/1")
LOOSE = ("precision/1", "recall/1/1", "recall/1/2", "recall/2/1")


def _label(database, annotator, position, units, values):
    for unit, value in zip(units, values, strict=True):
        key = f"{position}-{unit}".replace("/", "-")
        save(database, annotator, position, unit, value, f"label-{key}")


@pytest.fixture
def labelled(database, project, first, second):
    """Item 1 differs in 2 of 5 sentences, item 2 in 1 of 1 that both have, item 3 in none."""
    _label(database, first, 1, FERRY, ["P", "A", "P", "PP", "A"])
    _label(database, second, 1, FERRY, ["P", "PP", "P", "PP", "P"])
    _label(database, first, 2, LOOSE[:1], ["A"])
    _label(database, second, 2, LOOSE[:2], ["P", "P"])
    _label(database, first, 3, ["precision/1", "recall/1/1"], ["P", "P"])
    return project


def test_the_list_counts_what_differs_and_what_is_open(database, labelled, first, second):
    rows = review_rows(database, labelled.id)
    shown = [(row.position, row.units, row.shared, row.differ, row.spread) for row in rows]
    assert shown == [(1, 5, 5, 2, 2), (2, 4, 1, 1, 2), (3, 2, 0, 0, 0)]
    assert [(row.event, row.system) for row in rows] == [
        ("ferry", "careful"),
        ("ferry", "loose"),
        ("fair", "careful"),
    ]
    decide(database, labelled.id, 1, "precision/2", "PP", note="", by="owner")
    save_remark(database, second, 3, "precision/1", flagged=True, comment="Odd sentence.")
    counts = review_counts(database, labelled.id)
    assert (counts.items, counts.units, counts.shared, counts.differ) == (3, 11, 6, 3)
    assert (counts.undecided, counts.decided, counts.flagged, counts.comments) == (2, 1, 1, 1)


def test_the_list_is_filtered_and_sorted(database, labelled, first):
    save_remark(database, first, 3, "precision/1", flagged=True, comment="")
    for unit in ("precision/2", "recall/2/1"):
        decide(database, labelled.id, 1, unit, "P", note="", by="owner")

    def positions(show, sort="position"):
        return review_positions(database, labelled.id, show, sort)

    assert positions("all") == [1, 2, 3]
    assert positions("all", "disagreement") == [2, 1, 3]  # 1 of 1, 2 of 5, none
    assert positions("disagreeing") == [1, 2]
    assert positions("undecided") == [2]
    assert positions("flagged") == [3]
    (second_page,) = review_rows(database, labelled.id, "disagreeing", most=1, skip=1)
    assert second_page.position == 2


def test_a_decision_resolves_the_flags_of_its_unit_alone(database, labelled, first, second):
    for who, unit in ((first, "precision/1"), (second, "precision/1"), (second, "recall/1/1")):
        save_remark(database, who, 1, unit, flagged=True, comment="Odd.")
    assert review_counts(database, labelled.id).flagged == 3
    decide(database, labelled.id, 1, "precision/1", "P", note="", by="owner")
    counts = review_counts(database, labelled.id)
    assert (counts.flagged, counts.comments) == (1, 3)
    units = review_item(database, labelled.id, 1).units
    assert [unit.unit.key for unit in units if unit.has_open_flag] == ["recall/1/1"]
    decide(database, labelled.id, 1, "recall/1/1", "P", note="", by="owner")
    assert review_counts(database, labelled.id).flagged == 0
    assert review_positions(database, labelled.id, "flagged", "position") == []
    withdraw(database, labelled.id, 1, "recall/1/1")
    assert review_positions(database, labelled.id, "flagged", "position") == [1]


def test_ratings_are_sorted_by_how_far_they_lie_apart(database, events, outputs):
    project = make_project(database, "Rated", "score", events, outputs)
    for name, scores in {"L1": ("3", "5", "10"), "L2": ("4", "5", "2")}.items():
        annotator = invite(database, project.id, name)[1].id
        for position, score in enumerate(scores, start=1):
            save(database, annotator, position, "score", score, f"score-{position}-x")
    assert [row.spread for row in review_rows(database, project.id)] == [1, 0, 8]
    assert review_positions(database, project.id, "all", "disagreement") == [3, 1, 2]


def test_an_item_shows_everybodys_labels_and_remarks(database, labelled, first, second):
    save_remark(database, first, 1, "precision/2", flagged=True, comment=" He wept?\r\nNo. ")
    save_remark(database, second, 1, "precision/2", flagged=False, comment="")
    decide(database, labelled.id, 1, "precision/2", "A", note="Nobody says so.", by="Ada")
    item = review_item(database, labelled.id, 1)
    assert (item.event, item.system) == ("ferry", "careful")
    one, two, *_ = item.units
    assert (dict(one.labels), one.differs, one.agreed) == ({"L1": "P", "L2": "P"}, False, "P")
    assert (dict(two.labels), two.differs, two.agreed) == ({"L1": "A", "L2": "PP"}, True, None)
    assert dict(two.remarks) == {"L1": (True, "He wept?\nNo.")}
    assert (two.decision.value, two.decision.note, two.decision.by) == (
        *("A", "Nobody says so."),
        "Ada",
    )
    with pytest.raises(NotFoundError):
        review_item(database, labelled.id, 4)


def test_the_confusion_of_a_pair_and_of_all(database, labelled, first, second):
    of_pair = confusion_matrix(database, labelled.id, (first, second))
    # Rows are L1's P, PP, A; columns L2's. The six sentences that both labelled.
    assert of_pair.labels == ("P", "PP", "A")
    assert of_pair.counts == ((2, 0, 0), (0, 1, 0), (2, 1, 0))
    assert (of_pair.total, of_pair.agreeing) == (6, 3)
    assert confusion_matrix(database, labelled.id, (second, first)).counts == (
        *((2, 0, 2), (0, 1, 1)),
        (0, 0, 0),
    )
    assert confusion_matrix(database, labelled.id).counts == ((4, 0, 2), (0, 2, 1), (2, 1, 0))


def test_a_decision_can_be_changed_and_withdrawn(database, labelled):
    before = change_mark(database, labelled.id)
    decide(database, labelled.id, 1, "precision/2", "P", note="", by="Ada")
    decide(database, labelled.id, 1, "precision/2", "A", note="better", by="Bea")
    assert review_item(database, labelled.id, 1).units[1].decision.by == "Bea"
    assert review_counts(database, labelled.id).decided == 1
    assert change_mark(database, labelled.id) != before
    for _ in range(2):
        withdraw(database, labelled.id, 1, "precision/2")
    assert review_counts(database, labelled.id).decided == 0


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"value": "X"}, "P, PP or A"),
        ({"unit": "score"}, "no unit"),
        ({"position": 9}, "no item 9"),
        ({"note": "x" * 2_001}, "longer than 2,000"),
        ({"note": "nul \0"}, "invalid characters"),
    ],
)
def test_what_is_no_decision_is_refused(database, labelled, change, error):
    given = {"position": 1, "unit": "precision/2", "value": "P", "note": "", "by": "Ada"} | change
    with pytest.raises(InputError, match=error):
        decide(database, labelled.id, **given)
    assert review_counts(database, labelled.id).decided == 0


def test_remarks_are_saved_once_counted_and_bounded(database, labelled, first):
    for _ in range(2):
        save_remark(database, first, 1, "precision/1", flagged=True, comment="Why?")
    remark = find_item(database, first, 1).remarks["precision/1"]
    assert (remark.flagged, remark.comment) == (True, "Why?")
    save_remark(database, first, 1, "precision/1", flagged=False, comment="")
    assert dict(review_item(database, labelled.id, 1).units[0].remarks) == {}
    for comment, unit in (("x" * 2_001, "precision/1"), ("a", "precision/9"), ("\0", FERRY[0])):
        with pytest.raises(InputError):
            save_remark(database, first, 1, unit, flagged=True, comment=comment)


def test_remarks_reach_the_export(database, labelled, first, second, tmp_path):
    save_remark(database, first, 1, "precision/2", flagged=True, comment="=odd")
    save_remark(database, second, 3, "precision/1", flagged=False, comment="No label, but this.")
    rows = list(label_rows(database, labelled.id))
    said = [row for row in rows if row["flagged"] or row["comment"]]
    assert [(row["annotator"], row["sentence"], row["label"]) for row in said] == [
        ("L1", 2, "A"),
        ("L2", 1, None),
    ]
    assert [(row["flagged"], row["comment"]) for row in said] == [
        (True, "=odd"),
        (None, "No label, but this."),
    ]
    text = "".join(exported(database, labelled.id, "csv"))
    cells = [row["comment"] for row in csv.DictReader(io.StringIO(text))]
    assert "'=odd" in cells
    path = tmp_path / "labels.csv"
    path.write_text(text)
    assert read_labels(path).annotators == ("L1", "L2")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_adjudicated_export_is_a_label_file(database, labelled, form, tmp_path, capsys):
    decide(database, labelled.id, 1, "precision/2", "A", note="Nobody says so.", by="Ada")
    rows = list(adjudicated_rows(database, labelled.id))
    assert [(row["label"], row["decided_by"], row["note"]) for row in rows] == [
        ("P", "agreement", None),
        ("A", "Ada", "Nobody says so."),
        ("P", "agreement", None),
        ("PP", "agreement", None),
        (None, None, None),  # A or P: not decided
    ]
    path = tmp_path / f"adjudicated.{form}"
    chunks = exported(database, labelled.id, form, adjudicated=True)
    path.write_text("".join(chunks), encoding="utf-8", newline="")
    labels = read_labels(path)
    assert labels.annotators == ("adjudicated",)
    ((sample, scores),) = label_scores(labels)["adjudicated"].items()
    assert (sample.id, scores.precision, scores.recall) == ("ferry", 0.5, 0.75)
    assert run(["agreement", "labels", str(path), "--scores", str(tmp_path / "s.jsonl")]) == 0
    found = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[:2] == [
        "All labels are by 'adjudicated', and agreement needs two annotators; "
        "the table has the scores of these labels alone.",
        "1 of 5 sentences have no label and are left out.",
    ]
    assert final_count(database, labelled.id) == (4, 11, 2)
    assert {row["metric"] for row in found} == {
        *("human-precision", "human-recall"),
        "human-f1",
    }


def test_an_adjudicated_overlap_becomes_a_reference(database, events, tmp_path):
    project = make_project(database, "Written", "overlap", events)
    for name, text in (("I1", "A ferry ran aground."), ("I2", "It ran aground.")):
        annotator = invite(database, project.id, name)[1].id
        save(database, annotator, 1, "text", text, "the-text-1")
    save_remark(database, annotator, 2, "text", flagged=True, comment="Nothing shared?")
    assert len(list(label_rows(database, project.id))) == 2  # no text is not "no overlap"
    assert list(adjudicated_rows(database, project.id)) == []
    decide(database, project.id, 1, "text", "A ferry ran aground.", note="", by="Ada")
    (row,) = adjudicated_rows(database, project.id)
    assert (row["text"], row["decided_by"]) == ("A ferry ran aground.", "Ada")
    path = tmp_path / "final.jsonl"
    path.write_text("".join(exported(database, project.id, "jsonl", adjudicated=True)))
    target = tmp_path / "references.jsonl"
    assert run(["agreement", "labels", str(path), "--references", str(target)]) == 0
    assert json.loads(target.read_text())["references"] == ["A ferry ran aground."]


def test_two_ratings_share_a_row_and_its_remarks(database, events, outputs):
    project = make_project(database, "Rated", "precision-recall", events, outputs)
    annotator = invite(database, project.id, "L1")[1].id
    save_remark(database, annotator, 1, "precision", flagged=False, comment="Much.")
    save_remark(database, annotator, 1, "recall", flagged=True, comment="Little.")
    (row,) = label_rows(database, project.id)
    assert (row["precision"], row["flagged"], row["comment"]) == (None, True, "Much. / Little.")
