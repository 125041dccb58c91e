"""Annotate as its owner and its annotators use it, by the requests that the pages send."""

import base64
import json
import re
import threading
from csv import DictReader
from pathlib import Path

import pytest

from annotate_study import EVENTS, OUTPUTS, ask, ended, invite, label, lines, make
from commonground.annotate import store_project
from commonground.cli import run
from commonground.web.tasks import TASKS, Task
from commonground.web.tasks.projects import project as prepared
from web_browser import Browser

ROOT = Path(__file__).parents[2]


@pytest.fixture
def owner(working):
    """At a server that works, since projects are made by workers."""
    return working


@pytest.fixture
def arrive(owner):
    """Comes in by an invitation with another browser, as an annotator does."""

    def come(link):
        browser = Browser(owner.app)
        assert "Start labelling" in browser.get(link).text
        answer = browser.post(link, data={"start": "yes"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/annotate/work/")
        where = browser.get("/annotate/work/").headers["location"]
        browser.visit(where)
        return browser

    return come


@pytest.fixture
def project(owner):
    return make(owner)


@pytest.fixture
def annotator(owner, project, arrive):
    return arrive(invite(owner, project, "L1"))


def test_the_first_visit_shows_a_worked_example_that_can_be_taken(client):
    page = client.get("/annotate").text
    assert "A worked example" in page
    assert page.count('class="unit"') == 7
    assert page.count("<caption>") == 2
    answer = client.post("/api/annotate/example")
    assert answer.status_code == 201
    shown = client.get(answer.json()["link"]).text
    assert shown.count("44 of 44 labels") == 3
    # The figures of the example are those of the project made from it.
    tables = re.compile("<figure>\n<table><caption>.*?</figure>", re.DOTALL)
    assert tables.findall(page) == tables.findall(shown) != []
    # It stays available, folded below the projects.
    again = client.get("/annotate").text
    assert '<details class="card example"' in again
    assert again.count('class="unit"') == 7


def test_a_project_is_made_labelled_and_exported(owner, project, arrive, tmp_path, capsys):
    for name, labels in {"L1": ["P", "A", "P"], "L2": ["P", "PP", "A"]}.items():
        annotator = arrive(invite(owner, project, name))
        for unit, value in zip(["precision/1", "precision/2", "recall/2/1"], labels, strict=True):
            assert label(annotator, 1, unit, value).json()["value"] == value
    page = owner.get(f"/annotate/projects/{project}").text
    assert page.count("3 of 7") == 2
    assert "L1 – L2" in page or "L1" in page
    assert "Reward: two equal labels give 1, P with PP gives .5, A with P or PP gives 0" in page
    for form in ("csv", "jsonl"):
        answer = owner.get(f"/annotate/projects/{project}/labels.{form}")
        assert f'filename="labels-{project}.{form}"' in answer.headers["content-disposition"]
        path = tmp_path / f"labels.{form}"
        path.write_bytes(answer.content)
        assert run(["agreement", "labels", str(path), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["annotators"] == ["L1", "L2"]
        assert [one["pairs"][0]["reward"]["mean"] for one in found["agreement"]] == [0.5, 0.0]


@pytest.mark.parametrize(
    ("protocol", "unit", "value", "shown", "hidden", "units"),
    [
        ("sentences", "precision/1", "PP", "All are safe.", "sandbank", 7),
        ("score", "score", "10", "sandbank", "All are safe.", 2),
        ("precision-recall", "recall", "4", "sandbank", "All are safe.", 4),
        ("overlap", "text", "A ferry ran aground.", "sandbank", "captain", 2),
    ],
)
def test_each_protocol_shows_what_it_should_and_nothing_else(
    owner, arrive, protocol, unit, value, shown, hidden, units
):
    made = make(owner, protocol, outputs=OUTPUTS if protocol != "overlap" else None)
    annotator = arrive(invite(owner, made, "L1"))
    assert label(annotator, 1, unit, value).status_code == 200
    page = annotator.get("/annotate/work/1").text
    assert shown in page
    assert hidden not in page
    assert "careful" not in page  # whose summary it is stays hidden from everybody
    assert value in page
    assert f"1 of {units} labels saved" in page


def test_undo_progress_and_resume_on_another_day(owner, project, arrive):
    link = invite(owner, project, "L1")
    annotator = arrive(link)
    units = ["precision/1", "precision/2", "recall/1/1", "recall/1/2", "recall/2/1"]
    for unit in units:
        saved = label(annotator, 1, unit, "P").json()
    assert saved["progress"] == {"labels": 5, "units": 7, "items": 2, "resume": 2}
    undone = annotator.post("/api/annotate/work/undo", json={"label": saved["undoable"]}).json()
    assert (undone["unit"], undone["value"], undone["progress"]["resume"]) == (units[-1], None, 1)
    label(annotator, 1, units[-1], "A")
    again = arrive(link)
    assert again.get("/annotate/work/").headers["location"] == "/annotate/work/2"
    for unit in ("precision/1", "recall/1/1"):
        label(again, 2, unit, "P")
    assert "All 7 labels are saved" in again.get("/annotate/work/").text


def test_a_repeated_save_is_one_and_two_tabs_keep_the_last(owner, annotator):
    first = label(annotator, 1, "precision/1", "P", "the-same-key")
    assert label(annotator, 1, "precision/1", "P", "the-same-key").json() == first.json()
    older = first.json()["undoable"]
    assert label(annotator, 1, "precision/1", "A", "other-tab").json()["value"] == "A"
    assert label(annotator, 1, "precision/1", "PP", "the-same-key").status_code == 409
    assert annotator.post("/api/annotate/work/undo", json={"label": older}).status_code == 409


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"events": [{"id": "ferry"}]}, "events.jsonl, line 1: "),
        ({"events": [*EVENTS, EVENTS[0]]}, "events.jsonl, line 3: duplicate id 'ferry'"),
        (
            {"outputs": [{"id": "storm", "summary": "Wind."}]},
            "outputs.jsonl, line 1: id 'storm' is not",
        ),
        ({"outputs": [{"id": "ferry"}]}, 'outputs.jsonl, line 1: "summary" is missing'),
        ({"outputs": None}, "needs outputs, and there are none"),
    ],
)
def test_what_makes_no_project_is_said_in_a_line(owner, change, words):
    before = _projects(owner)
    status = ended(owner, ask(owner, **change))
    assert status["state"] == "failed"
    assert words in status["error"]
    assert "/" not in status["error"]
    assert _projects(owner) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [({"protocol": "sentence"}, "did you mean 'sentences'"), ({"name": " "}, "name is empty")],
)
def test_what_needs_no_look_at_the_files_is_said_at_once(owner, change, words):
    answer = ask(owner, **change)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_project_that_is_cancelled_is_not_made(owner, monkeypatch):
    before = _projects(owner)
    with monkeypatch.context() as patched:
        patched.setitem(TASKS, "project", Task("web_jobs:wait", seconds=600))
        job = f"/api/jobs/{ask(owner).json()['job']}"
        while (status := owner.get(job).json())["message"] != "waiting":
            assert status["state"] in ("queued", "running")
    assert owner.delete(job).status_code == 204
    assert owner.get(job).json()["state"] == "cancelled"
    make(owner)  # the pool goes on, after whatever was left of the other
    assert _projects(owner) == before + 1


