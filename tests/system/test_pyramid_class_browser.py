"""Grading a class on the Pyramid page, in a real browser: list, sheet, keys, progress, drafts."""

import pytest
from playwright.sync_api import expect

from people import PHONE
from pyramid_desk import GOOD, REFERENCES, built, graded, points, students, unit

DESK = {"viewport": {"width": 1440, "height": 900}}


def at_class(person):
    """The worked example, with the first student's sheet."""
    page = person.visit("/pyramid")
    page.get_by_role("tab", name="Class").click()
    expect(heading(page, "Anna")).to_be_visible()
    return page


def heading(page, name):
    return page.locator("#sheet-body").get_by_role("heading", name=name, exact=True)


def current(page):
    return page.locator("#roster [aria-current]")


def progress(page):
    return page.locator("#checked-words")


def reloaded(page):
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()


@pytest.fixture
def doubtful(owner, server):
    """The worked example in which Ben and Carla may deny an idea, shared under a link."""
    visitor = server.browser()
    visitor.visit("/pyramid")
    desk = visitor.get("/api/pyramid/example").json()
    del desk["now"]
    for scores in (desk["scores"], desk["judged"]):
        for student in (scores or {"students": []})["students"][1:]:
            stated = next(one for one in student["matches"] if one["stated"])
            stated["check"] = "negation"
    link = visitor.post("/api/saved", json={"kind": "pyramid", "data": desk}).json()["link"]
    page = owner.visit(link)
    page.get_by_role("tab", name="Class").click()
    expect(heading(page, "Anna")).to_be_visible()
    return page


def test_summary_ideas_and_students_are_seen_together(people, server):
    page = at_class(people(server.address, **DESK))
    for part in ("#roster", "#sheet-body .text", "#sheet-body .said-ideas h2 >> nth=0"):
        box = page.locator(part).bounding_box()
        assert 0 <= box["y"] < 860, part
    assert page.evaluate("scrollY") == 0
    text, ideas = (page.locator("#sheet-body .pane").nth(one).bounding_box() for one in (0, 1))
    assert text["y"] == ideas["y"]
    assert text["x"] + text["width"] <= ideas["x"]


def test_choosing_an_idea_lights_its_sentence(owner):
    page = at_class(owner)
    idea = page.locator("#sheet-body .idea.stated").nth(1)
    idea.click()
    lit = page.locator("#sheet-body .text .lit")
    expect(lit).to_have_count(1)
    quoted = idea.locator("a").inner_text().strip("“”")
    assert lit.inner_text().startswith(quoted)
    # By the number in the text, and by the keyboard.
    page.locator('#sheet-body .text a[href="#idea-1"]').click()
    expect(page.locator("#idea-1")).to_have_class("idea stated lit")
    page.locator("#sheet-body .idea.stated").nth(1).get_by_role("button", name="Accept").focus()
    expect(idea).to_have_class("idea stated lit")
    page.locator("#sheet-body .idea.missed").first.click()
    expect(lit).to_have_count(0)
    assert page.url.endswith("/pyramid")


def test_keys_move_through_the_students_in_the_order_of_the_list(owner):
    page = at_class(owner)
    page.get_by_role("button", name="Points").click()
    page.get_by_role("button", name="Points").click()  # the lowest first
    assert page.locator("#roster tbody th").all_text_contents() == ["Carla", "Ben", "Anna"]
    page.keyboard.press("k")
    expect(heading(page, "Ben")).to_be_visible()
    page.keyboard.press("j")
    expect(heading(page, "Anna")).to_be_visible()
    current(page).focus()
    page.keyboard.press("ArrowUp")
    expect(heading(page, "Ben")).to_be_visible()
    expect(current(page)).to_be_focused()
    expect(current(page)).to_have_text("Ben")
    page.get_by_label("Comment to the student").fill("j")
    page.get_by_label("Comment to the student").press("j")
    expect(heading(page, "Ben")).to_be_visible()


def test_checked_students_are_counted_and_shared(owner, people, server):
    page = at_class(owner)
    expect(progress(page)).to_have_text("0 of 3 checked")
    page.keyboard.press("n")
    expect(heading(page, "Ben")).to_be_visible()
    expect(progress(page)).to_have_text("1 of 3 checked")
    page.get_by_role("button", name="Checked, next student").click()
    expect(heading(page, "Carla")).to_be_visible()
    page.keyboard.press("n")
    expect(progress(page)).to_have_text("3 of 3 checked")
    page.get_by_role("button", name="Not checked yet").click()
    expect(progress(page)).to_have_text("2 of 3 checked")
    page.get_by_label("include the students").check()
    other = people(server.address).visit(owner.share())
    other.get_by_role("tab", name="Class").click()
    expect(progress(other)).to_have_text("2 of 3 checked")
    expect(other.locator("#roster tr", has=other.locator(".done"))).to_have_count(2)


def test_a_student_who_is_removed_is_no_longer_counted(owner):
    page = at_class(owner)
    page.keyboard.press("n")
    expect(progress(page)).to_have_text("1 of 3 checked")
    page.get_by_text("Add or remove students").click()
    page.get_by_text("Submissions: 3").click()
    page.get_by_role("button", name="Remove Anna").click()
    expect(progress(page)).to_have_text("0 of 2 checked")
    expect(heading(page, "Ben")).to_be_visible()


