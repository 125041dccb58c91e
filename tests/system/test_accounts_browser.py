"""A group in real browsers: invited, joined, each with their own, shared, revoked; and a token."""

import re

import pytest
from playwright.sync_api import expect

from people import DARK, PHONE
from served import Served

PASSWORD = "correct horse battery"
LOOKS = {
    "light": {},
    "dark": DARK,
    "tablet": {"viewport": {"width": 768, "height": 900}},
    "phone": PHONE,
}


@pytest.fixture
def group(tmp_path):
    served = Served("--data", tmp_path, "--accounts")
    line = served.process.stderr.readline()
    served.setup = re.search(r"/join/\S+", line)[0]
    yield served
    assert served.stop() == ""


def joined(person, link):
    page = person.visit(link)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Save and log in").click()
    expect(page.locator(".self a").last).to_be_visible()
    return page


def invited(admin, name):
    page = admin.visit("/people")
    page.get_by_label("Invite a person").fill(name)
    page.get_by_role("button", name="Create link").click()
    box = page.locator("#link")
    expect(box).to_be_visible()
    return "/join/" + box.input_value().rpartition("/join/")[2]


def test_a_group_works_together(people, group):
    admin, ada = people(group.address), people(group.address)
    joined(admin, group.setup)
    link = invited(admin, "ada")
    joined(ada, link)
    ada.expects(404, 403)
    expect(ada.visit(link).get_by_text("This link was used")).to_be_visible()

    page = admin.visit("/annotate")
    page.get_by_role("button", name=re.compile("example", re.IGNORECASE)).first.click()
    expect(page).to_have_url(re.compile(r"/annotate/projects/\d+$"))
    project = page.url.removeprefix(group.address)
    expect(ada.visit("/annotate").locator(f'a[href="{project}"]')).to_have_count(0)
    assert ada.page.request.get(project).status == 404

    page.get_by_text("Share with people").click()
    page.get_by_label("Share with", exact=True).select_option("ada")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Shared with ada.")
    admin.check_access()
    expect(ada.visit("/annotate").locator(f'a[href="{project}"]').first).to_be_visible()
    expect(ada.visit(project).get_by_text("This project is shared with you")).to_be_visible()
    page.get_by_role("button", name="Stop sharing with ada").click()
    expect(page.get_by_role("status")).to_have_text("No longer shared with ada.")
    expect(ada.visit(project).get_by_text("is not shared with you")).to_be_visible()

    ada.visit("/score")
    page = admin.visit("/people")
    page.get_by_role("button", name=re.compile("End the session of ada")).click()
    expect(page.get_by_role("status")).to_have_text("Session ended.")
    ada.expects(401)
    page = ada.page
    page.get_by_role("button", name="Share link").click()
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog).to_be_visible()
    ada.check_access()
    ada.picture("log-in-again")
    with ada.context.expect_page() as opened:
        dialog.get_by_role("link", name="Log in in a new tab").click()
    tab = opened.value
    tab.get_by_label("Name").fill("ada")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Log in").click()
    expect(dialog).to_have_count(0)  # and the request went through
    expect(page.locator("#link a")).to_be_visible()


def test_links_of_this_visit_stay_on_the_page_of_people(people, group):
    admin = people(group.address)
    page = joined(admin, group.setup)
    page = admin.visit("/people")
    for name in ("ada", "bob"):
        page.get_by_label("Invite a person").fill(name)
        page.get_by_role("button", name="Create link").click()
        expect(page.locator("#invited")).to_have_text(name)
    earlier = page.get_by_label("Link for ada")
    first, second = earlier.input_value(), page.locator("#link").input_value()
    assert "/join/" in first != second
    page.get_by_role("button", name="Copy the link for ada").click()
    expect(page.locator("#status")).to_contain_text(re.compile("copied|selected link"))
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="New invitation for ada").click()
    expect(page.locator("#invited")).to_have_text("ada")
    assert page.locator("#link").input_value() not in (first, second)
    assert page.get_by_label("Link for bob").input_value() == second
    expect(page.locator("#earlier label")).to_have_count(1)  # the old one of ada has ended
    admin.check_access()
    admin.check_width()


@pytest.mark.parametrize("look", LOOKS)
def test_how_the_pages_look(people, group, look):
    admin = people(group.address, **LOOKS[look])
    admin.visit(group.setup)
    admin.check_access()
    admin.picture(f"join-{look}")
    joined(admin, group.setup)
    invited(admin, "ada@example.org")
    for path, name in (("/people", "people"), ("/account", "account"), ("/people/log", "log")):
        page = admin.visit(path)
        expect(page.locator("h1")).to_be_visible()
        admin.check_access()
        admin.check_width()
        admin.picture(f"{name}-{look}")