def test_a_project_that_is_being_stored_is_not_cancelled_any_more(owner, monkeypatch):
    before = _projects(owner)
    stored, go_on = threading.Event(), threading.Event()

    def store_and_wait(*given, **more):
        project = store_project(*given, **more)
        stored.set()
        assert go_on.wait(60)
        return project

    monkeypatch.setattr("commonground.web.pages.annotate.projects.store_project", store_and_wait)
    asked = ask(owner)
    job = f"/api/jobs/{asked.json()['job']}"
    assert stored.wait(60)
    late = owner.delete(job)
    assert (late.status_code, late.json()["error"].count("\n")) == (409, 0)
    assert "Too late to cancel" in late.json()["error"]
    go_on.set()
    assert ended(owner, asked)["state"] == "done"
    assert owner.delete(job).status_code == 409
    assert _projects(owner) == before + 1


def test_a_project_says_how_far_it_is():
    said = []
    many = [{**OUTPUTS[0], "system": f"system {number}"} for number in range(1_000)]
    files = {"data_set": lines(EVENTS), "outputs": lines(many)}
    packed = {name: base64.b64encode(text.encode()).decode() for name, text in files.items()}
    payload = {"protocol": "sentences", "names": {}, **packed}
    prepared(payload, lambda share, words: said.append((share, words)))
    shares, words = zip(*said, strict=True)
    assert list(shares) == sorted(shares)
    assert words[:3] == (
        *("Reading 1 of 2 events", "Reading 2 of 2 events"),
        "Reading 10 of 1,000 outputs",
    )
    assert words[-2:] == ("Preparing 1 of 1 events", "Storing the project")
    assert len(words) == 2 + 100 + 2  # not of each output


