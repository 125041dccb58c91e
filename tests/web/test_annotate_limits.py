"""What an annotator cannot save, and what a crash of the server left behind."""

import pytest
from sqlalchemy import update

from annotate_study import invite, label
from commonground.annotate import each_project
from commonground.database.tables import AnnotatorRow, ProjectRow
from web_browser import Browser


@pytest.fixture
def annotator(client):
    project = client.post("/api/annotate/example").json()["project"]
    browser = Browser(client.app)
    browser.post(invite(client, project, "Ada"), data={})
    browser.visit("/annotate/work/1")
    return browser


@pytest.mark.parametrize(
    ("counts", "status", "words"),
    [
        ({"saves": 1_440}, 429, "You have used up your 1,440 saves in this project."),
        ({"characters": 2_220_000}, 413, "Your texts exceed 2,220,000 characters"),
    ],
)
def test_a_used_up_quota_is_said_in_a_line(annotator, counts, status, words):
    with annotator.app.state.database.writing() as session:
        session.execute(update(AnnotatorRow).values(**counts))
    answer = label(annotator, 1, "precision/1", "P")
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert "Ask the owner for a new link" in answer.json()["error"]
    assert "checked" not in annotator.get("/annotate/work/1").text


def test_a_server_that_starts_removes_what_is_half_stored(make_app):
    with Browser(make_app()) as first:
        first.visit("/annotate")
        first.post("/api/annotate/example")
        with first.app.state.database.writing() as session:
            session.execute(update(ProjectRow).values(state="storing"))
        assert each_project(first.app.state.database) == []
    with Browser(make_app()) as again, again.app.state.database.reading() as session:
        assert session.query(ProjectRow).count() == 0
