"""A server that has more to do than it takes on, and work that is given up."""

import pytest
from playwright.sync_api import expect

from people import PATIENCE

# Long enough to be at work for many seconds on any machine.
LONG = " ".join(
    f"On day {day} the {who} of house {day} saw {day + 2} geese near the {where}."
    for day in range(400)
    for who, where in (("baker", "mill"), ("smith", "weir"), ("nurse", "quay"))
)


@pytest.fixture
def busy(server):
    """The one worker is at work, and as much waits as may."""
    visitor = server.browser()
    visitor.visit("/compare")
    texts = [{"name": f"narrative {number}", "text": LONG} for number in range(2)]
    jobs = []
    while (answer := visitor.post("/api/compare", json={"narratives": texts})).status_code == 202:
        jobs.append(f"/api/jobs/{answer.json()['job']}")
    assert answer.status_code == 503
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    # From here on one is at work and two wait, until they are cancelled.
    while visitor.get(jobs[0]).json()["state"] == "queued":
        pass
    while (answer := visitor.post("/api/compare", json={"narratives": texts})).status_code == 202:
        jobs.append(f"/api/jobs/{answer.json()['job']}")

    def free():
        for job in reversed(jobs):
            visitor.delete(job)

    yield free
    free()


def test_a_busy_server_says_so_and_works_again_later(owner, busy):
    owner.expects(503)
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The server is busy")
    expect(page.get_by_role("alert")).to_contain_text("Try again in")
    expect(page.get_by_role("heading", name="What all 3 say")).to_be_visible()
    busy()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#result")).to_be_focused(timeout=2 * PATIENCE)
    expect(page.locator("#alert")).to_be_empty()


def test_long_work_shows_how_far_it_is_and_is_cancelled(owner):
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    for which in "AB":
        page.get_by_label(f"Text of narrative {which}").fill(LONG)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    expect(page.locator("#working .doing")).to_have_text("Reading narrative 1 of 2")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_hidden()
    expect(page.get_by_label("Text of narrative A")).to_have_value(LONG)
