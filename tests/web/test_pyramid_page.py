"""The Pyramid page and its API: building, editing, grading, and what is taken away from it."""

import csv
import io
import json
import subprocess
import sys
import zipfile

import pytest
from fastapi.testclient import TestClient

from commonground.pyramid import Pyramid
from html_reader import Reader
from web_browser import Browser, csv_text

REFERENCES = [
    {"name": "first", "text": "It rained all day. The match was off."},
    {"name": "second", "text": "Rain fell all day long. Nobody went home."},
]


@pytest.fixture
def example(client):
    return client.get("/api/pyramid/example").json()


def graded(example, **changes):
    return {"pyramid": example["pyramid"], "scores": example["scores"] | changes}


def edit(client, pyramid, *edits):
    return client.post("/api/pyramid/edit", json={"pyramid": pyramid, "edits": edits})


def test_the_first_visit_shows_a_worked_example(client, example):
    page = client.get("/pyramid")
    assert page.status_code == 200
    assert "This is a worked example" in page.text
    assert "Lindholm was the first town of its size" in page.text
    assert [one["name"] for one in example["scores"]["students"]] == ["Anna", "Ben", "Carla"]
    assert example["now"] == example["pyramid"]


def test_the_example_is_what_the_pyramid_gives_now(working):
    # To renew it: the texts through `commonground.web.tasks.results`, as JSON.
    example = working.get("/api/pyramid/example").json()
    texts = example["pyramid"]["references"]
    fresh = Pyramid.build(texts)
    assert fresh.to_dict()["signature"] == example["pyramid"]["signature"]
    assert [unit.label for unit in fresh.units] == [
        unit["label"] for unit in example["pyramid"]["units"]
    ]
    sent = {"pyramid": example["pyramid"], "students": example["students"]}
    found = working.result("/api/pyramid/scores", json=sent)["result"]
    assert found["signature"] == example["scores"]["signature"]
    for one, before in zip(found["students"], example["scores"]["students"], strict=True):
        assert one["name"] == before["name"]
        assert one["raw"] == pytest.approx(before["raw"], abs=1e-3)


def test_a_pyramid_is_built(working):
    status = working.result("/api/pyramid", json={"references": REFERENCES})
    assert status["state"] == "done", status
    right = Pyramid.build([one["text"] for one in REFERENCES])
    assert Pyramid.from_dict(status["result"]["pyramid"]) == right
    assert status["result"]["notices"] == []


GERMAN = (
    "Der alte Leuchtturm wird im Herbst gestrichen. Die Gemeinde sammelt dafür Spenden, "
    "und zwei Maler aus dem Dorf haben ihre Hilfe angeboten."
)
NOTICE = "“%s” seems to be German. The models know only English. Do not rely on this result."


def test_texts_in_another_language_get_a_notice(working):
    references = [REFERENCES[0], {"name": "Turm", "text": GERMAN}]
    built = working.result("/api/pyramid", json={"references": references})["result"]
    assert [one["message"] for one in built["notices"]] == [NOTICE % "Turm"]
    students = [{"name": f"Student {number}", "text": f"{GERMAN} {number}"} for number in range(7)]
    sent = {"pyramid": built["pyramid"], "students": [*students, {**REFERENCES[1], "name": "Ann"}]}
    found = working.result("/api/pyramid/scores", json=sent)["result"]["notices"]
    assert [one["message"] for one in found] == [
        *(NOTICE % f"Student {number}" for number in range(5)),
        "2 more texts are like that.",
    ]


def test_scores_follow_an_edit(working):
    example = working.get("/api/pyramid/example").json()
    changed = edit(working, example["pyramid"], {"do": "reweigh", "unit": 1, "weight": 9}).json()
    sent = {"pyramid": changed, "students": example["students"][:1]}
    (anna,) = working.result("/api/pyramid/scores", json=sent)["result"]["students"]
    before = example["scores"]["students"][0]
    place = [unit["weight"] for unit in changed["units"]].index(9)
    gain = (9 - 4) * anna["matches"][place]["probability"]
    assert anna["raw"] == pytest.approx(before["raw"] + gain, abs=1e-3)


def test_an_empty_summary_has_scores_too(working):
    example = working.get("/api/pyramid/example").json()
    sent = {"pyramid": example["pyramid"], "students": [{"name": "Dora", "text": ""}]}
    (dora,) = working.result("/api/pyramid/scores", json=sent)["result"]["students"]
    assert (dora["raw"], dora["unit_count"], dora["sentences"]) == (0, 0, [])


