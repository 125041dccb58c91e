"""kill -9 in the middle of annotation: what a page had been told is saved is there afterwards."""

import threading

import httpx
import pytest

from annotate_study import invite, label, make
from served import Served

UNITS = ["precision/1", "precision/2", "recall/1/1", "recall/1/2", "recall/2/1"]
VALUES = ["P", "PP", "A"]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """Where the server keeps its data, as options of the command."""
    if request.param == "sqlite":
        return ["--data", tmp_path / "data"]
    return ["--database", request.getfixturevalue("postgres").url()]


def _annotate(browser, acknowledged, enough):
    """Label on and on, in two items' units, until the server is gone."""
    try:
        for number in range(100_000):
            unit, value = UNITS[number % 5], VALUES[number % 7 % 3]
            answer = label(browser, 1, unit, value, f"stream-{number:08}")
            assert answer.status_code == 200, answer.text
            acknowledged.append((unit, value))
            if len(acknowledged) == 40:
                enough.set()
    except httpx.TransportError:
        pass


def test_every_label_that_was_acknowledged_is_there(place):
    server = Served(*place)
    owner = server.browser()
    owner.visit("/annotate")
    project = make(owner)
    links = [invite(owner, project, name) for name in ("L1", "L2", "L3")]

    streams = []
    for link in links:
        browser = server.browser()
        browser.post(link, data={"start": "yes"})
        browser.visit("/annotate/work/1")
        acknowledged, enough = [], threading.Event()
        thread = threading.Thread(target=_annotate, args=(browser, acknowledged, enough))
        thread.start()
        streams.append((browser, acknowledged, enough, thread))
    for _, _, enough, _ in streams:
        assert enough.wait(timeout=120)
    server.kill()
    for _, _, _, thread in streams:
        thread.join()

    again = Served(*place, port=server.address.rpartition(":")[2])
    try:
        for browser, acknowledged, _, _ in streams:
            # The same cookie: who was labelling goes on labelling.
            page = browser.visit("/annotate/work/1")
            held = _held(page.text)
            assert len(acknowledged) >= 40
            expected = dict(acknowledged)
            late = {unit for unit in UNITS if held.get(unit) != expected[unit]}
            # One more may have been saved whose acknowledgement never came back.
            number = len(acknowledged)
            assert late <= {UNITS[number % 5]}
            for unit in late:
                assert held[unit] == VALUES[number % 7 % 3]
            # And it can be said again under the same key, without counting twice.
            unit, value = UNITS[number % 5], VALUES[number % 7 % 3]
            saved = label(browser, 1, unit, value, f"stream-{number:08}")
            assert saved.json()["value"] == value
            assert saved.json()["progress"]["labels"] == 5
    finally:
        again.stop()


def _held(page):
    """The labels that a page shows as given."""
    held = {}
    for piece in page.split("<input ")[1:]:
        tag = piece.partition(">")[0]
        if tag.startswith('type="radio"') and " checked" in tag:
            held[tag.split('name="')[1].split('"')[0]] = tag.split('value="')[1].split('"')[0]
    return held
