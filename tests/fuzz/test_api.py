"""Random bodies for every route of the server: no 500, and no answer without a line.

`make fuzz` runs this; a failure names the seed and the body.
"""

import json
import os
from random import Random

import pytest
from fastapi.testclient import TestClient

from commonground.annotate import invite, make_project
from commonground.io import Event, Narrative
from commonground.web import WebSettings, create_app
from fuzz_values import changed
from web_browser import Browser

BODIES = 3000
FORMS = ("/api/annotate/projects", "/api/text")


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    given = os.environ.get("COMMONGROUND_FUZZ_DATABASE")  # tests/system names one of PostgreSQL
    folder = tmp_path_factory.mktemp("fuzz")
    settings = WebSettings(data=folder, database=given, workers=0, queue=10**6, token=None)
    app = create_app(settings)
    with TestClient(app):
        yield app


@pytest.fixture
def owner(app):
    browser = Browser(app)
    browser.visit()
    return browser


@pytest.fixture
def annotator(app):
    """Somebody with a project to label, in which overlaps are written."""
    texts = (Narrative("a", "One text."), Narrative("b", "Another text."))
    project = make_project(app.state.database, "Study", "overlap", {"e": Event("e", texts, ())})
    token, _ = invite(app.state.database, project.id, "L1")
    browser = Browser(app)
    browser.get(f"/invite/{token}")
    browser.post(f"/invite/{token}")
    browser.visit("/annotate/work/1")
    return browser


def _text(name):
    return {"name": name, "text": "The dam broke on Monday. Nobody was hurt."}


@pytest.fixture
def documents(owner):
    """A right body for each route that takes one."""
    compared = owner.get("/api/compare/example").json()
    graded = owner.get("/api/pyramid/example").json()
    scored = owner.get("/api/score/example").json()
    student = graded["scores"]["students"][0]["name"]
    edits = [
        {"do": "reweigh", "unit": 0, "weight": 2, "by": "T", "at": "2026-01-05T10:00:00Z"},
        {"do": "rename", "unit": 1, "label": "It broke."},
        {"do": "merge", "units": [0, 1], "label": "Both"},
        {"do": "comment", "student": student, "comment": "Good."},
        {"do": "accept", "student": student, "unit": 0, "text": ""},
        {"do": "point", "student": student, "unit": 0, "sentence": 1},
        {"do": "add", "label": "New", "weight": 3},
    ]
    built = graded["pyramid"]
    edit = {"pyramid": built, "edits": edits[:3]}
    judged = {"pyramid": graded["now"], "scores": graded["scores"], "words": {}}
    work = "/api/annotate/work"
    label = {"item": 1, "unit": "text", "value": "Shared.", "key": "the-key-1"}
    bodies = {
        ("POST", "/api/annotate/projects/1/annotators"): {"name": "Ada"},
        ("POST", f"{work}/labels"): label,
        ("POST", f"{work}/undo"): {"label": 1},
        ("POST", "/api/compare"): {
            "narratives": [_text("a"), _text("b")],
            "at_least": 2,
            "max_sentences": 3,
        },
        ("POST", "/api/compare/page"): compared,
        ("POST", "/api/pyramid"): {"references": [_text("a"), _text("b")]},
        ("POST", "/api/pyramid/edit"): edit,
        ("POST", "/api/pyramid/corrections"): {**edit, "edits": edits},
        ("POST", "/api/pyramid/marks"): {
            "pyramid": built,
            "edits": edits[3:6],
            "scores": graded["judged"] or graded["scores"],
            "grades": "mark,points\nA,1\nB,0",
        },
        ("POST", "/api/pyramid/scores"): {"pyramid": built, "students": [_text("s")]},
        ("POST", "/api/pyramid/page"): built,
        ("POST", "/api/pyramid/sheets"): judged,
        ("POST", "/api/pyramid/sheets.zip"): judged,
        ("POST", "/api/pyramid/scores.csv"): judged,
        ("POST", "/api/score"): {"summary": _text("s"), "references": [_text("a")]},
    }
    mean = {"mean": 0.5, "low": 0.4, "high": 0.6}
    system = {"system": "a", "items": 2, "baseline": None, "signatures": ["SEM-F1"]}
    systems = {"name": "s.csv", "systems": [{**system, "scores": {"SEM-F1": mean}}]}
    for form in ("csv", "xlsx"):
        bodies["POST", f"/api/score/systems.{form}"] = systems
    results = (compared, graded, scored, systems)
    for kind, data in zip(("compare", "pyramid", "score", "systems"), results, strict=True):
        bodies["POST", f"/api/saved?{kind}"] = {"kind": kind, "data": data}
    return bodies


