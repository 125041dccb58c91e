"""Every state of a comparison has no barriers: tabs, the ends of the slider, one text, a drawer."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from commonground import overlap
from people import PHONE, picks

EXAMPLES = Path(__file__).parents[2] / "examples" / "overlap"
WIDE = {"viewport": {"width": 1440, "height": 900}}
ENDS = {"least": "30", "most": "90"}


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture(params=["wide", "phone"])
def person(request, people, server, scheme):
    look = WIDE if request.param == "wide" else PHONE
    person = people(server.address, **look, color_scheme=scheme)
    person.name = f"{request.param}-{scheme}"
    return person


def checked(person, state):
    person.check_access()
    person.check_width()
    person.picture(f"compare-{state}-{person.name}")


def open_list(person):
    """Show the list of findings, which is a drawer on a phone."""
    expect(person.page.locator("html.scripted")).to_be_visible()
    button = person.page.get_by_role("button", name="Findings")
    if button.is_visible() and button.get_attribute("aria-expanded") == "false":
        button.click()
    expect(person.page.get_by_role("region", name="Findings")).to_be_visible()


@pytest.mark.parametrize("end", ENDS)
def test_tabs_at_both_ends_of_the_slider(person, end):
    page = person.visit("/compare")
    open_list(person)
    page.get_by_role("slider").fill(ENDS[end])
    for kind in "suc":
        page.locator(f"#tab-{kind}").click()
        items, nothing = picks(page, kind), page.locator(f"#panel-{kind} .nothing")
        is_empty = items.count() == 0
        assert is_empty == (end == "most" and kind == "s")
        expect(nothing).to_be_visible() if is_empty else expect(nothing).to_be_hidden()
        checked(person, f"{end}-{kind}")
        if not is_empty:
            items.first.click()
            expect(page.locator(".lit")).not_to_have_count(0)
            checked(person, f"{end}-{kind}-chosen")
            open_list(person)


@pytest.mark.parametrize("index", range(3))
def test_one_text_at_a_time(person, index):
    page = person.visit("/compare")
    expect(page.locator("html.scripted")).to_be_visible()
    if "wide" in person.name:
        page.get_by_role("button", name="One at a time").click()
    button = page.get_by_role("group", name="Text", exact=True).get_by_role("button").nth(index)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".narrative:visible")).to_have_count(1)
    checked(person, f"one-{index}")


def test_nothing_was_found(person, tmp_path):
    texts = [path.read_text("utf-8") for path in sorted((EXAMPLES / "unrelated").iterdir())]
    overlap(texts).to_html(tmp_path / "page.html")
    page = person.visit((tmp_path / "page.html").as_uri())
    open_list(person)
    for kind, words in (("s", "share no statement"), ("c", "No conflict found")):
        page.locator(f"#tab-{kind}").click()
        expect(page.locator(f"#panel-{kind} .nothing")).to_contain_text(words)
        checked(person, f"nothing-{kind}")


def test_a_tooltip_is_open(person):
    page = person.visit("/compare")
    page.locator(".narrative:visible .text").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tooltip")).to_be_visible()
    checked(person, "tooltip")
