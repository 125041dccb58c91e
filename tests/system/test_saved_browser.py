"""Saved results in a real browser: found again, deleted from their page and from the list."""

import re

import pytest
from playwright.sync_api import expect

from people import DARK, PHONE
from served import Served

LOOKS = {"light": {}, "dark": DARK, "phone": PHONE}


def saved(person, page="/score"):
    person.visit(page)
    expect(person.page.locator("#result")).to_be_visible()
    return person.share()


def rows(page):
    return page.locator("#saved li")


def test_delete_it_on_its_page_ends_the_link_for_all(owner, people, server):
    link = saved(owner)
    other = people(server.address)
    expect(other.visit(link).locator("#result")).to_be_visible()

    page = owner.visit(link)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(f"{server.address}{link}")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(f"{server.address}/saved")
    expect(page.get_by_role("heading", name="Saved results")).to_be_visible()
    expect(page.locator(f'#saved a[href="{link}"]')).to_have_count(0)

    other.expects(404)
    expect(
        other.visit(link).get_by_text("This link does not exist, has expired or was deleted.")
    ).to_be_visible()


def test_the_list_leads_to_results_and_deletes_them(owner):
    first, second = saved(owner), saved(owner, "/compare")
    page = owner.page
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Saved").click()
    newest = rows(page).first
    expect(newest.locator("a")).to_have_attribute("href", second)
    expect(newest).to_contain_text("Comparison")
    expect(newest.locator("time")).not_to_contain_text("UTC")
    newest.locator("a").click()
    expect(page.locator("#result")).to_be_visible()
    page.get_by_role("link", name="All saved results").click()
    expect(newest.locator("time")).not_to_contain_text("UTC")  # the page's script has begun

    count = rows(page).count()
    page.once("dialog", lambda dialog: dialog.dismiss())
    newest.get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(count)
    page.once("dialog", lambda dialog: dialog.accept())
    newest.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_have_text("Deleted.")
    expect(rows(page)).to_have_count(count - 1)
    expect(newest.locator("a")).to_have_attribute("href", first)
    # Who works by keyboard goes on from the next one.
    expect(newest.get_by_role("button", name="Delete")).to_be_focused()
    page.reload()
    expect(rows(page)).to_have_count(count - 1)

    owner.expects(404)
    page.goto(second)
    expect(
        page.get_by_text("This link does not exist, has expired or was deleted.")
    ).to_be_visible()


def test_a_link_is_copied_by_keyboard(owner, server):
    link = saved(owner)
    owner.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = owner.visit("/saved")
    copy = rows(page).first.get_by_role("button", name="Copy link")
    owner.tab_to(copy)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.address}{link}"
    owner.visit(link)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#status")).to_contain_text("Link copied.")


def test_without_a_clipboard_the_link_is_selected(owner, server):
    link = saved(owner)
    refuse = "() => { navigator.clipboard.writeText = () => Promise.reject(); }"
    page = owner.visit("/saved")
    page.evaluate(refuse)
    row = rows(page).first
    row.get_by_role("button", name="Copy link").click()
    box = row.get_by_role("textbox", name="Link")
    expect(box).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Press Ctrl+C to copy the selected link.")
    assert page.evaluate("getSelection().toString()") == f"{server.address}{link}"
    owner.check_access()
    owner.check_width()
    owner.picture("saved-link-box")
    page.keyboard.press("Escape")
    expect(row.get_by_role("button", name="Copy link")).to_be_focused()
    expect(box).to_have_count(0)

    # The line above a result that was just shared.
    owner.visit("/score")
    owner.share()
    page.evaluate(refuse)
    page.get_by_role("button", name="Copy", exact=True).click()
    shown = page.locator("#link a").inner_text()
    assert page.evaluate("getSelection().toString()") == shown


@pytest.mark.parametrize("look", LOOKS)
def test_how_the_list_looks(people, server, look):
    person = people(server.address, **LOOKS[look])
    for page in ("/score", "/compare", "/pyramid"):
        saved(person, page)
    person.visit("/saved")
    expect(rows(person.page).first).to_be_visible()
    if look != "phone":
        person.check_access()
    person.check_width()
    tops = [one.bounding_box()["y"] for one in rows(person.page).first.locator("button").all()]
    assert max(tops) - min(tops) < 1, "the actions stand in one line"
    person.picture(f"saved-{look}")


def test_a_result_is_renamed_in_place_found_and_set_to_expire(owner):
    link = saved(owner)
    page = owner.visit("/saved")
    row = rows(page).first
    row.get_by_role("button", name="Rename").click()
    name = row.get_by_role("textbox", name="Title")
    expect(name).to_be_focused()
    page.keyboard.press("Escape")
    expect(row.get_by_role("button", name="Rename")).to_be_focused()
    page.keyboard.press("Enter")
    name.fill("Street lamps, draft 2")
    page.keyboard.press("Enter")
    expect(row.get_by_role("link")).to_have_text("Street lamps, draft 2")
    expect(row.get_by_label("Expiry of Street lamps, draft 2")).to_be_visible()
    row.get_by_role("combobox").select_option("7")
    expect(row.locator(".expiry")).to_contain_text("Expires")
    page.get_by_role("searchbox").fill("DRAFT 2")
    page.keyboard.press("Enter")
    expect(rows(page).first.get_by_role("link")).to_have_attribute("href", link)
    expect(rows(page).first.locator(".expiry time")).not_to_contain_text("UTC")

    rows(page).first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(link))
    line = page.locator("[data-saved]")
    expect(line.locator(".title")).to_have_text("Street lamps, draft 2")
    expect(line.locator("time").first).not_to_contain_text("UTC")  # the page's script has begun
    line.get_by_role("combobox").select_option("date")
    day = line.get_by_label("Date of expiry")
    expect(day).to_be_focused()
    page.keyboard.type("12312999")  # the years 0002, 0029 and 0299 on the way are not sent
    expect(line.locator(".expiry")).to_contain_text("2999")
    page.reload()
    expect(line.locator(".expiry")).to_contain_text("2999")
    expect(line.locator("time").first).not_to_contain_text("UTC")
    line.get_by_role("combobox").select_option("never")
    expect(line.locator(".expiry")).to_have_text("No expiry")


@pytest.mark.parametrize("look", LOOKS)
def test_the_buttons_of_an_empty_list_are_centred(people, tmp_path, look):
    served = Served("--data", tmp_path)
    try:
        person = people(served.address, **LOOKS[look])
        page = person.visit("/saved")
        around = page.locator(".empty").bounding_box()
        boxes = [one.bounding_box() for one in page.locator(".empty .button").all()]
        assert len(boxes) == 3
        for top in {box["y"] for box in boxes}:
            line = [box for box in boxes if box["y"] == top]
            left = min(box["x"] for box in line) - around["x"]
            right = around["width"] - max(box["x"] + box["width"] for box in line) + around["x"]
            assert abs(left - right) < 2, (left, right)
        person.check_access()
        person.picture(f"saved-empty-{look}")
    finally:
        assert served.stop() == ""
