"""What an annotator gives without a connection outlives the tab, and stays the annotator's own."""

import re

import pytest
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS, lines
from served import Served

KEPT = "Object.keys(localStorage).filter((one) => one.startsWith('draft:labels-')).length"
ALERT, STATUS = "#alert", "#status"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    served = Served("--data", tmp_path_factory.mktemp("data"))
    yield served
    assert served.stop() == ""


@pytest.fixture
def owner(people, server):
    page = people(server.address).visit("/annotate")
    page.on("dialog", lambda dialog: dialog.accept())
    return page


@pytest.fixture
def arrive(people, server):
    """Opens an invitation in a browser of its own; at the end its network errors are forgiven."""
    here = []

    def arrived(link):
        here.append(people(server.address))
        here[-1].page.on("dialog", lambda dialog: dialog.accept())
        enter(here[-1], link)
        return here[-1]

    yield arrived
    for person in here:
        person.faults = [one for one in person.faults if not re.search("net::ERR_", one)]


def make_project(owner, protocol="sentences"):
    owner.goto("/annotate")
    owner.get_by_label("Name").fill("Two events")
    owner.locator(f"[name=protocol][value={protocol}]").check()
    for name, rows in (("data_set", EVENTS), ("outputs", OUTPUTS)):
        if name == "data_set" or protocol != "overlap":
            file = {"name": f"{name}.jsonl", "mimeType": "", "buffer": lines(rows).encode()}
            owner.locator(f"#{name}").set_input_files(file)
    owner.get_by_role("button", name="Create project").click()
    owner.wait_for_url("**/annotate/projects/*")


def invite(owner, name):
    owner.wait_for_load_state()  # until then the form has no script
    owner.get_by_label("Invite an annotator").fill(name)
    owner.keyboard.press("Enter")
    expect(owner.locator("#invited")).to_have_text(name)
    return owner.locator("#link").input_value()


def enter(person, link):
    person.visit(link).get_by_role("button", name="Start labelling").click()
    expect(person.page.locator("#item :focus")).to_have_count(1)


def lose_connection(person):
    person.context.set_offline(True)


def close_tab(person, kept, answer=lambda dialog: dialog.accept()):
    """Close the tab when the browser keeps so many changes; the next one has a connection."""
    expect_kept(person.page, kept)
    # While Playwright closes a page, it is online for a moment.
    person.page.evaluate("() => { window.fetch = () => new Promise(() => {}) }")
    person.page.close()
    person.context.set_offline(False)
    person.page = person.context.new_page()
    if answer:
        person.page.on("dialog", answer)
    return person.page


def expect_kept(page, number):
    for _ in range(300):  # the pages allow no eval, so Playwright cannot wait for this
        if page.evaluate(KEPT) == number:
            return
        page.wait_for_timeout(100)
    assert page.evaluate(KEPT) == number


def given(page):
    chosen = page.locator(".unit :checked")
    return [one.get_attribute("value") for one in chosen.all()]


def test_a_closed_tab_loses_nothing(owner, arrive):
    make_project(owner)
    ada = arrive(invite(owner, "Ada"))
    page = ada.page
    page.keyboard.press("2")
    expect(page.locator("#progress-words")).to_have_text("1 of 7 labels saved")
    expect_kept(page, 0)
    lose_connection(ada)
    for key in ("3", "1", "Control+z", "f", "c"):
        page.keyboard.press(key)
    page.keyboard.type("Is this safe?")
    expect(page.locator(ALERT)).to_contain_text("This browser keeps your labels")
    page.locator(".comment-box textarea:focus").press("Control+Enter")
    page = close_tab(ada, kept=5)
    page.goto("/annotate/work/")
    expect(page.locator(STATUS)).to_have_text("5 changes from your last visit are saved now.")
    expect(page.locator("#progress-words")).to_have_text("2 of 7 labels saved")
    expect_kept(page, 0)
    for _ in ("as it was sent", "as the server has it"):
        assert given(page) == ["PP", "P"]  # the third one was undone
        expect(page.locator(".flag[aria-pressed=true]")).to_have_count(1)
        expect(page.locator(".comment-box:visible textarea")).to_have_value("Is this safe?")
        expect(page.locator(".unit").nth(2).locator("input").first).to_be_focused()
        page.reload()
    expect(page.locator(STATUS)).to_be_empty()


