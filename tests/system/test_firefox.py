"""The main path of every page in Firefox; the other files of this folder use Chromium."""

import json
import re

import pytest
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS, lines
from firefox import downloaded, launched
from people import PATIENCE, Person, picks
from pyramid_desk import points

DESK = {"viewport": {"width": 1440, "height": 900}}
NARROW = {"viewport": {"width": 390, "height": 844}}
PAGES = ("/", "/compare", "/score", "/pyramid", "/annotate", "/saved")
GAZETTE = "The old bridge was closed on Monday after cracks were found. It was built in 1911."
SOURCE = (
    "<!DOCTYPE html><html><head><title>Ferry aground</title></head>"
    "<body><nav>Home</nav><p>The ferry ran aground on Saturday.</p></body></html>"
)
# Whether anything is drawn on a canvas.
_DRAWN = """canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
  .data.some((value) => value > 0)"""

# Parts that show a scroll bar for a pixel or two; Chromium draws no bars in its tests.
_BARELY = """() => [...document.querySelectorAll("main *")].filter((one) => {
  const { overflowX, overflowY } = getComputedStyle(one);
  const barely = (way, room) => /auto|scroll/.test(way) && room > 0 && room < 4;
  return one.clientWidth && (barely(overflowX, one.scrollWidth - one.clientWidth)
    || barely(overflowY, one.scrollHeight - one.clientHeight));
}).map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def firefox(playwright, downloads):
    with launched(playwright, downloads) as browser:
        yield browser


@pytest.fixture
def browser(firefox):
    """Everybody in this file uses Firefox."""
    return firefox


@pytest.fixture
def owner(people, server):
    return people(server.address, **DESK)


def until(page, holds):
    """Wait for what Playwright has no words for."""
    for _ in range(PATIENCE // 100):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("that never happened")


def test_breaches_and_errors_in_firefox_are_noticed(owner):
    page = owner.visit("/")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">a</p>')")
    page.evaluate("setTimeout(() => { throw new Error('thrown'); })")
    page.evaluate("console.error('written')")
    for sign in ("style-src", "thrown", "written"):
        until(page, lambda sign=sign: any(sign in fault for fault in owner.faults))
    assert len(owner.faults) == 3
    owner.faults.clear()


def test_the_start_page_leads_to_every_task(owner):
    page = owner.visit("/")
    for name in ("Compare", "Score", "Pyramid", "Annotate"):
        page.get_by_role("list", name="Tasks").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name="Find the common ground")).to_be_visible()


def test_arrows_walk_the_statements_and_their_evidence_is_in_view(owner):
    page = owner.visit("/compare")
    owner.picture("firefox-compare")
    items = picks(page)
    items.first.focus()
    page.keyboard.press("Enter")
    for index in range(items.count()):
        if index:
            page.keyboard.press("ArrowDown")
        expect(items.nth(index)).to_be_focused()
        expect(items.nth(index)).to_have_attribute("aria-current", "true")
        expect(page.locator(".narrative .lit")).to_have_count(3)
        for part in [items.nth(index), *page.locator(".narrative .lit").all()]:
            expect(part).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    owner.picture("firefox-compare-lit")
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)


def test_the_strictness_slider_hides_and_shows_statements(owner):
    page = owner.visit("/compare")
    total = page.locator("dd[data-total=s]")
    usual = total.inner_text()
    slider = page.get_by_role("slider")
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("End")
    expect(total).to_have_text("0")
    expect(page.locator("#panel-s .nothing")).to_be_visible()
    slider.fill(before)
    expect(total).to_have_text(usual)


def test_a_shared_comparison_opens_anew(owner, people, server):
    page = owner.visit("/compare")
    link = owner.share()
    shown = page.locator("#result").inner_text()
    other = people(server.address, **DESK).visit(link)
    assert other.locator("#result").inner_text() == shown
    picks(other).first.click()
    expect(other.locator(".narrative .lit")).to_have_count(3)


def test_a_saved_report_opens_from_its_file(owner, people, server, downloads):
    page = owner.visit("/compare")
    page.get_by_role("button", name="Save as HTML").click()
    assert b"Swimming club" in downloaded(downloads, "common-ground.html")
    alone = people(server.address, **DESK).visit((downloads / "common-ground.html").as_uri())
    picks(alone).first.click()
    expect(alone.locator(".narrative .lit")).to_have_count(3)


def test_scores_are_shown_drawn_and_saved(owner, downloads):
    page = owner.visit("/score")
    row = page.get_by_role("row", name="ROUGE-Lsum")
    expect(row).to_contain_text(re.compile(r"0\.\d{3}"))
    canvas = page.locator("#chart canvas")
    expect(canvas).to_be_visible()
    until(page, lambda: canvas.evaluate(_DRAWN))
    page.wait_for_timeout(1000)  # the bars grow, for the picture
    owner.picture("firefox-score")
    page.locator("#upper").focus()
    page.keyboard.press("Home")
    labels = page.locator("[id^=s-].sentence").evaluate_all("all => all.map(s => s.dataset.label)")
    assert set(labels) == {"P"}
    page.get_by_role("button", name="Save as JSON").click()
    found = json.loads(downloaded(downloads, "scores.json"))
    assert [one["label"] for one in found["sem_f1"]["sentences"]] == labels


def test_a_corrected_mark_changes_the_points_and_is_undone(owner):
    page = owner.visit("/pyramid")
    page.get_by_label("Your name").fill("M. Weber")
    page.get_by_role("tab", name="Class").click()
    sheet = page.get_by_role("region", name="Feedback sheet")
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    before = points(page, "Anna")
    idea = sheet.locator(".idea.stated").first
    worth = float(idea.locator(".points").inner_text().split(" of ")[0])
    idea.get_by_role("button", name="Reject").click()
    expect(sheet).to_contain_text("✗ Not said (decided by M. Weber)")
    assert abs(points(page, "Anna") - (before - worth)) < 0.11
    owner.picture("firefox-pyramid")
    sheet.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Undone.")
    assert points(page, "Anna") == before


def _file(name, rows):
    return {"name": name, "mimeType": "", "buffer": lines(rows).encode()}


def test_a_label_is_given_and_counted(owner, people, server):
    page = owner.visit("/annotate")
    page.get_by_label("Name").fill("Two events")
    page.locator("[name=protocol][value=sentences]").check()
    page.locator("#data_set").set_input_files(_file("events.jsonl", EVENTS))
    page.locator("#outputs").set_input_files(_file("outputs.jsonl", OUTPUTS))
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Two events")).to_be_visible()
    page.wait_for_load_state()  # until then the form has no script
    page.get_by_label("Invite an annotator").fill("Linnet")
    page.get_by_role("button", name="Create link").click()
    expect(page.locator("#invited")).to_have_text("Linnet")

    work = people(server.address, **DESK).visit(page.locator("#link").input_value())
    work.get_by_role("button", name="Start labelling").click()
    expect(work.locator(".unit input").first).to_be_focused()
    for number, key in enumerate("31", start=1):
        work.keyboard.press(key)
        expect(work.locator("#progress-words")).to_have_text(f"{number} of 7 labels saved")
    work.keyboard.press("Control+z")
    expect(work.locator("#progress-words")).to_have_text("1 of 7 labels saved")
    # The owner's page follows by itself.
    row = page.get_by_role("region", name="Annotators").get_by_role("row", name="Linnet")
    expect(row).to_contain_text("1 of 7")


def test_a_saved_result_is_renamed_and_deleted(owner):
    owner.visit("/score")
    link = owner.share()
    page = owner.visit("/saved")
    row = page.locator("#saved li").first
    expect(row.locator("time").first).not_to_contain_text("UTC")  # the page's script has begun
    row.get_by_role("button", name="Rename").click()
    expect(row.get_by_role("textbox", name="Title")).to_be_focused()
    row.get_by_role("textbox", name="Title").fill("Street lamps, draft 2")
    page.keyboard.press("Enter")
    expect(row.get_by_role("link")).to_have_text("Street lamps, draft 2")
    page.reload()
    expect(row.get_by_role("link")).to_have_text("Street lamps, draft 2")
    expect(row.locator("time").first).not_to_contain_text("UTC")
    page.once("dialog", lambda dialog: dialog.accept())
    row.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_have_text("Deleted.")
    expect(page.locator(f'#saved a[href="{link}"]')).to_have_count(0)


def test_drafts_survive_reload_and_going_elsewhere(owner):
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    page.get_by_label("Text A", exact=True).click()
    page.keyboard.type(GAZETTE)
    for leave in (page.reload, lambda: (page.goto("/score"), page.go_back())):
        leave()
        expect(page.get_by_label("Text A", exact=True)).to_have_value(GAZETTE)
    page.reload()
    expect(page.get_by_text("Your draft is back.")).to_be_visible()


def test_a_draft_that_firefox_cannot_keep_is_not_lost_without_a_question(owner):
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    # Firefox asks only whoever has typed or clicked.
    page.get_by_label("Text A", exact=True).click()
    page.keyboard.type("The old bridge")
    assert owner.is_asked_to_stay()


def test_the_source_of_a_page_is_pasted(owner):
    page = owner.visit("/score")
    page.get_by_role("button", name="Score your own summary").click()
    other = page.get_by_label("Text of reference 1")
    other.fill(SOURCE)
    other.press("Control+a")
    other.press("Control+x")
    page.get_by_label("Text of summary").focus()
    page.keyboard.press("Control+v")
    expect(page.get_by_label("Text of summary")).to_have_value("The ferry ran aground on Saturday.")


def test_every_page_fits_a_narrow_window(people, server):
    person = people(server.address, **NARROW)
    for path in PAGES:
        looked_at(person, path, "narrow")


def test_every_page_is_dark(playwright, server, downloads):
    with launched(playwright, downloads, scheme="dark") as browser:
        person = Person(browser, server.address, **DESK)
        for path in PAGES:
            page = looked_at(person, path, "dark")
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert max(map(int, re.findall(r"\d+", ground)[:3])) < 64, ground
        person.leave()


def looked_at(person, path, look):
    page = person.visit(path)
    page.wait_for_load_state("networkidle")
    person.check_width()
    person.check_access()
    assert page.evaluate(_BARELY) == []
    person.picture(f"firefox-{path.strip('/') or 'start'}-{look}")
    return page


def test_the_tabs_of_the_findings_fit_into_the_list_on_a_tablet(people, server):
    page = people(server.address, viewport={"width": 768, "height": 1024}).visit("/compare")
    tabs = page.get_by_role("tablist", name="Findings")
    assert tabs.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