def test_a_sentence_that_may_deny_a_unit_is_to_be_checked(working):
    example = working.get("/api/pyramid/example").json()
    label = example["pyramid"]["units"][0]["label"]
    students = [{"name": "Dora", "text": f"It is not true that {label}"}]
    found = working.result(
        "/api/pyramid/scores", json={"pyramid": example["pyramid"], "students": students}
    )["result"]
    assert found["students"][0]["matches"][0]["checks"][0]["kind"] == "negation"
    sent = {"pyramid": example["pyramid"], "scores": found}
    (sheet,) = working.post("/api/pyramid/sheets", json=sent).json()["sheets"]
    assert "Please check" in sheet
    rows = list(
        csv.DictReader(io.StringIO(csv_text(working.post("/api/pyramid/scores.csv", json=sent))))
    )
    assert int(rows[0]["units_to_check"]) >= 1


def test_the_command_line_reads_an_edited_pyramid(client, example, tmp_path):
    changes = [{"do": "merge", "units": [0, 3]}, {"do": "rename", "unit": 0, "label": "Lamps"}]
    answer = edit(client, example["pyramid"], *changes)
    file, student = tmp_path / "pyramid.json", tmp_path / "Anna.txt"
    file.write_text(answer.text, encoding="utf-8")
    student.write_text(example["students"][0]["text"], encoding="utf-8")
    command = [sys.executable, "-m", "commonground", "pyramid", "score", file, student, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert f"|edited:{answer.json()['signature']['edited']}|" in found["signature"]
    assert len(found["scores"][0]["matches"]) == len(example["pyramid"]["units"]) - 1


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"do": "merge", "units": [0, 99]}, 400, "There is no unit 99; the pyramid has 21"),
        ({"do": "merge", "units": [0]}, 422, "units: at least 2 needed"),
        ({"do": "split", "unit": 0, "contributors": [0, 1, 2, 3]}, 400, "not none and not all"),
        ({"do": "rename", "unit": 0, "label": "  "}, 400, "needs some words"),
        ({"do": "reweigh", "unit": 0, "weight": 0}, 422, "weight must be at least 1"),
        ({"do": "explode", "unit": 0}, 422, "does not match any of the expected tags"),
    ],
)
def test_a_change_that_cannot_be_made_is_said(client, example, change, status, words):
    answer = edit(client, example["pyramid"], change)
    assert answer.status_code == status
    assert words in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "sent", "words"),
    [
        ("", {"references": REFERENCES[:1]}, "References: at least 2 needed"),
        ("", {"references": REFERENCES * 6}, "References: at most 10 allowed"),
        ("", {"references": [*REFERENCES, {"name": "third", "text": "?"}]}, '"third" has no text'),
        ("/scores", {"students": []}, "Pyramid is missing"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(client, path, sent, words):
    answer = client.post(f"/api/pyramid{path}", json=sent)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_a_damaged_pyramid_is_refused(client, example):
    pyramid = example["pyramid"]
    pyramid["units"][0]["contributors"][0]["reference"] = 4
    answer = client.post(
        "/api/pyramid/scores", json={"pyramid": pyramid, "students": example["students"]}
    )
    assert answer.status_code == 400
    assert '"reference" must be from 0 to 3, not 4' in answer.json()["error"]


def test_a_table_for_a_spreadsheet(client, example):
    students = [
        one | {"name": name} for name, one in zip("=+a", example["scores"]["students"], strict=True)
    ]
    answer = client.post("/api/pyramid/scores.csv", json=graded(example, students=students))
    first, *rows = csv.reader(io.StringIO(csv_text(answer)))
    numbers = ["raw", "quality", "coverage", "comprehensive", "unit_count"]
    counts = ["units_stated", "units_to_check", "units_partly", "marks_by_people"]
    assert answer.content.startswith(b"\xef\xbb\xbfname,")
    assert first == ["name", *numbers, *counts, "grade", "comment"]
    # No name is taken for a formula.
    assert [row[0] for row in rows] == ["'=", "'+", "a"]
    assert [row[1] for row in rows] == [str(round(one["raw"], 4)) for one in students]
    assert rows[0][6] == str(sum(one["stated"] for one in students[0]["matches"]))


def test_a_sheet_for_each_student(client, example):
    answer = client.post("/api/pyramid/sheets", json=graded(example))
    sheets = answer.json()["sheets"]
    assert [Reader(sheet).inside("h1") for sheet in sheets] == [["Anna"], ["Ben"], ["Carla"]]
    assert "What it leaves out" in sheets[0]
    # The page's policy takes no style that stands in the text.
    assert not any("style" in attributes for _, attributes in Reader(sheets[0]).found)


def test_sheets_in_a_file_with_names_that_are_safe(client, example):
    names = ["../../etc/passwd", "index", "Anna B"]
    students = [
        one | {"name": n} for n, one in zip(names, example["scores"]["students"], strict=True)
    ]
    answer = client.post("/api/pyramid/sheets.zip", json=graded(example, students=students))
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == ["index.html", "etc-passwd.html", "index-2.html", "Anna-B.html"]
    assert "Anna B" in Reader(archive.read("Anna-B.html").decode()).inside("h1")
    links = [one["href"] for one in Reader(archive.read("index.html").decode()).named("a")]
    assert links == ["etc-passwd.html", "index-2.html", "Anna-B.html"]


def test_sheets_show_markup_as_text(client, example):
    nasty = "<script>alert(1)</script>"
    (anna, *_) = example["scores"]["students"]
    anna |= {"name": nasty, "text": nasty, "sentences": [[0, len(nasty)]]}
    anna["matches"] = [one | {"sentence": 0} for one in anna["matches"]]
    (sheet,) = client.post("/api/pyramid/sheets", json=graded(example, students=[anna])).json()[
        "sheets"
    ]
    assert "<script" not in sheet
    assert nasty in " ".join(words for _, words in Reader(sheet).words)


def test_a_class_that_another_pyramid_scored_is_refused(client, example):
    example["scores"]["students"][1]["matches"].pop()
    answer = client.post("/api/pyramid/sheets", json=graded(example))
    assert answer.status_code == 422
    assert "Ben was scored with another pyramid. Score again." in answer.json()["error"]


def test_a_place_outside_of_the_text_is_refused(client, example):
    example["scores"]["students"][0]["sentences"][0] = [0, 10_000]
    answer = client.post("/api/pyramid/sheets", json=graded(example))
    assert answer.status_code == 422
    assert "Anna: a sentence is outside the text" in answer.json()["error"]


def test_the_pyramid_as_a_page(client, example):
    answer = client.post("/api/pyramid/page", json=example["pyramid"])
    assert "4 points" in answer.text
    assert Reader(answer.text).named("polygon")


KEPT = ("pyramid", "edits", "names", "students", "scores")


def test_an_edited_pyramid_is_saved_with_its_changes(client, example):
    change = {"do": "rename", "unit": 0, "label": "Moths are back"}
    desk = {name: example[name] for name in KEPT} | {"edits": [change]}
    link = client.post("/api/saved", json={"kind": "pyramid", "data": desk}).json()["link"]
    again = client.get(f"{link}/data").json()
    assert again["edits"] == [change | {"by": "", "at": ""}]
    assert again["pyramid"] == example["pyramid"]
    assert again["now"] == edit(client, example["pyramid"], change).json()
    assert "Moths are back" in [unit["label"] for unit in again["now"]["units"]]
    assert f'data-source="{link}/data"' in client.get(link).text


def test_those_who_look_have_no_changes_made(client, example, monkeypatch):
    change = {"do": "rename", "unit": 0, "label": "Moths are back"}
    desk = {name: example[name] for name in KEPT} | {"edits": [change] * 500}
    link = client.post("/api/saved", json={"kind": "pyramid", "data": desk}).json()["link"]
    monkeypatch.delattr("commonground.web.pages.results.pyramid_edits.replay")
    assert client.get(link).status_code == 200
    again = client.get(f"{link}/data").json()
    assert "Moths are back" in [unit["label"] for unit in again["now"]["units"]]


def test_what_the_pyramid_is_now_cannot_be_made_up(client, example):
    desk = {name: example[name] for name in KEPT}
    made_up = example["now"] | {"references": ["Never said."]}
    sent = {"kind": "pyramid", "data": desk | {"now": made_up}}
    link = client.post("/api/saved", json=sent).json()["link"]
    assert client.get(f"{link}/data").json()["now"] == example["now"]


def test_who_is_checked_is_saved(client, example):
    desk = {key: value for key, value in example.items() if key != "now"}
    desk["checked"] = {"Anna": example["scores"]["students"][0]["hash"]}
    link = client.post("/api/saved", json={"kind": "pyramid", "data": desk}).json()["link"]
    assert client.get(f"{link}/data").json()["checked"] == desk["checked"]


def test_changes_that_do_not_fit_are_not_saved(client, example):
    change = {"do": "rename", "unit": 21, "label": "x"}
    desk = {name: example[name] for name in KEPT} | {"edits": [change]}
    answer = client.post("/api/saved", json={"kind": "pyramid", "data": desk})
    assert answer.status_code == 400
    assert "there is no unit 21" in answer.json()["error"]


def test_who_has_the_link_may_look_but_not_change(make_app, example):
    with Browser(make_app(password="a long password")) as owner:
        owner.visit("/login")
        owner.post("/login", data={"password": "a long password", "next": "/"})
        owner.visit("/pyramid")
        desk = {name: example[name] for name in KEPT}
        link = owner.post("/api/saved", json={"kind": "pyramid", "data": desk}).json()["link"]
        guest = TestClient(owner.app, base_url="http://localhost")
        page = guest.get(link).text
        assert "data-owner" not in page
        assert "<form" not in page
        assert guest.get(f"{link}/data").json()["now"] == example["now"]
        sent = {"pyramid": example["pyramid"], "edits": []}
        assert guest.post("/api/pyramid/edit", json=sent).status_code in (401, 403)
