"""A server that has more to do than it takes on, and work that is given up."""

import pytest
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS, lines
from people import PATIENCE

# Long enough to be at work for many seconds on any machine.
LONG = " ".join(
    f"On day {day} the {who} of house {day} saw {day + 2} geese near the {where}."
    for day in range(400)
    for who, where in (("baker", "mill"), ("smith", "weir"), ("nurse", "quay"))
)


class LongWork:
    """Somebody who keeps the one worker at work, until it is given up."""

    def __init__(self, server):
        self.visitor = server.browser()
        self.visitor.visit("/compare")
        self.jobs = []

    def ask(self):
        texts = [{"name": f"narrative {number}", "text": LONG} for number in range(2)]
        answer = self.visitor.post("/api/compare", json={"narratives": texts})
        if answer.status_code == 202:
            self.jobs.append(f"/api/jobs/{answer.json()['job']}")
        return answer

    def give_up(self):
        for job in reversed(self.jobs):
            self.visitor.delete(job)


@pytest.fixture
def occupied(server):
    """The worker is at work for long, and what comes now waits."""
    work = LongWork(server)
    for _ in range(2):
        assert work.ask().status_code == 202
        while work.visitor.get(work.jobs[0]).json()["state"] == "queued":
            pass
    yield work
    work.give_up()


@pytest.fixture
def busy(occupied):
    """As much waits as may."""
    while (answer := occupied.ask()).status_code == 202:
        pass
    assert answer.status_code == 503
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    return occupied


def test_a_busy_server_says_so_and_works_again_later(owner, busy):
    owner.expects(503)
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The server is busy")
    expect(page.get_by_role("alert")).to_contain_text("Try again in")
    expect(page.get_by_role("heading", name="What all 3 say")).to_be_visible()
    busy.give_up()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#result")).to_be_focused(timeout=2 * PATIENCE)
    expect(page.locator("#alert")).to_be_empty()


def test_long_work_shows_how_far_it_is_and_is_cancelled(owner):
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    for which in "AB":
        page.get_by_label(f"Text {which}", exact=True).fill(LONG)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    expect(page.locator("#working .doing")).to_have_text("Reading text 1 of 2")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Text A", exact=True)).to_have_value(LONG)


def until_ready(page):
    """Work that was given up ends its process; the next one takes a while to start."""
    for _ in range(PATIENCE // 100):
        if page.request.get("/readyz").ok:
            return
        page.wait_for_timeout(100)
    raise AssertionError("no worker is ready")


def ask_for_project(page, name):
    page.goto("/annotate")
    page.get_by_label("Name").fill(name)
    for field, rows in (("#data_set", EVENTS), ("#outputs", OUTPUTS)):
        file = {"name": "some.jsonl", "mimeType": "", "buffer": lines(rows).encode()}
        page.locator(field).set_input_files(file)
    page.get_by_role("button", name="Create project").click()


def test_a_project_that_waits_is_cancelled_and_not_made(owner, occupied):
    owner.expects(503)  # there is no room for a preview
    page = owner.visit("/annotate")
    before = page.get_by_role("listitem").count()
    ask_for_project(page, "Given up")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    expect(page.locator("#working .doing")).to_contain_text("Waiting")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_hidden()
    expect(page.get_by_role("button", name="Create project")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Given up")
    occupied.give_up()
    until_ready(page)
    ask_for_project(page, "After all")
    expect(page.get_by_role("heading", name="After all")).to_be_visible(timeout=2 * PATIENCE)
    page.goto("/annotate")
    expect(page.get_by_role("listitem")).to_have_count(before + 1)
    expect(page.get_by_text("Given up")).to_have_count(0)


def test_a_project_that_is_cancelled_on_its_way_is_not_made(owner, occupied):
    owner.expects(503)  # there is no room for a preview
    page = owner.visit("/annotate")
    on_the_way = []
    page.route("**/api/annotate/projects", lambda route: on_the_way.append(route))
    ask_for_project(page, "Given up")
    while not on_the_way:
        page.wait_for_timeout(10)
    answer = on_the_way[0].fetch()  # the server has it, which the page cannot know
    assert answer.status == 202
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#working .doing")).to_have_text("Cancelling")
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as ended:
        on_the_way[0].fulfill(response=answer)
    assert ended.value.status == 204
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    expect(page.get_by_role("button", name="Create project")).to_be_focused()


def test_a_project_that_is_stored_cannot_be_cancelled_and_the_page_says_so(owner):
    owner.expects(409)
    page = owner.page
    until_ready(page)
    told = []

    def tell_later(route):
        """That it is done is not told to the page yet."""
        answer = route.fetch()
        now = {"progress": 0.9, "version": 0, "message": answer.json()["state"]}
        route.fulfill(response=answer) if told else route.fulfill(json={"state": "running", **now})

    page.route("**/api/jobs/*?after=*", tell_later)
    ask_for_project(page, "Too late")
    expect(page.locator("#working .doing")).to_have_text("done")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("Too late to cancel")
    expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.get_by_role("status")).to_be_empty()
    told.append(True)
    expect(page.get_by_role("heading", name="Too late")).to_be_visible()


@pytest.mark.parametrize("path", ["/compare", "/score", "/pyramid", "/annotate"])
def test_a_form_sent_before_its_script_has_come_goes_nowhere(owner, path):
    owner.context.route("**/*.js", lambda route: None)  # they never come
    page = owner.page
    page.goto(path, wait_until="commit")
    page.wait_for_selector("form:not([method=get])", state="attached")
    names = page.evaluate(
        """() => [...document.forms].filter((one) => one.method === "dialog").map((one) => {
          one.noValidate = true;
          one.requestSubmit();
          return one.id;
        })"""
    )
    page.wait_for_timeout(300)
    assert names
    assert page.url.endswith(path)