def test_a_project_that_the_server_has_no_time_for_is_refused_at_once(make_app):
    with Browser(make_app(queue=1)) as browser:
        browser.visit("/annotate")
        assert ask(browser).status_code == 202
        answer = ask(browser)
        assert answer.status_code == 503
        assert "The server is busy" in answer.json()["error"]


def _projects(owner):
    return owner.get("/annotate").text.count('href="/annotate/projects/')


def test_a_file_that_is_no_jsonl_is_said_without_any_path(owner):
    for content, words in [(b"\x89PNG\0", "passwd, line 1: is a"), (b"\xff\xfea", "UTF-16")]:
        files = {"data_set": ("../../../etc/passwd", content)}
        sent = {"name": "Any", "protocol": "overlap"}
        status = ended(owner, owner.post("/api/annotate/projects", data=sent, files=files))
        assert words in status["error"]
        assert "/" not in status["error"]


def test_the_figures_come_again_only_when_something_changed(owner, project, annotator):
    address = f"/annotate/projects/{project}/figures"
    first = owner.get(address)
    mark = first.headers["x-change-mark"]
    assert owner.get(address, params={"seen": mark}).status_code == 204
    label(annotator, 1, "precision/1", "P")
    second = owner.get(address, params={"seen": mark})
    assert second.status_code == 200
    assert "1 of 7" in second.text


def test_a_renewed_and_a_closed_link_let_nobody_in(owner, project, arrive):
    link = invite(owner, project, "L1")
    annotator = arrive(link)
    people = f"/api/annotate/projects/{project}/annotators"
    number = owner.post(f"{people}", json={"name": "L2"}).json()["annotator"] - 1
    newer = owner.post(f"{people}/{number}/link").json()["link"]
    assert label(annotator, 1, "precision/1", "P").status_code == 401
    assert annotator.get(link).status_code == 404
    again = arrive(newer)
    assert owner.delete(f"{people}/{number}/link").status_code == 204
    assert label(again, 1, "precision/1", "P").status_code == 401
    assert owner.post(people, json={"name": "L1"}).status_code == 409
    assert owner.delete(f"{people}/{number + 99}/link").status_code == 404


def test_a_deleted_project_is_gone_for_all(owner, project, annotator):
    assert owner.delete(f"/api/annotate/projects/{project}").status_code == 204
    assert owner.get(f"/annotate/projects/{project}").status_code == 404
    assert label(annotator, 1, "precision/1", "P").status_code == 401


def test_the_example_is_that_of_the_study(owner):
    study = ROOT / "examples" / "study"
    known = [json.loads(line) for line in (study / "events.jsonl").read_text().splitlines()]
    outputs = [json.loads(line) for line in (study / "outputs.jsonl").read_text().splitlines()]
    with (study / "labels" / "sentences.csv").open() as stream:
        given = {(*list(row.values())[:6], row["label"], row["text"]) for row in DictReader(stream)}
    folder = ROOT / "src" / "commonground" / "web" / "data"
    example = json.loads((folder / "annotate_example.json").read_text())
    assert all(event in known for event in example["events"])
    assert all(output in outputs for output in example["outputs"])
    for row in example["labels"]:
        where = [str(value or "") for value in list(row.values())[:6]]
        assert (*where, row["label"], row["text"]) in given


def test_the_api_is_described(owner):
    paths = owner.get("/api/openapi.json").json()["paths"]
    for path in ("projects", "example", "work/labels", "work/undo"):
        assert "post" in paths[f"/api/annotate/{path}"]


def test_data_that_holds_html_is_shown_as_text(owner, arrive):
    bad = "<script>alert(1)</script>"
    events = [
        {"id": bad, "narratives": [{"source": bad, "text": bad}], "references": [f"{bad} Yes."]}
    ]
    outputs = [{"id": bad, "system": bad, "summary": f"It rained. {bad}"}]
    for protocol in ("sentences", "score"):
        project = make(owner, protocol, events, outputs, name=bad)
        annotator = arrive(invite(owner, project, bad))
        pages = [
            owner.get("/annotate"),
            owner.get(f"/annotate/projects/{project}"),
            annotator.get("/annotate/work/1"),
        ]
        for page in pages:
            assert "<script>alert" not in page.text
            assert "&lt;script&gt;alert(1)" in page.text