def test_a_written_text_comes_back(owner, arrive):
    make_project(owner, "overlap")
    ada = arrive(invite(owner, "Ada"))
    lose_connection(ada)
    ada.page.keyboard.type("A ferry ran aground.")
    ada.page.get_by_role("button", name="Save").click()
    page = close_tab(ada, kept=1)
    page.goto("/annotate/work/1")
    expect(page.locator("#written")).to_have_value("A ferry ran aground.")
    expect(page.locator(".state")).to_have_text("saved")
    page.get_by_role("link", name="Next item").click()
    page.wait_for_url("**/annotate/work/2")
    expect(page.locator("#progress-words")).to_have_text("1 of 2 labels saved")


def test_a_change_of_a_finished_project_is_sent_by_the_last_page(owner, arrive):
    make_project(owner)
    ada = arrive(invite(owner, "Ada"))
    for key in "33333":
        ada.page.keyboard.press(key)
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_url("**/annotate/work/2")
    for key in "33":
        ada.page.keyboard.press(key)
    expect(ada.page.locator("#progress-words")).to_have_text("7 of 7 labels saved")
    lose_connection(ada)
    ada.page.locator(".unit input").first.focus()
    ada.page.keyboard.press("1")
    page = close_tab(ada, kept=1)
    page.goto("/annotate/work/")
    expect(page.locator(STATUS)).to_have_text("1 change from your last visit is saved now.")
    page.goto("/annotate/work/2")
    assert given(page) == ["A", "P"]


def test_two_annotators_at_one_computer_are_never_mixed(owner, arrive):
    make_project(owner)
    links = [invite(owner, name) for name in ("Ada", "Bo")]
    ada = arrive(links[0])
    lose_connection(ada)
    ada.page.keyboard.press("3")
    page = close_tab(ada, kept=1)
    enter(ada, links[1])  # Bo, in the same browser
    expect(page.locator("#progress-words")).to_have_text("0 of 7 labels saved")
    assert given(page) == []
    expect_kept(page, 1)
    page.keyboard.press("1")
    expect(page.locator("#progress-words")).to_have_text("1 of 7 labels saved")

    # Bo's page is still open when Ada is back.
    tab = ada.context.new_page()
    tab.goto(links[0])
    tab.get_by_role("button", name="Start labelling").click()
    expect(tab.locator(STATUS)).to_have_text("1 change from your last visit is saved now.")
    assert given(tab) == ["P"]
    ada.expects(401, 403)
    page.keyboard.press("2")
    expect(page.locator(ALERT)).to_contain_text("Somebody else labels in this browser now")
    expect(page.locator(".state.lost")).to_have_text("not saved")
    expect(tab.locator("#progress-words")).to_have_text("1 of 7 labels saved")
    page.close()
    ada.page = tab
    enter(ada, links[1])
    expect(tab.locator(STATUS)).to_have_text("1 change from your last visit is saved now.")
    assert given(tab) == ["A", "PP"]


def test_a_newer_label_stays(owner, arrive):
    make_project(owner)
    link = invite(owner, "Ada")
    ada = arrive(link)
    lose_connection(ada)
    for key in ("3", "2"):
        ada.page.keyboard.press(key)
    elsewhere = arrive(link)
    elsewhere.page.keyboard.press("1")
    expect(elsewhere.page.locator("#progress-words")).to_have_text("1 of 7 labels saved")
    ada.expects(409)
    page = close_tab(ada, kept=2)
    page.goto("/annotate/work/1")
    expect(page.locator(ALERT)).to_have_text(
        "1 change from your last visit was not saved: The question has a newer label"
    )
    expect(page.locator(STATUS)).to_have_text("1 change from your last visit is saved now.")
    assert given(page) == ["A", "PP"]
    expect_kept(page, 0)


