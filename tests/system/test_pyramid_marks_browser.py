"""What a teacher decides on the Pyramid page, in a real browser."""

import io
import json
import re
import zipfile

from playwright.sync_api import expect

from people import PHONE, PICTURES


def anna(page):
    """The points of Anna in the list."""
    row = page.locator("#roster tbody tr")
    return float(row.filter(has_text="Anna").locator("td").first.inner_text())


def opened(owner):
    """The worked example with Anna's sheet open."""
    page = owner.visit("/pyramid")
    page.get_by_label("Your name").fill("M. Weber")
    page.get_by_role("tab", name="Class").click()
    sheet = page.get_by_role("region", name="Feedback sheet")
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    expect(sheet).to_contain_text("What it leaves out")
    return page, sheet


def earned(sheet):
    return float(sheet.locator(".score h2 span").nth(1).inner_text().split()[0])


def test_points_have_a_maximum_and_shares_say_what_they_are_of(owner):
    _, sheet = opened(owner)
    weights = sheet.locator(".idea .points").all_inner_texts()
    most = sum(int(text.split(" of ")[1].split()[0]) for text in weights)
    expect(sheet.locator(".score h2 span").nth(1)).to_have_text(
        f"{earned(sheet):g} of {most} points"
    )
    # Rounded one by one, so they may not add up to the last digit.
    shown = sum(float(text.split(" of ")[0]) for text in weights)
    assert abs(shown - earned(sheet)) <= 0.05 * (len(weights) + 1)
    sheet.get_by_text("What these scores mean").click()
    for number, words in enumerate(("All ideas", "The best", "As many ideas", "High only")):
        expect(sheet.locator(".meanings dd").nth(number)).to_be_visible()
        expect(sheet.locator(".meanings dd").nth(number)).to_contain_text(words)
    for text in sheet.locator(".idea.missed .points").all_inner_texts():
        assert text.startswith("0 of ")


def test_a_teacher_decides_and_the_points_follow_at_once(owner):
    page, sheet = opened(owner)
    before = anna(page)
    first = sheet.locator(".idea.stated").first
    worth = float(first.locator(".points").inner_text().split(" of ")[0])
    first.get_by_role("button", name="Reject").click()
    expect(sheet).to_contain_text("✗ Not said (decided by M. Weber)")
    assert abs(anna(page) - (before - worth)) < 0.11

    missed = sheet.locator(".idea.missed").last
    number = missed.get_attribute("id")
    missed.get_by_role("button", name="Point at the sentence that says it").click()
    expect(sheet.get_by_text("Choose the sentence that says it")).to_be_visible()
    sheet.locator("#sentence-2").click()
    said = sheet.locator(f"#{number}.stated")
    expect(said).to_contain_text("(decided by M. Weber)")
    expect(said).to_contain_text("1 of 1 point")

    sheet.get_by_label("Comment to the student").fill("A good start.")
    sheet.get_by_role("button", name="Save comment").click()
    expect(sheet.locator(".comment")).to_contain_text("A good start.")
    expect(sheet.locator(".comment .by")).to_have_text("M. Weber")
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / "pyramid-sheet.png")

    for _ in range(3):
        sheet.get_by_role("button", name="Undo", exact=True).click()
        expect(page.get_by_role("status")).to_have_text("Undone.")
    expect(sheet.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    expect(sheet.locator(".comment")).to_have_count(0)
    assert anna(page) == before


def test_ideas_stay_in_place_until_the_sheet_is_left(owner):
    page, sheet = opened(owner)
    ideas = sheet.locator(".idea")
    before = ideas.evaluate_all("all => all.map((one) => one.id)")
    for number, name in ((1, "Reject"), (2, "Accept")):
        button = ideas.nth(number).get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        place = button.bounding_box()
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_be_focused()
        now = button.bounding_box()
        assert abs(now["x"] - place["x"]) < 1
        assert abs(now["y"] - place["y"]) < 2
        assert ideas.evaluate_all("all => all.map((one) => one.id)") == before
    rejected = sheet.locator(f"#{before[1]}")
    expect(rejected).to_contain_text("✗ Not said (decided by M. Weber)")
    count = sheet.locator(".idea.stated").count()
    expect(sheet.locator("[data-part=yes]")).to_contain_text(f"What it says ({count}, ")

    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="Ben")).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    after = ideas.evaluate_all("all => all.map((one) => one.id)")
    assert after.index(before[1]) > count
    # A rejected idea can be accepted after all.
    rejected.get_by_role("button", name="Accept").click()
    expect(rejected).to_contain_text("✓ Said in")


