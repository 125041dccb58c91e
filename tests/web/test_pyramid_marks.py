"""The Pyramid page's API for what a teacher decides: marks, comments, grades, words."""

import csv
import io
import json

import pytest

from commonground.pyramid import Corrections, Pyramid, text_hash
from web_browser import csv_text

WHO = {"by": "M. Weber", "at": "2026-03-02T10:15:00"}


@pytest.fixture
def example(client):
    return client.get("/api/pyramid/example").json()


def marks(client, example, *edits, **more):
    sent = {key: example[key] for key in ("pyramid", "scores")} | {"edits": edits} | more
    return client.post("/api/pyramid/marks", json=sent)


def label(example, index):
    return example["pyramid"]["units"][index]["label"]


def test_the_programs_scores_are_kept_where_nobody_decided(client, example):
    found = marks(client, example).json()
    for one, before in zip(found["students"], example["scores"]["students"], strict=True):
        assert one["raw"] == pytest.approx(before["raw"])
        assert one["quality"] == pytest.approx(before["quality"])
    assert found["signature"] == example["scores"]["signature"]


def test_points_follow_a_decision_without_the_model(client, example):
    anna = example["scores"]["students"][0]
    said = next(i for i, match in enumerate(anna["matches"]) if match["presence"] == "yes")
    unsaid = next(i for i, match in enumerate(anna["matches"]) if match["presence"] == "no")
    units = example["pyramid"]["units"]
    found = marks(
        client,
        example,
        {"do": "reject", "student": "Anna", "unit": label(example, said), **WHO},
        {"do": "point", "student": "Anna", "unit": unsaid, "sentence": 2, **WHO},
        {"do": "comment", "student": "Anna", "comment": "Good.", "text": anna["hash"], **WHO},
    ).json()
    after = found["students"][0]
    lost = units[said]["weight"] * anna["matches"][said]["probability"]
    assert after["raw"] == pytest.approx(anna["raw"] - lost + units[unsaid]["weight"])
    match = after["matches"][unsaid]
    assert (match["presence"], match["sentence"], match["by"]) == ("yes", 1, "M. Weber")
    assert after["comment"] == {"text": "Good.", **WHO}
    assert found["notes"] == []
    before, _, version = example["scores"]["signature"].rpartition("|")
    assert found["signature"].startswith(f"{before}|corrections:")
    assert found["signature"].endswith(f"|{version}")
    assert found["students"][1:] == marks(client, example).json()["students"][1:]
    # The program's marks are as they were: leaving the last edit out undoes it.
    assert marks(client, example).json()["students"][0]["raw"] == pytest.approx(anna["raw"])


def test_decisions_that_do_not_fit_are_noted(client, example):
    found = marks(
        client,
        example,
        {"do": "accept", "student": "Zoe", "unit": 0, **WHO},
        {"do": "reject", "student": "Anna", "unit": 0, "text": text_hash("Old."), **WHO},
    ).json()
    assert found["notes"] == [
        "Change 1 is not applied: the class has no student 'Zoe'.",
        "Change 2 is not applied: the text of 'Anna' has changed since.",
    ]


def test_grades_are_counted(client, example):
    scale = "mark,comprehensive\ngood,40\npoor,0\n"
    found = marks(client, example, grades=scale).json()
    shown = [round(100 * one["comprehensive"]) for one in found["students"]]
    assert [one["grade"] for one in found["students"]] == [
        "good" if share >= 40 else "poor" for share in shown
    ]
    assert sum(found["grades"].values()) == 3
    wrong = marks(client, example, grades="mark,points\ngood,5\n")
    assert wrong.status_code == 400
    assert "the lowest mark must start at 0" in wrong.json()["error"]


def test_sheets_and_table_have_the_decisions(client, example):
    edits = [
        {"do": "accept", "student": "Anna", "unit": 0, **WHO},
        {"do": "comment", "student": "Anna", "comment": "=Well done", **WHO},
    ]
    found = marks(client, example, *edits, grades="mark,points\npassed,0").json()
    sent = {"pyramid": example["pyramid"], "scores": found, "words": {"said": "You say"}}
    sheet = client.post("/api/pyramid/sheets", json=sent).json()["sheets"][0]
    assert "(decided by M. Weber)" in sheet
    assert "You say (" in sheet
    assert "Grade: <strong>passed</strong>" in sheet
    text = csv_text(client.post("/api/pyramid/scores.csv", json=sent))
    row = next(csv.DictReader(io.StringIO(text)))
    assert (row["marks_by_people"], row["grade"]) == ("1", "passed")
    assert row["comment"] == "'=Well done"
    wrong = client.post("/api/pyramid/sheets", json=sent | {"words": {"sad": "x"}})
    assert wrong.status_code == 400
    assert "unknown text 'sad'" in wrong.json()["error"]


def test_ideas_are_deleted_and_added(client, example):
    first = label(example, 0)
    edits = [{"do": "delete", "unit": first}, {"do": "add", "label": "Bats are back", "weight": 4}]
    sent = {"pyramid": example["pyramid"], "edits": edits}
    labels = [one["label"] for one in client.post("/api/pyramid/edit", json=sent).json()["units"]]
    assert first not in labels
    assert "Bats are back" in labels


def test_corrections_are_saved_for_the_command_line(client, example):
    edits = [
        {"do": "accept", "student": "Anna", "unit": 0, "text": "0" * 16, **WHO},
        {"do": "rename", "unit": 1, "label": "Lamps"},
    ]
    sent = {"pyramid": example["pyramid"], "edits": edits}
    log = Corrections.from_dict(client.post("/api/pyramid/corrections", json=sent).json())
    assert [change.do for change in log.changes] == ["accept", "rename"]
    assert (log.changes[0].by, log.changes[0].text) == ("M. Weber", "0" * 16)
    assert log.changes[1].at


def test_the_names_of_references_are_kept_in_the_file(client, example):
    named = example["pyramid"] | {"names": ["a", "b", "c", "d"]}
    answer = client.post("/api/pyramid/edit", json={"pyramid": named, "edits": []})
    assert answer.json()["names"] == ["a", "b", "c", "d"]
    assert Pyramid.from_dict(json.loads(answer.text)).names == ("a", "b", "c", "d")


def test_units_of_ones_own_are_opened(client):
    rubric = Pyramid.from_units(["It rained.", "All left."], [3, 1]).to_dict()
    answer = client.post("/api/pyramid/edit", json={"pyramid": rubric, "edits": []})
    assert [one["weight"] for one in answer.json()["units"]] == [3, 1]


def test_scores_of_another_pyramid_are_told(client, example):
    delete = {"do": "delete", "unit": 0, **WHO}
    answer = marks(client, example, delete)
    assert answer.status_code == 422
    assert answer.json()["error"] == "Anna was scored with another pyramid. Score again."


def test_a_pyramid_without_units_is_told(client, example):
    edits = [{"do": "delete", "unit": 0, **WHO} for _ in example["pyramid"]["units"]]
    answer = client.post("/api/pyramid/edit", json={"pyramid": example["pyramid"], "edits": edits})
    assert answer.status_code in (400, 422)
    assert "\n" not in answer.json()["error"]
