"""A server whose clock jumps by hours and years while people work with it."""

import ctypes
import sys
import time
from pathlib import Path

from argon2 import PasswordHasher

from commonground.annotate import invite, make_project
from commonground.io import Event, Narrative
from commonground.web import WebSettings, create_app
from commonground.web.jobs import Jobs
from web_browser import Browser
from web_jobs import TASKS

HOUR, YEAR = 3600, 365 * 86400
clock = ctypes.CDLL(None)
WORK = "/api/annotate/work"


def jump(seconds):
    before = time.time()
    clock.jump(ctypes.c_long(seconds))
    assert abs(time.time() - before - seconds) < HOUR / 2


def log_in(browser, password="correct horse"):
    answer = browser.post("/login", data={"password": password})
    if answer.status_code == 303:
        browser.visit()
    return answer.status_code


def sessions(app):
    """A session ends when its time is over, and a new one can be had whatever the clock did."""
    owner = Browser(app)
    assert log_in(owner) == 303
    jump(-YEAR)
    assert owner.get("/compare").status_code == 200
    jump(YEAR + 13 * HOUR)
    assert owner.get("/compare").status_code == 303
    assert log_in(owner) == 303
    assert owner.get("/compare").status_code == 200
    jump(-13 * HOUR)
    assert owner.get("/compare").status_code == 200


def throttle(app):
    """Setting the clock forward buys no attempts, setting it back locks nobody out for longer."""
    guesser = Browser(app)
    codes = [log_in(guesser, f"guess {number}") for number in range(7)]
    assert 429 in codes, codes
    jump(2 * HOUR)
    answer = guesser.post("/login", data={"password": "guess"})
    assert answer.status_code == 429
    jump(-20 * HOUR)
    answer = guesser.post("/login", data={"password": "guess"})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 900
    jump(18 * HOUR)


def labels(app):
    """The last label is the last one saved, not the one with the latest time."""
    texts = (Narrative("a", "One text."), Narrative("b", "Another text."))
    project = make_project(app.state.database, "Study", "overlap", {"e": Event("e", texts, ())})
    token, _ = invite(app.state.database, project.id, "L1")
    browser = Browser(app)
    browser.post(f"/invite/{token}")
    browser.visit("/annotate/work/1")
    for number, seconds in enumerate((0, -YEAR, 2 * YEAR, -YEAR)):
        jump(seconds)
        if browser.get("/annotate/work/1").status_code != 200:  # 14 days are over
            browser.post(f"/invite/{token}")
            browser.visit("/annotate/work/1")
        label = {"item": 1, "unit": "text", "value": f"Text {number}.", "key": f"the-key-{number}"}
        saved = browser.post(f"{WORK}/labels", json=label)
        assert (saved.status_code, saved.json()["value"]) == (200, f"Text {number}."), saved.text
    undone = browser.post(f"{WORK}/undo", json={"label": saved.json()["undoable"]})
    assert undone.json()["value"] == "Text 2."


def jobs():
    """A job ends when its time is over, not when the clock says so."""
    running = Jobs(1, 8, TASKS, None)
    running.start()
    try:
        job = running.submit("wait", {}, "me")
        while job.state == "queued":
            time.sleep(0.02)
        jump(30 * 86400)
        time.sleep(0.3)
        assert job.state == "running", (job.state, job.error)
        running.cancel(job)
        late = running.submit("spin", {}, "me")
        while late.state == "queued":
            time.sleep(0.02)
        jump(-60 * 86400)
        while not late.over:
            time.sleep(0.02)
        assert late.error.startswith("This took longer than"), late.error
        jump(30 * 86400)
        assert running.get(late.id, "me") is late  # not forgotten as too old
    finally:
        running.close()


def main():
    password = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("correct horse")
    settings = WebSettings(data=Path(sys.argv[1]), workers=0, password=password, token=None)
    app = create_app(settings)
    with Browser(app):
        sessions(app)
        labels(app)
        throttle(app)
    jobs()


if __name__ == "__main__":  # worker processes import this file
    main()