def test_a_sentence_is_chosen_by_keyboard_and_escape_cancels(owner):
    page, sheet = opened(owner)
    button = sheet.locator(".idea.missed").first.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(sheet.locator("#sentence-1")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_text("Choose the sentence that says it")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Changed.")
    expect(sheet).to_contain_text("(decided by M. Weber)")


def test_ideas_are_deleted_added_and_the_changes_listed(owner):
    page = owner.visit("/pyramid")
    units = page.locator("#pyramid details.unit")
    expect(page.get_by_role("heading", name="4 points")).to_be_visible()
    count = units.count()
    top = units.first
    words = top.locator("summary").inner_text()
    top.locator("summary").click()
    top.get_by_role("button", name="Delete this idea").click()
    expect(units).to_have_count(count - 1)
    page.get_by_label("Add an idea").fill("Bats are back")
    page.get_by_label("Points it is worth").fill("7")
    page.get_by_role("button", name="Add idea").click()
    expect(page.get_by_role("heading", name="7 points")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Scored: 3 summaries.")
    page.locator("#history summary").click()
    lines = page.locator("#history li")
    expect(lines.first).to_contain_text("Added “Bats are back” (Teacher, ")
    expect(lines.last).to_contain_text(f"Deleted “{words}”")
    name, content = owner.saved("Save corrections (JSON)")
    assert name == "corrections.json"
    assert [one["do"] for one in json.loads(content)["changes"]] == ["delete", "add"]
    for _ in range(2):
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.get_by_role("status")).to_have_text("Scored: 3 summaries.")
    expect(units).to_have_count(count)
    file = {"name": "c.json", "mimeType": "application/json", "buffer": content}
    page.locator("#open-corrections").set_input_files(file)
    expect(page.get_by_role("heading", name="7 points")).to_be_visible()


def test_grades_words_and_names_are_kept(owner, people, server):
    page, sheet = opened(owner)
    sheet.locator(".idea.stated").first.get_by_role("button", name="Reject").click()
    expect(sheet).to_contain_text("(decided by M. Weber)")
    page.get_by_role("tab", name="Overview").click()
    page.get_by_text("Grade scale").click()
    most = int(
        page.locator("#most-points").inner_text().removeprefix("All ideas together: ").split()[0]
    )
    page.get_by_label("Start from").select_option("A to D, in points")
    expect(page.locator("#grade-scale")).to_have_value(re.compile(f"^A {round(0.8 * most)}\nB "))
    page.get_by_label("Start from").select_option("A to F, in percent")
    page.get_by_role("button", name="Grade the class").click()
    marks = page.get_by_role("table", name="Grades of the class").locator("th[scope=row]")
    expect(marks).to_have_text(["A", "B", "C", "D", "F"])
    page.locator("#grade-scale").fill("mark points\nA: 8\nB = 0")
    page.get_by_role("button", name="Grade the class").click()
    expect(page.get_by_role("table", name="Grades of the class")).to_be_visible()
    page.get_by_text("Words of the feedback sheets").click()
    page.get_by_label("Missed", exact=True).fill("Still to come")
    page.get_by_role("button", name="Use these words").click()
    page.screenshot(path=PICTURES / "pyramid-grades.png", full_page=True)
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    _, content = owner.saved("Save all feedback sheets (ZIP)")
    assert asked == ["3 of 3 students are not checked yet. Save anyway?"]
    archive = zipfile.ZipFile(io.BytesIO(content))
    text = archive.read("Anna.html").decode()
    assert "Still to come" in text
    assert "Grade: <strong>" in text
    assert "Grades of the class" in archive.read("index.html").decode()

    page.get_by_label("include the students").check()
    points = anna(page)
    other = people(server.address).visit(owner.share())
    other.get_by_role("tab", name="Overview").click()
    expect(other.get_by_role("table", name="Grades of the class")).to_be_visible()
    assert anna(other) == points
    expect(other.locator("#undo")).to_be_enabled()

    _, content = owner.saved("Save as JSON")
    names = json.loads(content)["names"]
    assert names == [name for name in names if name]
    page.get_by_role("tab", name="Pyramid").click()
    page.locator("#editor > summary").click()
    file = {"name": "p.json", "mimeType": "application/json", "buffer": content}
    page.locator("#open").set_input_files(file)
    expect(page.get_by_role("status")).to_have_text("p.json was opened.")
    expect(page.locator("#sources h3").first).to_contain_text(names[0])


def test_a_scale_that_is_wrong_is_told(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("tab", name="Overview").click()
    page.get_by_text("Grade scale").click()
    owner.expects(400)
    page.locator("#grade-scale").fill("mark,points\nA,8")
    page.get_by_role("button", name="Grade the class").click()
    expect(page.get_by_role("alert")).to_contain_text("the lowest mark must start at 0")


def test_decisions_on_a_phone(people, server):
    page, sheet = opened(people(server.address, **PHONE))
    wide = sheet.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert wide
    sheet.locator(".idea.stated").first.get_by_role("button", name="Reject").tap()
    expect(sheet).to_contain_text("(decided by M. Weber)")
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / "pyramid-phone.png")