def test_the_printed_link_opens_the_pages_and_nothing_else_does(people, tmp_path):
    served = Served("--data", tmp_path, token=True)
    try:
        stranger, owner = people(served.address), people(served.address)
        page = stranger.visit("/compare")
        expect(page.get_by_role("heading", name="Open the printed link")).to_be_visible()
        stranger.check_access()
        stranger.picture("token")
        page.get_by_label("Link or token").fill(served.link)
        page.get_by_role("button", name="Continue").click()
        expect(page).to_have_url(f"{served.address}/compare")
        page = owner.visit(served.link.removeprefix(served.address))
        expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        assert "token" not in page.url
    finally:
        assert served.stop() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tables_are_stacked_on_a_phone(people, group, scheme):
    admin = people(group.address, **PHONE, color_scheme=scheme)
    joined(admin, group.setup)
    invited(admin, "somebody.with.a.long.name@a-university-with-a-name.example.org")
    joined(people(group.address), invited(admin, "ada"))
    page = admin.visit("/people")
    page.get_by_role("button", name="Disable ada").scroll_into_view_if_needed()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Disable ada").click()
    expect(page.get_by_role("button", name="Take over projects and results of ada")).to_be_visible()
    for path in ("/people", "/people/log", "/account"):
        page = admin.visit(path)
        expect(page.locator("table").first).to_be_visible()
        wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert page.locator(".scroll").evaluate_all(wide) == 0, path
        # Everything in a table is within the screen, and its rows and columns are still told.
        for cell in page.locator("tbody :is(th, td, button, select):visible").all():
            box = cell.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390, cell.inner_text()
        assert page.get_by_role("row").count() > 1
        assert page.get_by_role("columnheader").count() >= 3
        admin.check_access()
        admin.check_width()
        admin.picture(f"{path.strip('/').replace('/', '-')}-stacked-{scheme}")
    tops = [admin.page.locator(one).bounding_box()["y"] for one in (".home", ".self", "#log-out")]
    assert max(tops) - min(tops) < 20, "the head is one line, and the pages are another"
    label = "one => getComputedStyle(one, '::before').content"
    assert page.locator("tbody td").first.evaluate(label) == '"Browser"'


def test_a_typed_password_can_be_shown(people, group):
    admin = people(group.address)
    page = admin.visit(group.setup)
    field, form = page.get_by_label("Password"), page.locator("form.card")
    field.fill("a typo is seen")
    form.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    form.get_by_role("button", name="Hide password").click()
    expect(field).to_have_attribute("type", "password")
    form.get_by_role("button", name="Show password").click()
    page.get_by_role("button", name="Save and log in").click()
    account = admin.visit("/account")
    account.get_by_label("Current password").fill("a typo is seen")
    account.get_by_label("New password").fill(PASSWORD)
    account.get_by_role("button", name="Show passwords").click()
    expect(account.get_by_label("New password")).to_have_attribute("type", "text")
    account.get_by_role("button", name="Change password").click()
    expect(account.get_by_text("Password changed.")).to_be_visible()
    expect(account.get_by_label("New password")).to_have_attribute("type", "password")


def test_a_result_is_shared_with_chosen_people(people, group):
    admin, ada, visitor = (people(group.address) for _ in range(3))
    joined(admin, group.setup)
    joined(ada, invited(admin, "ada"))
    page = admin.visit("/compare")
    page.get_by_role("button", name="Share with people").click()
    page.get_by_label("Share with", exact=True).select_option("ada")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#status")).to_have_text("Shared with ada.")
    expect(page.locator("#reach")).to_contain_text("Only people with whom it is shared")
    admin.check_access()
    admin.check_width()
    admin.picture("share-with-people")
    link = page.url.removeprefix(group.address).partition("#")[0]
    expect(ada.visit(link).get_by_text("shared with you by admin")).to_be_visible()
    expect(visitor.visit(link).get_by_role("button", name="Log in")).to_be_visible()
    public = page.get_by_label("Anyone with the link can view it")
    public.check()
    expect(page.locator("#reach")).to_have_text("Anyone with the link can view this page.")
    expect(visitor.visit(link).get_by_role("heading", name="Compare")).to_be_visible()
    public.uncheck()
    expect(page.locator("#reach")).to_contain_text("Only people")
    visitor.visit(link)
    expect(visitor.page).to_have_url(re.compile("/login"))
    expect(admin.visit("/saved").get_by_text("chosen people", exact=True)).to_be_visible()


def test_a_new_link_leads_to_sharing_with_people(people, group):
    admin, ada = people(group.address), people(group.address)
    joined(admin, group.setup)
    joined(ada, invited(admin, "ada"))
    page = ada.visit("/compare")
    page.get_by_role("button", name="Share link").click()
    expect(page.locator("#link a")).to_be_visible()
    link = page.locator("#link a").get_attribute("href")
    page.get_by_role("button", name="Share with people").click()
    page.wait_for_url(f"**{link}#share-people")
    expect(page.get_by_label("Anyone with the link can view it")).to_be_checked()
    page.get_by_label("Share with", exact=True).select_option("admin")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#status")).to_have_text("Shared with admin.")
    expect(admin.visit("/saved").get_by_text("shared with you by ada")).to_be_visible()


def test_what_changed_after_its_link_was_made_is_saved_again_for_people(people, group):
    admin = people(group.address)
    joined(admin, group.setup)
    page = admin.visit("/compare")
    page.get_by_role("button", name="Share link").click()
    expect(page.locator("#link a")).to_be_visible()
    link = page.locator("#link a").get_attribute("href")
    page.get_by_role("slider").fill("70")
    page.get_by_role("button", name="Share with people").click()
    page.wait_for_url("**/saved/*#share-people")
    assert link not in page.url
    expect(page.get_by_label("Anyone with the link can view it")).not_to_be_checked()
    expect(page.get_by_role("slider")).to_have_value("70")