def test_what_cannot_be_sent_any_more_is_said_and_can_be_discarded(owner, arrive):
    make_project(owner)
    link = invite(owner, "Ada")
    ada = arrive(link)
    lose_connection(ada)
    ada.page.keyboard.press("3")
    page = close_tab(ada, kept=1)
    owner.get_by_role("button", name="Close link of Ada").click()
    expect(owner.get_by_role("row", name="Ada")).to_contain_text("closed")
    ada.expects(401, 404)
    for path in ("/annotate/work/1", link):
        page.goto(path)
        expect(page.locator("#unsent")).to_contain_text("This browser has 1 unsent change")
    ada.check_access()
    owner.get_by_role("button", name="New link for Ada").click()
    expect(owner.locator("#link")).not_to_have_value(link)
    again = owner.locator("#link").input_value()
    page.goto("/annotate/work/1")
    expect_kept(page, 1)
    enter(ada, again)  # with a new link it is sent
    expect(page.locator("#progress-words")).to_have_text("1 of 7 labels saved")

    lose_connection(ada)
    page.keyboard.press("1")
    page = close_tab(ada, kept=1)
    owner.get_by_role("button", name="Delete the project").click()
    owner.wait_for_url("**/annotate")
    page.goto("/annotate/work/1")
    page.get_by_role("button", name="Discard them").click()
    expect(page.locator("#unsent")).to_be_hidden()
    expect_kept(page, 0)


def test_leaving_discards_what_is_kept(owner, arrive):
    make_project(owner)
    ada = arrive(invite(owner, "Ada"))
    page = ada.page
    page.route("**/api/annotate/work/labels", lambda route: route.abort())
    page.keyboard.press("3")
    expect_kept(page, 1)
    expect(page.locator(".state.lost")).to_have_text("not saved, trying again …")
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url(re.compile(r":\d+/$"))
    assert page.evaluate(KEPT) == 0


def test_of_two_answers_that_are_refused_for_now_both_are_kept(owner, arrive):
    make_project(owner)
    ada = arrive(invite(owner, "Ada"))
    lose_connection(ada)
    ada.page.keyboard.press("3")
    ada.page.locator(".unit input").first.focus()
    ada.page.keyboard.press("1")
    page = close_tab(ada, kept=2)
    full = {"status": 429, "json": {"error": "Too many labels. Try again later."}}
    page.route("**/api/annotate/work/labels", lambda route: route.fulfill(**full))
    ada.expects(429)
    page.goto("/annotate/work/1")
    expect(page.locator(ALERT)).to_contain_text("2 changes from your last visit were not saved")
    expect_kept(page, 2)
    page.unroute("**/api/annotate/work/labels")
    page.reload()
    expect(page.locator(STATUS)).to_have_text("2 changes from your last visit are saved now.")
    assert given(page) == ["A"]
    expect_kept(page, 0)


def test_leaving_asks_before_it_discards_what_somebody_else_gave(owner, people, server):
    make_project(owner)
    links = [invite(owner, name) for name in ("Ada", "Bo")]
    both = people(server.address)
    enter(both, links[0])
    lose_connection(both)
    both.page.keyboard.press("3")
    page = close_tab(both, kept=1, answer=None)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    enter(both, links[1])
    page.get_by_role("button", name="Leave").click()
    assert asked == ["1 change not saved yet. Log out and lose it?"]
    expect(page.get_by_text("Labelling as Bo")).to_be_visible()
    expect_kept(page, 1)
    both.faults = [one for one in both.faults if not re.search("net::ERR_", one)]


def test_without_storage_labels_are_saved_and_leaving_works(owner, people, server):
    make_project(owner)
    ada = people(server.address)
    ada.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('off') }})"
    )
    link = invite(owner, "Ada")
    ada.visit(link).get_by_role("button", name="Start labelling").click()
    page = ada.page
    expect(page.locator("#item :focus")).to_have_count(1)
    page.keyboard.press("3")
    expect(page.locator("#progress-words")).to_have_text("1 of 7 labels saved")
    expect(page.locator(".state").first).to_have_text("saved")
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url(re.compile(r":\d+/$"))
