"""Grading a class on the Pyramid page, in a real browser: list, sheet, keys, progress, drafts."""

import pytest
from playwright.sync_api import expect

from people import PHONE, PICTURES
from pyramid_desk import GOOD, POOR, REFERENCES, built, graded, points, students, unit

DESK = {"viewport": {"width": 1440, "height": 900}}


def at_class(person):
    """The worked example, with the first student's sheet; every question is answered with yes."""
    page = person.visit("/pyramid")
    page.on("dialog", lambda dialog: dialog.accept())
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
def doubtful_class(owner, server):
    """The worked example in which Ben and Carla may deny an idea, shared under a link."""
    visitor = server.browser()
    visitor.visit("/pyramid")
    desk = visitor.get("/api/pyramid/example").json()
    del desk["now"]
    for scores in (desk["scores"], desk["judged"]):
        anna, *others = (scores or {"students": [{"matches": []}]})["students"]
        for match in anna["matches"]:
            match["checks"] = []
        for student in others:
            stated = next(one for one in student["matches"] if one["stated"])
            stated["checks"] = [{"kind": "negation", "words": "this may deny it"}]
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
    page.locator('#sheet-body .text a[href="#idea-5"]').click()
    expect(page.locator("#idea-5")).to_have_class("idea stated lit")
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
    page.get_by_role("button", name="Mark as not checked").click()
    expect(progress(page)).to_have_text("2 of 3 checked")
    page.get_by_label("include the students").check()
    other = people(server.address).visit(owner.share())
    other.get_by_role("tab", name="Class").click()
    expect(progress(other)).to_have_text("2 of 3 checked")
    expect(other.locator("#roster tr", has=other.locator(".done"))).to_have_count(2)


def test_a_sheet_with_ideas_to_check_is_not_marked_without_a_question(doubtful_class):
    page = doubtful_class
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Checked, next student").click()  # Anna has none
    expect(heading(page, "Ben")).to_be_visible()
    assert not asked
    page.keyboard.press("n")
    assert asked == ["2 ideas are still to check. Mark as checked anyway?"]
    expect(progress(page)).to_have_text("1 of 3 checked")
    expect(heading(page, "Ben")).to_be_visible()
    # On paper the sheet is the student's.
    sheet = page.locator("#sheet-body")
    expect(sheet.get_by_text("Please check").first).to_be_visible()
    expect(sheet.get_by_text("(may be wrong)").first).to_be_hidden()
    page.emulate_media(media="print")
    expect(sheet.get_by_text("Please check").first).to_be_hidden()
    expect(sheet.get_by_text("(may be wrong)").first).to_be_visible()


@pytest.mark.parametrize("width", [1280, 1440])
def test_every_column_of_the_list_fits(people, server, width):
    page = at_class(people(server.address, viewport={"width": width, "height": 900}))
    page.get_by_role("tab", name="Overview").click()
    page.get_by_text("Grade scale").click()
    page.locator("#grade-scale").fill("mark,points\nvery good,8\ngood,0")
    page.get_by_role("button", name="Grade the class").click()
    expect(page.get_by_role("table", name="Grades of the class")).to_be_visible()
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"pyramid-overview-{width}.png")
    page.get_by_role("tab", name="Class").click()
    heads = page.locator("#roster thead th")
    expect(heads).to_have_text(["Student", "Points", "Mark", "Check"])
    page.screenshot(path=PICTURES / f"pyramid-roster-{width}.png")
    clipped = (
        "ones => ones.filter(one => one.scrollWidth > one.clientWidth).map(one => one.outerHTML)"
    )
    assert page.locator("#roster, #roster :is(th, td)").evaluate_all(clipped) == []
    (room,) = page.locator("#roster").evaluate_all("ones => ones.map(one => one.clientWidth)")
    assert page.locator("#roster table").bounding_box()["width"] <= room + 0.5


def test_a_student_who_is_removed_is_no_longer_counted(owner):
    page = at_class(owner)
    page.keyboard.press("n")
    expect(progress(page)).to_have_text("1 of 3 checked")
    page.get_by_text("Add or remove students").click()
    page.get_by_text("Submissions: 3").click()
    page.get_by_role("button", name="Remove Anna").click()
    expect(progress(page)).to_have_text("0 of 2 checked")
    expect(heading(page, "Ben")).to_be_visible()


def test_the_list_shows_only_students_with_ideas_to_check(doubtful_class):
    page = doubtful_class
    page.get_by_role("button", name="To check 2").click()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(2)
    page.get_by_role("button", name="Ben").click()
    expect(heading(page, "Ben")).to_be_visible()
    doubtful = page.locator("#sheet-body .idea.check")
    for left in (1, 0):
        doubtful.first.get_by_role("button", name="Accept").click()
        expect(doubtful).to_have_count(left)
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
    # Anna has 43%, Ben 20%, Carla 16%.
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
    page.get_by_role("button", name="Undo", exact=True).click()
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
    expect(page.get_by_role("heading", name="2 points")).to_be_visible()
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
    top.get_by_label("Points", exact=True).fill("9")
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


