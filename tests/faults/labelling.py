"""A labelling session for every n: its n-th write fails, once or from then on.

Prints how many sessions there were and how many saves were refused.
"""

import ctypes
import logging
import sqlite3
import sys
from pathlib import Path

from sqlalchemy import select

from commonground.annotate import invite, make_project
from commonground.database import open_database, sqlite_url
from commonground.database.tables import LabelRow
from commonground.io import Event, Narrative
from commonground.web import WebSettings, create_app
from web_browser import Browser

SAVES = 3
faults = ctypes.CDLL(None)


def begin(folder):
    """An application with one project, and an annotator's browser."""
    app = create_app(WebSettings(data=folder, workers=0, token=None))
    texts = (Narrative("a", "One text."), Narrative("b", "Another text."))
    events = {f"e{number}": Event(f"e{number}", texts, ()) for number in range(SAVES)}
    project = make_project(app.state.database, "Study", "overlap", events)
    token, _ = invite(app.state.database, project.id, "L1")
    browser = Browser(app)
    browser.__enter__()
    browser.post(f"/invite/{token}")
    browser.visit("/annotate/work/1")
    return browser


def labels(session):
    """The requests of one session; each has a key of its own, by which a repetition is known."""
    for item in range(1, SAVES + 1):
        key = f"session-{session}-item-{item}"
        yield {"item": item, "unit": "text", "value": f"Text {session} {item}.", "key": key}


def label(browser, session):
    """Save each label; one that was refused is sent again, as the page does it."""
    refused = []
    for one in labels(session):
        answer = browser.post("/api/annotate/work/labels", json=one)
        if answer.status_code != 200:
            assert answer.status_code in (503, 507), (answer.status_code, answer.text)
            line = answer.json()["error"]
            assert line.startswith("The server's"), line
            refused.append(one)
    if refused:
        faults.arm(0, 0)
    for one in refused:
        answer = browser.post("/api/annotate/work/labels", json=one)
        assert answer.status_code == 200, answer.text
        assert answer.json()["value"] == one["value"]
    return len(refused)


def check(folder, sessions):
    """Open the file anew: each label is there, once."""
    with sqlite3.connect(folder / "commonground.db") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database = open_database(sqlite_url(folder / "commonground.db"))
    with database.reading() as session:
        stored = sorted(session.execute(select(LabelRow.client_key, LabelRow.value)).all())
    database.close()
    wanted = [one for session in sessions for one in labels(session)]
    assert [tuple(row) for row in stored] == sorted((one["key"], one["value"]) for one in wanted)


def main():
    logging.disable()
    folder = Path(sys.argv[1])
    browser = begin(folder)
    faults.arm(0, 0)
    label(browser, "calm")
    writes = faults.seen()
    sessions, refused = ["calm"], 0
    for forever in (0, 1):
        for n in range(1, writes + 2):
            sessions.append(f"{n}-{forever}")
            faults.arm(n, forever)
            refused += label(browser, sessions[-1])
    browser.__exit__()
    check(folder, sessions)
    sys.stdout.write(f"{len(sessions)} {refused}\n")


if __name__ == "__main__":  # doctest imports this file
    main()
