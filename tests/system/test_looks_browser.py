"""How the pages look: to a screen reader, in the dark, on a phone. Pictures are kept."""

import pytest
from playwright.sync_api import expect

from annotate_study import invite as api_invite
from annotate_study import make as api_make
from people import DARK, PHONE

LOOKS = {
    "light": {},
    "dark": DARK,
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "phone": PHONE,
    "dark-phone": PHONE | DARK,
}


@pytest.fixture(params=LOOKS)
def look(request):
    return request.param


@pytest.fixture(scope="session")
def study(server):
    """A project with labels of two annotators, and the link of a third."""
    visitor = server.browser()
    visitor.visit("/annotate")
    api_make(visitor)
    project = visitor.post("/api/annotate/example").json()["project"]
    return project, api_invite(visitor, project, "Third")


@pytest.fixture
def person(people, server, look):
    return people(server.address, **LOOKS[look])


def looked_at(person, look, name):
    person.check_access()
    person.check_width()
    person.picture(f"{name}-{look}")


@pytest.mark.parametrize("name", ["compare", "score", "pyramid"])
def test_the_example(person, look, name):
    page = person.visit(f"/{name}")
    expect(page.locator("#result")).to_be_visible()
    page.wait_for_load_state("networkidle")
    looked_at(person, look, name)
    # All that is folded, too.
    page.locator("main details").evaluate_all(
        "all => all.forEach((one) => { one.removeAttribute('name'); one.open = true; })"
    )
    page.wait_for_load_state("networkidle")
    looked_at(person, look, f"{name}-unfolded")


def test_the_start_page(person, look):
    page = person.visit("/")
    expect(page.get_by_role("heading", name="Find the common ground")).to_be_visible()
    looked_at(person, look, "start")


def test_the_help_page(person, look):
    page = person.visit("/")
    page.get_by_role("contentinfo").get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", name="Help", exact=True)).to_be_visible()
    looked_at(person, look, "help")
    page.get_by_role("link", name="Deploy for a group").click()
    expect(page.get_by_role("heading", name="Deploy for a group")).to_be_in_viewport()


def test_saved_results(person, look):
    person.visit("/score")
    person.share()
    page = person.visit("/saved")
    expect(page.locator("#saved li").first).to_be_visible()
    looked_at(person, look, "saved")
    page.locator("#saved a.title").first.click()
    expect(page.locator("#result")).to_be_visible()
    looked_at(person, look, "opened")
    page.goto("/saved?q=nothing-has-this-title")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    looked_at(person, look, "saved-nothing")


@pytest.mark.parametrize("path", ["/", "/score", "/pyramid", "/annotate", "/saved"])
def test_our_own_assets_weigh_less_than_100_kb(people, server, path):
    person = people(server.address)
    sizes = {}
    person.page.on("requestfinished", lambda one: sizes.update({one.url: one.sizes()}))
    person.visit(path)
    person.page.wait_for_load_state("load")
    # Charts are drawn later, by a library that is loaded for them.
    first = {url: size for url, size in sizes.items() if "chart.umd" not in url}
    assert sum(size["responseBodySize"] for size in first.values()) < 100_000, first


@pytest.mark.parametrize("path", ["/", "/help", "/score", "/pyramid", "/annotate", "/saved"])
def test_the_focus_has_one_outline(people, server, path):
    page = people(server.address).visit(path)
    page.wait_for_load_state("networkidle")
    outlined = """() => [...document.querySelectorAll("main *")].filter((one) => {
      const style = getComputedStyle(one);
      return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
        && style.opacity !== "0" && one.checkVisibility()
        && (one.contains(document.activeElement) || document.activeElement.contains(one));
    }).length"""
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate(outlined) <= 1, page.evaluate("document.activeElement.outerHTML")


def test_a_statement_that_is_lit(person, look):
    page = person.visit("/compare")
    if "phone" in look:
        page.get_by_role("button", name="Findings").click()
    page.locator("#panel-s .pick").first.click()
    expect(page.locator(".narrative .lit")).not_to_have_count(0)
    looked_at(person, look, "compare-lit")


def test_a_feedback_sheet(person, look):
    page = person.visit("/pyramid")
    page.get_by_role("tab", name="Class").click()
    page.locator("#sheet-body .idea.stated").first.click()
    expect(page.locator("#sheet-body .text .lit")).to_be_visible()
    looked_at(person, look, "sheet")
    page.get_by_role("tab", name="Overview").click()
    expect(page.locator("#chart canvas")).to_be_visible()
    looked_at(person, look, "class-overview")


def test_a_line_that_says_what_is_wrong(person, look):
    page = person.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    looked_at(person, look, "wrong")


def test_annotation_of_the_owner(person, look, study):
    page = person.visit("/annotate")
    looked_at(person, look, "annotate")
    page.goto(f"/annotate/projects/{study[0]}")
    expect(page.get_by_role("region", name="Agreement")).to_be_visible()
    looked_at(person, look, "annotate-project")


def test_annotation_of_an_annotator(person, look, study):
    page = person.visit(study[1])
    looked_at(person, look, "invitation")
    page.get_by_role("button", name="Start labelling").click()
    expect(page.locator("#item :focus")).to_have_count(1)
    page.locator(".choice").first.click()
    expect(page.locator(".state").first).to_have_text("saved")
    page.get_by_text("How to label").click()
    looked_at(person, look, "work")
    # The owner without a password, whose browser is the annotator's now, has a way back.
    person.expects(403)
    page.goto("/compare")
    expect(page.get_by_role("heading", name="Not allowed")).to_be_visible()
    looked_at(person, look, "not-allowed")
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Find the common ground")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()


def test_a_page_that_is_not_there(person, look):
    person.expects(404)
    person.visit("/saved/nothing")
    looked_at(person, look, "not-found")


def test_scores_move_beside_the_students_on_a_phone(people, server):
    page = people(server.address, **PHONE).visit("/pyramid")
    page.get_by_role("tab", name="Overview").click()
    table = page.get_by_role("region", name="All scores")
    first = table.locator("tbody th").first
    before = first.bounding_box()["x"]
    moved = table.evaluate("one => { one.scrollLeft = 80; return one.scrollLeft; }")
    assert moved > 0
    assert abs(first.bounding_box()["x"] - before) < 1


def test_a_message_leaves_the_next_item_free_on_a_phone(people, server, study):
    page = people(server.address, **PHONE).visit(study[1])
    page.get_by_role("button", name="Start labelling").click()
    expect(page.locator("#item :focus")).to_have_count(1)
    page.locator(".said").evaluate_all("all => all.forEach((one) => (one.textContent = 'Saved'))")
    bar = page.locator(".steps").bounding_box()
    for line in page.locator(".said").all():
        box = line.bounding_box()
        assert box["y"] + box["height"] <= bar["y"]
