"""Downloads that nobody reads must not keep others from saving."""

import contextlib

import pytest

from commonground.annotate import NotFoundError, delete_project, invite, make_project, save
from commonground.annotate.export import label_rows
from commonground.io import Event, Narrative
from live import live

STALLED = 24
ITEMS = 300


def _project(database, items=ITEMS, words=3000):
    """A project of written overlaps, all of them long; an annotator's id and the project's."""
    texts = (Narrative("a", "One text."), Narrative("b", "Another text."))
    events = {f"e{number}": Event(f"e{number}", texts, ()) for number in range(items)}
    project = make_project(database, "Long", "overlap", events).id
    annotator = invite(database, project, "L1")[1].id
    for position in range(1, items + 1):
        save(database, annotator, position, "text", "word " * words, f"key-{position:08}")
    return annotator, project


def test_saves_go_on_while_exports_stall(tmp_path):
    with live(tmp_path) as server, contextlib.ExitStack() as opened:
        annotator, project = _project(server.database)
        path = f"/annotate/projects/{project}/labels.jsonl"
        for _ in range(STALLED):
            raw = opened.enter_context(server.connected(server.request(path)))
            assert raw.recv(12) == b"HTTP/1.1 200"
        with server.browser("annotator", annotator) as browser:
            label = {"item": 1, "unit": "text", "value": "Shared.", "key": "a-new-key"}
            assert browser.post("/api/annotate/work/labels", json=label).status_code == 200
        with server.browser() as owner:
            assert len(owner.get(path).text.splitlines()) == ITEMS
        assert server.database.engine.pool.checkedout() == 0
        assert server.database.readers.pool.checkedout() == 0


def test_readers_never_take_the_connections_of_writers(tmp_path):
    with live(tmp_path) as server, contextlib.ExitStack() as opened:
        annotator, _ = _project(server.database, items=1, words=1)
        for _ in range(15):  # all connections of the readers' pool
            opened.enter_context(server.database.reading())
        assert save(server.database, annotator, 1, "text", "Shared.", "a-new-key").value


def test_an_export_of_a_project_deleted_meanwhile_fails(tmp_path):
    with live(tmp_path) as server:
        _, project = _project(server.database, items=201, words=1)
        rows = label_rows(server.database, project)
        next(rows)
        delete_project(server.database, project)
        with pytest.raises(NotFoundError):
            list(rows)
