"""Annotation in a real browser: by keys alone, and through a server that dies and comes back."""

import pytest
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS, lines
from people import DARK, PHONE
from served import Served


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "events.jsonl").write_text(lines(EVENTS))
    (tmp_path / "outputs.jsonl").write_text(lines(OUTPUTS))
    return tmp_path


@pytest.fixture
def server(folder):
    served = Served("--data", folder / "data")
    yield served
    served.stop()


@pytest.fixture
def visit(people, server):
    """Opens a page in a browser of its own."""

    def opened(address, **look):
        person = people(server.address, **look)
        person.page.on("dialog", lambda dialog: dialog.accept())
        person.visit(address)
        return person

    return opened


def _sound(person, name):
    person.picture(f"annotate-{name}")
    person.check_access()
    person.check_width()


def _project(owner, folder, server, protocol="sentences"):
    owner.goto(f"{server.address}/annotate")
    owner.get_by_label("Name").fill("Two events")
    owner.locator(f"[name=protocol][value={protocol}]").check()
    owner.locator("#data_set").set_input_files(folder / "events.jsonl")
    if protocol != "overlap":
        owner.locator("#outputs").set_input_files(folder / "outputs.jsonl")
    owner.get_by_role("button", name="Create project").click()
    owner.wait_for_url("**/annotate/projects/*")


def _invite(owner, name):
    owner.wait_for_load_state()  # until then the form has no script
    owner.get_by_label("Invite an annotator").fill(name)
    owner.keyboard.press("Enter")
    expect(owner.locator("#invited")).to_have_text(name)
    return owner.locator("#link").input_value()


def _start(person):
    """Start labelling by keys alone; the page on which the first question has the focus."""
    person.tab_to(person.page.get_by_role("button", name="Start labelling"))
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/annotate/work/*")
    return person.page


def test_the_example_answers_to_keys_and_saves_nothing(server, visit):
    owner = visit("/annotate")
    page = owner.page
    page.locator(".unit input").first.focus()
    for key in ("3", "2", "Control+z"):
        page.keyboard.press(key)
    expect(page.locator(".unit :checked")).to_have_count(1)
    _sound(owner, "first-visit")
    page.get_by_role("button", name="Save this example").click()
    expect(page.get_by_text("44 of 44").first).to_be_visible()
    _sound(owner, "project")
    _sound(visit(page.url, **PHONE, **DARK), "project-dark-phone")


def test_an_annotator_needs_no_mouse_and_the_owner_sees_it_live(server, folder, visit):
    owner = visit("/").page
    _project(owner, folder, server)
    expect(owner.get_by_text("once two people have labelled")).to_be_visible()
    links = [_invite(owner, name) for name in ("L1", "L2")]
    for link in links:
        annotator = visit(link, **DARK)
        page = _start(annotator)
        _sound(annotator, "work-dark")
        for key in "32132":
            page.keyboard.press(key)
        expect(page.locator("#next")).to_be_focused()
        expect(page.locator("#progress-words")).to_have_text("5 of 7 labels saved")
        page.keyboard.press("Enter")
        page.wait_for_url("**/annotate/work/2")
        page.keyboard.press("Control+z")  # the last label stands in the item before
        page.wait_for_url("**/annotate/work/1")
        expect(page.locator("#progress-words")).to_have_text("4 of 7 labels saved")
        page.keyboard.press("1")
        expect(page.locator("#progress-words")).to_have_text("5 of 7 labels saved")
    expect(owner.get_by_text("Agreement on precision")).to_be_visible()
    expect(owner.get_by_text("5 of 7")).to_have_count(2)

    # On another day, on a phone, by the same link.
    phone = visit(links[0], **PHONE, **DARK)
    page = phone.page
    page.get_by_role("button", name="Start labelling").tap()
    page.wait_for_url("**/annotate/work/2")
    _sound(phone, "work-dark-phone")
    for unit in page.locator(".unit").all():
        unit.locator(".choice").last.tap()
    expect(page.locator(".state", has_text="saved")).to_have_count(2)
    page.get_by_role("link", name="Finish", exact=True).tap()
    expect(page.get_by_text("All 7 labels are saved")).to_be_visible()


def test_a_written_overlap_is_saved_undone_and_may_be_nothing(server, folder, visit):
    owner = visit("/").page
    _project(owner, folder, server, "overlap")
    writer = visit(_invite(owner, "I1"))
    page = _start(writer)
    page.keyboard.type("A ferry ran aground.")
    expect(page.locator(".state")).to_have_text("not saved yet")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".state")).to_have_text("saved")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#written")).to_have_value("")
    # Going on now says nothing about this item: it stays unfinished.
    page.get_by_role("link", name="Next item").click()
    page.wait_for_url("**/annotate/work/2")
    page.get_by_role("button", name="They share nothing").click()
    expect(page.locator("#progress-words")).to_have_text("1 of 2 labels saved")
    page.get_by_role("link", name="Finish", exact=True).click()
    page.wait_for_url("**/annotate/work/1")
    _sound(writer, "written")


def test_the_page_says_saved_only_when_it_is_and_tries_until_it_is(server, folder, visit):
    owner = visit("/").page
    _project(owner, folder, server)
    annotator = visit(_invite(owner, "L1"))
    owner.goto("about:blank")  # it would go on asking while the server is away
    page = _start(annotator)
    page.keyboard.press("3")
    expect(page.locator(".state").first).to_have_text("saved")
    server.kill()
    page.keyboard.press("1")
    expect(page.locator(".state").nth(1)).to_have_text("not saved, trying again …")
    expect(page.locator("#alert")).to_contain_text("No connection")
    _sound(annotator, "server-away")
    again = Served("--data", folder / "data", port=server.address.rpartition(":")[2])
    try:
        expect(page.locator(".state").nth(1)).to_have_text("saved")
        page.reload()
        given = page.locator(".unit :checked")
        assert [one.get_attribute("value") for one in given.all()] == ["P", "A"]
    finally:
        again.stop()
    away = "net::ERR_CONNECTION_REFUSED"
    annotator.faults = [fault for fault in annotator.faults if away not in fault]