def test_the_list_shows_only_students_with_ideas_to_check(doubtful):
    page = doubtful
    page.get_by_role("button", name="To check 2").click()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(2)
    page.get_by_role("button", name="Ben").click()
    expect(heading(page, "Ben")).to_be_visible()
    page.locator("#sheet-body .idea.check").get_by_role("button", name="Accept").click()
    expect(page.get_by_role("button", name="To check 1")).to_be_visible()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(1)
    page.get_by_role("button", name="All 3").click()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(3)


def test_a_comment_is_saved_when_the_next_student_is_shown(owner):
    page = at_class(owner)
    page.get_by_label("Comment to the student").fill("Name the costs, too.")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(heading(page, "Ben")).to_be_visible()
    expect(page.get_by_label("Comment to the student")).to_have_value("")
    page.get_by_role("button", name="Previous").click()
    expect(page.locator("#sheet-body .comment")).to_contain_text("Name the costs, too.")


def test_students_are_chosen_from_a_menu_on_a_phone(people, server):
    page = at_class(people(server.address, **PHONE))
    expect(page.locator("#roster")).to_be_hidden()
    page.get_by_role("combobox", name="Student").select_option("2")
    expect(heading(page, "Carla")).to_be_visible()
    page.get_by_role("button", name="Checked, next student").tap()
    expect(progress(page)).to_have_text("1 of 3 checked")
    expect(heading(page, "Anna")).to_be_visible()


def test_the_overview_counts_the_class(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("tab", name="Overview").click()
    # Anna has 43%, Ben 20%, Carla 15%.
    chart = page.get_by_role("img", name="Comprehensive scores of 3 students.")
    expect(chart).to_have_attribute(
        "aria-label",
        "Comprehensive scores of 3 students. 0 to 19%: 1, 20 to 39%: 1, 40 to 59%: 1, "
        "60 to 79%: 0, 80% and more: 0.",
    )
    counts = page.get_by_role("table", name="Scores of the class").locator("td")
    assert counts.all_text_contents() == ["1", "1", "1", "0", "0"]
    expect(page.get_by_role("table", name="Ideas by class")).to_be_visible()


def test_a_page_without_a_class_invites(owner):
    page = built(owner)
    page.get_by_role("tab", name="Overview").click()
    page.get_by_role("button", name="Add students").click()
    expect(page.get_by_text("Add your students' summaries", exact=True)).to_be_visible()


def test_a_class_and_its_marks_survive_a_reload(owner):
    page = graded(owner)
    page.get_by_role("button", name="Alder").click()
    expect(heading(page, "Alder")).to_be_visible()
    before = points(page, "Alder")
    page.locator("#sheet-body .idea.stated").first.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_have_text("Changed.")
    after = points(page, "Alder")
    assert after < before
    reloaded(page)
    expect(page.get_by_text("Your draft is back.")).to_be_visible()
    assert sorted(students(page)) == ["Alder", "Wren"]
    assert points(page, "Alder") == after
    assert page.get_by_label("Text of reference 2").input_value() == REFERENCES[1]
    page.get_by_role("button", name="Undo last change").click()
    expect(page.get_by_role("status")).to_have_text("Undone.")
    assert points(page, "Alder") == before
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("This is a worked example")).to_be_visible()


def test_references_survive_a_reload_and_ctrl_enter_builds(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("button", name="Build your own pyramid").click()
    for number in (1, 2):
        page.get_by_label(f"Text of reference {number}").fill(REFERENCES[number - 1])
    page.reload()
    expect(page.get_by_text("Your draft is back.")).to_be_visible()
    expect(page.get_by_label("Text of reference 1")).to_have_value(REFERENCES[0])
    page.get_by_label("Text of reference 2").press("Control+Enter")
    expect(page.locator("#result")).to_be_focused()
    expect(page.get_by_role("heading", name="Weight 2")).to_be_visible()
    page.get_by_role("tab", name="Class").click()
    page.get_by_text("Paste a summary instead").click()
    page.get_by_role("textbox", name="Student", exact=True).fill("Alder")
    page.get_by_role("textbox", name="Summary", exact=True).fill(GOOD.decode())
    page.get_by_role("textbox", name="Summary", exact=True).press("Control+Enter")
    expect(page.get_by_role("table", name="Scores of 1 summary")).to_be_visible()


def test_sharing_with_the_class_waits_for_the_scoring_under_way(owner, people, server):
    page = graded(owner)
    before = points(page, "Alder")
    held, shared = [], []
    page.route("**/api/pyramid/marks", lambda route: held.append(route))
    page.on("request", lambda one: shared.append(one) if one.url.endswith("/api/saved") else None)
    page.get_by_label("include the students").check()
    page.get_by_role("tab", name="Pyramid").click()
    top = unit(page, "bridge")
    top.locator("summary").click()
    top.get_by_label("Weight").fill("9")
    with page.expect_request("**/api/pyramid/marks"):
        top.get_by_role("button", name="Set").click()
    page.get_by_role("button", name="Share link").click()
    assert page.evaluate("fetch(location.href).then((answer) => answer.status)") == 200
    assert not shared
    held.pop().continue_()
    expect(page.locator("#link a")).to_be_visible()
    other = people(server.address).visit(page.locator("#link a").get_attribute("href"))
    other.get_by_role("tab", name="Class").click()
    expect(other.get_by_role("table", name="Scores of 2 summaries")).to_be_visible()
    assert points(other, "Alder") > before + 1