TABLE = b"name,summary,mark\nAlder,%s,\nRook,,\nWren,Anglers sat in the rain.,\n" % GOOD


def test_a_class_is_dropped_as_one_table_beside_a_text(owner):
    page = built(owner)
    owner.drop("#class", class_csv=TABLE, Teal_txt=POOR)
    expect(page.get_by_role("table", name="Scores of 3 summaries")).to_be_visible()
    names = page.locator("#roster tbody th").all_text_contents()
    assert names == ["Alder", "Wren", "Teal"]
    expect(page.locator("#left-out")).to_have_text(
        "Not scored: class.csv has no summary of Rook. To score an empty summary as 0, paste it."
    )
    assert points(page, "Alder") > points(page, "Teal")
    page.get_by_text("Add or remove students").click()
    page.screenshot(path=PICTURES / "pyramid-class-file.png")
    # Corrected, and chosen again: the same students, not new ones.
    fixed = TABLE.replace(b"Rook,,", b"Rook,Buses take another road.,")
    page.locator("#files").set_input_files(
        {"name": "class.csv", "mimeType": "text/csv", "buffer": fixed}
    )
    expect(page.get_by_role("table", name="Scores of 4 summaries")).to_be_visible()
    expect(page.locator("#left-out")).to_be_hidden()


def test_a_table_that_is_no_class_is_told(owner):
    page = built(owner)
    page.get_by_role("tab", name="Class").click()
    owner.drop("#class", class_csv=b"who,what\nAlder,Rain.\n")
    needs = 'class.csv: needs the columns "name" (or "student", "id") and "summary" (or "text")'
    expect(page.get_by_role("alert")).to_contain_text(needs)
    expect(page.get_by_role("table", name="Scores of")).to_have_count(0)
    left_out = page.locator("#left-out")
    expect(left_out).to_have_text(f"Not scored: {needs}; columns here: who, what.")
    owner.drop("#class", right_csv=b"name,summary\nAlder,%s\n" % GOOD)
    expect(page.get_by_role("table", name="Scores of 1 summary")).to_be_visible()
    expect(left_out).to_be_hidden()


def test_the_template_is_filled_in_and_scored(owner):
    page = built(owner)
    page.get_by_role("tab", name="Class").click()
    name, content = owner.saved("XLSX template")
    assert name == "class-template.xlsx"
    page.locator("#files").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    expect(page.get_by_role("table", name="Scores of 3 summaries")).to_be_visible()
    assert page.locator("#roster tbody th").all_text_contents() == ["Anna", "Ben", "Carla"]


def test_corrections_of_the_example_survive_a_reload_until_they_are_discarded(owner):
    page = at_class(owner)
    before = points(page, "Anna")
    page.locator("#sheet-body .idea.stated").first.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_have_text("Changed.")
    page.keyboard.press("n")
    expect(progress(page)).to_have_text("1 of 3 checked")
    after = points(page, "Anna")
    assert after < before
    page.reload()
    expect(page.get_by_text("Your draft is back.")).to_be_visible()
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    expect(progress(page)).to_have_text("1 of 3 checked")
    assert points(page, "Anna") == after
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Undone.")
    assert points(page, "Anna") == before
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("Your draft is back.")).to_be_hidden()
    page.get_by_role("tab", name="Class").click()
    expect(progress(page)).to_have_text("0 of 3 checked")


def test_an_example_whose_corrections_were_undone_has_no_draft(owner):
    page = at_class(owner)
    page.locator("#sheet-body .idea.stated").first.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_have_text("Changed.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Undone.")
    page.reload()
    expect(page.get_by_role("heading", name="4 points")).to_be_visible()
    expect(page.get_by_text("Your draft is back.")).to_be_hidden()


def test_a_missing_number_is_to_be_checked(owner):
    page = at_class(owner)
    page.get_by_role("button", name="To check 3").click()
    page.get_by_role("button", name="Ben").click()
    idea = page.locator("#sheet-body .idea.check").first
    expect(idea).to_contain_text("the number “400,000 euros” is not in the sentence")
    expect(idea).to_contain_text("counted as said (54% likely, so 54% of the points)")
    expect(idea.locator(".points")).to_have_text("1.1 of 2 points")
    PICTURES.mkdir(exist_ok=True)
    idea.scroll_into_view_if_needed()
    page.screenshot(path=PICTURES / "pyramid-number.png")
    idea.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_have_text("Changed.")
    expect(page.locator("#sheet-body .idea.check")).to_have_count(1)