# Not every run has something to label or an invitation.
MISSING = (("/api/annotate/projects/1/annotators", 409), ("/api/annotate/work/undo", 404))
MISSING += (("/api/annotate/work/undo", 409),)


def _others(app, documents):
    """Routes that take JSON and have no document here: new ones are tried with any values."""
    for path, methods in app.openapi()["paths"].items():
        for method, about in methods.items():
            takes = "application/json" in about.get("requestBody", {}).get("content", {})
            filled = path.replace("{", "1").replace("}", "")
            if takes and not any(path == known.split("?")[0] for _, known in documents):
                yield method.upper(), filled


def _check(answer, sent):
    assert answer.status_code < 500, (answer.status_code, sent)
    if answer.status_code >= 400:
        assert "error" in answer.json(), sent
        line = answer.json()["error"]
        assert "\n" not in line, sent
        assert len(line) < 700, sent


@pytest.mark.parametrize("seed", range(4))
def test_bodies(app, owner, annotator, documents, seed):
    random = Random(seed)
    routes = list(documents)
    others = list(_others(app, documents))
    for number in range(BODIES // 4):
        route = random.choice(routes + others if number % 10 == 0 else routes)
        text = changed(documents.get(route, {"name": "x", "value": 1}), random)
        method, path = route[0], route[1].split("?")[0]
        headers = {"Content-Type": "application/json"}
        browser = annotator if "/work/" in path else owner
        answer = browser.request(method, path, content=text.encode(), headers=headers)
        _check(answer, (method, path, text[:3000]))
        if answer.status_code == 201 and path == "/api/saved":
            link = answer.json()["link"]
            for page in (link, f"{link}/data"):
                assert owner.get(page).status_code == 200, text[:3000]
    assert owner.get("/saved").status_code == 200


NAMES = ("a.txt", "a.jsonl", "a.html", "a.pdf", "a.docx", "..", "a\0.txt", "é" * 300 + ".txt", "")
CONTENTS = (b"", b"\0", b"{}", b"\xff\xfe", b"%PDF-1.7\n", b"PK\3\4", b"<!--" * 20, b"[" * 9999)


@pytest.mark.parametrize("path", FORMS)
def test_forms(owner, path):
    random = Random(path)
    for _ in range(150):
        files = {
            random.choice(("file", "data", "events", "outputs", "x")): (
                random.choice(NAMES), random.choice(CONTENTS), random.choice(("", "text/plain")),
            )
        }  # fmt: skip
        fields = {
            random.choice(("name", "title", "protocol")): random.choice(("", "x" * 5000, "overlap"))
        }
        _check(owner.post(path, files=files, data=fields), (files, fields))


PATHS = ("/saved/{}", "/saved/{}/data", "/invite/{}", "/api/jobs/{}", "/static/{}", "/{}")
PATHS += ("/annotate/projects/{}", "/annotate/projects/{}/labels.csv", "/api/annotate/projects/{}")
ODD_PARTS = ("0", "-1", "9" * 30, "%00", "..%2f..%2fetc", "%ff", "é", "a" * 3000, "1.5", "%0d%0aX")


def test_paths(owner):
    for path in PATHS:
        for part in ODD_PARTS:
            for method in ("GET", "HEAD", "DELETE", "POST", "PUT", "OPTIONS"):
                if path == "/static/{}" and method != "GET":
                    continue
                answer = owner.request(method, path.format(part))
                assert answer.status_code < 500, (method, path, part)
    for query in ("page=0", "page=x", "page=" + "9" * 40, "page=%ff", "after=" + "9" * 40):
        assert owner.get(f"/saved?{query}").status_code < 500


def test_the_documents_are_right(owner, annotator, documents):
    """Each document, unchanged, gets past validation, so that changes reach the code behind."""
    wrong = {}
    for (method, path), body in documents.items():
        browser = annotator if "/work/" in path else owner
        answer = browser.request(method, path.split("?")[0], json=body)
        if answer.status_code >= 400 and (path, answer.status_code) not in MISSING:
            wrong[path] = answer.text
    assert wrong == {}, json.dumps(wrong, indent=1)
