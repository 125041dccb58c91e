"""Files that visitors save from a shared result, without a session and below its link."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from openpyxl import load_workbook

from commonground.web.pages.results import compare, pyramid, score
from commonground.web.security.password import RateLimit
from html_reader import Reader
from web_browser import Browser, csv_text

SYSTEMS = {
    "name": "towns.csv",
    "systems": [
        {
            "system": name,
            "items": 1,
            "scores": {"SEM-F1": {"mean": f1, "low": f1, "high": f1}},
            "baseline": None,
            "signatures": ["sem-f1"],
            "summaries": [{"id": "ferry", "scores": {"SEM-F1": f1}}],
        }
        for name, f1 in (("=careful", 0.75), ("brief", 0.5))
    ],
}
FILES = {
    "compare": ["common-ground.html"],
    "score": ["scores.xlsx", "scores.csv"],
    "systems": ["systems.xlsx", "systems.csv", "summaries.csv"],
    "pyramid": ["pyramid.html", "scores.csv"],
}
PLACES = [(kind, name) for kind, names in FILES.items() for name in names]


def example(kind):
    pages = {"compare": compare.PAGE, "score": score.PAGE, "pyramid": pyramid.PAGE}
    return json.loads(pages[kind].example().model_dump_json()) if kind in pages else SYSTEMS


def shared(owner, kind, **changes):
    sent = {"kind": kind, "data": example(kind) | changes}
    return owner.post("/api/saved", json=sent).json()["link"]


def rows(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def owner(make_app):
    """The owner of a server with a password."""
    with Browser(make_app(password="secret")) as browser:
        browser.post("/login", data={"password": "secret"})
        browser.visit()
        yield browser


@pytest.fixture
def visitor(owner):
    """Somebody who has nothing but a link."""
    return Browser(owner.app)


@pytest.mark.parametrize("kind", FILES)
def test_the_page_of_a_visitor_links_to_each_file(owner, visitor, kind):
    link = shared(owner, kind)
    page = visitor.get(link).text
    targets = [one["href"] for one in Reader(page).named("a") if "download" in one]
    named = [f"{link}/{name}" for name in FILES[kind]]
    assert set(targets) == set(named)
    assert targets.count(named[0]) == 2, "among the buttons, and where scripts are off"
    assert "This page needs scripts" in page
    assert not visitor.cookies


@pytest.mark.parametrize(("kind", "name"), PLACES)
def test_a_visitor_gets_the_file_as_an_attachment(owner, visitor, kind, name):
    place = f"{shared(owner, kind)}/{name}"
    answer, head = visitor.get(place), visitor.head(place)
    assert answer.status_code == head.status_code == 200
    for one in (answer, head):
        assert one.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["cache-control"] == "no-store"
    assert head.content == b""
    assert head.headers["content-type"] == answer.headers["content-type"]
    assert answer.content


def test_the_comparison_is_the_page_that_its_owner_saves(owner, visitor):
    link = shared(owner, "compare", shown_at=0.7)
    sent = example("compare") | {"shown_at": 0.7}
    own = owner.post("/api/compare/page", json=sent)
    assert visitor.get(f"{link}/common-ground.html").text == own.text
    assert own.headers["content-disposition"] == 'attachment; filename="common-ground.html"'


def test_the_tables_of_many_systems(owner, visitor):
    link = shared(owner, "systems")
    table = rows(csv_text(visitor.get(f"{link}/systems.csv")))
    assert table[0][:3] == ["system", "summaries", "SEM-F1"]
    assert [row[:3] for row in table[1:]] == [["'=careful", "1", "0.75"], ["brief", "1", "0.5"]]
    assert rows(csv_text(visitor.get(f"{link}/summaries.csv"))) == [
        ["id", "system", "SEM-F1"],
        ["ferry", "'=careful", "0.75"],
        ["ferry", "brief", "0.5"],
    ]
    book = load_workbook(io.BytesIO(visitor.get(f"{link}/systems.xlsx").content))
    assert book.sheetnames == ["systems", "summaries"]
    cell = book.active["A2"]
    assert (cell.value, cell.data_type) == ("=careful", "s"), "no formula"


def test_the_scores_of_one_summary(owner, visitor):
    data = example("score")
    link = shared(owner, "score")
    table = rows(csv_text(visitor.get(f"{link}/scores.csv")))
    assert table[0] == ["metric", "precision", "recall", "f1", "unrelated f1"]
    labelled = data["sem_f1"]["labelled"]
    assert table[2] == [
        "SEM-F1 from labels (35-65)",
        *(str(labelled[name]) for name in ("precision", "recall", "f1")),
        "",
    ]
    assert [row[0] for row in table[1:]] == [
        "SEM-F1",
        "SEM-F1 from labels (35-65)",
        *("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"),
    ]
    assert float(table[1][4]) == data["baseline"]["sem_f1"]
    book = load_workbook(io.BytesIO(visitor.get(f"{link}/scores.xlsx").content))
    sentences = list(book["sentences"].values)
    assert sentences[0] == ("text", "sentence", "label", "similarity", "best match")
    first = data["sem_f1"]["sentences"][0]
    assert sentences[1][:3] == ("A short summary", first["text"], first["label"])
    count = len(data["sem_f1"]["sentences"]) + sum(map(len, data["sem_f1"]["references"]))
    assert len(sentences) == 1 + count
    assert owner.post("/api/score/scores.csv", json=data).text == "".join(
        visitor.get(f"{link}/scores.csv").text
    )


def test_a_pyramid_without_its_class_has_no_scores(owner, visitor):
    students = [one["name"] for one in example("pyramid")["students"]]
    whole = rows(csv_text(visitor.get(f"{shared(owner, 'pyramid')}/scores.csv")))
    assert [row[0] for row in whole[1:]] == students
    link = shared(owner, "pyramid", students=[], scores=None, judged=None, checked={}, words={})
    assert visitor.get(f"{link}/scores.csv").status_code == 404
    assert "scores.csv" not in visitor.get(link).text
    page = visitor.get(f"{link}/pyramid.html").text
    assert "Bats and moths are back on the river path." in page
    assert not any(name in page for name in students)


@pytest.mark.parametrize("kind", FILES)
def test_no_other_name_is_a_file(owner, visitor, kind):
    link = shared(owner, kind)
    for name in ("data.json", "systems.xlsx.exe", "shares", "%2e%2e%2fdata"):
        assert visitor.get(f"{link}/{name}").status_code == 404
    others = {name for names in FILES.values() for name in names} - set(FILES[kind])
    for name in others:
        assert visitor.get(f"{link}/{name}").status_code == 404


def test_a_file_ends_with_its_link(owner, visitor):
    soon = datetime.now(UTC) + timedelta(seconds=0.3)
    sent = {"kind": "compare", "data": example("compare"), "expires_at": soon.isoformat()}
    expired = owner.post("/api/saved", json=sent).json()["link"]
    deleted = shared(owner, "compare")
    owner.delete(f"/api{deleted}")
    while datetime.now(UTC) < soon:
        pass
    for link in (expired, deleted, "/saved/AAAAAAAAAAAAAAAAAAAAAA"):
        answer = visitor.get(f"{link}/common-ground.html")
        assert answer.status_code == 404
        assert "content-disposition" not in answer.headers
        assert "This link does not exist, has expired or was deleted." in answer.text


def test_too_many_files_at_once_have_to_wait(owner, visitor):
    owner.app.state.shared_files = RateLimit(2, 60.0)
    link = shared(owner, "systems")
    codes = [visitor.get(f"{link}/systems.csv").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    refused = visitor.get(f"{link}/systems.csv")
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert "Too many files at once." in refused.text
    assert visitor.get(link).status_code == 200
