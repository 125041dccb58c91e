"""The Pyramid page in a real browser, on a real server."""

import csv
import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from people import PHONE
from pyramid_desk import GOOD, POOR, REFERENCES, built, graded, points, students, unit


def test_the_first_visit_shows_a_worked_example(owner):
    page = owner.visit("/pyramid")
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    expect(page.get_by_role("heading", name="4 points")).to_be_visible()
    page.get_by_role("tab", name="Class").click()
    expect(page.get_by_role("table", name="Scores of 3 summaries")).to_be_visible()


def test_a_pyramid_is_built_and_a_unit_shows_who_says_it(owner):
    page = built(owner)
    expect(page.get_by_role("heading", name="3 points")).to_be_visible()
    expect(page.get_by_text("Check the ideas before you grade")).to_be_visible()
    top = unit(page, "bridge")
    expect(top.locator("summary")).to_have_attribute("data-joins", "joins 3 sentences")
    top.locator("summary").click()
    expect(top.locator("li")).to_have_count(3)
    expect(page.locator("#sources .says")).to_have_count(3)
    expect(page.locator("#sources mark").first).to_be_visible()


def test_a_class_is_graded_sorted_and_saved(owner):
    page = graded(owner)
    assert points(page, "Alder") > points(page, "Wren")
    table = page.get_by_role("table", name="Scores of 2 summaries")
    table.get_by_role("button", name="Points").click()
    assert students(page) == ["Alder", "Wren"]
    expect(table.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Points").click()
    assert students(page) == ["Wren", "Alder"]

    page.get_by_role("tab", name="Overview").click()
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    name, content = owner.saved("Save as CSV")
    assert name == "class.csv"
    assert asked == ["2 of 2 students are not checked yet. Save anyway?"]
    assert content.startswith(b"\xef\xbb\xbfname,")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row[0] for row in rows[1:3]] == ["Wren", "Alder"]
    page.once("dialog", lambda dialog: dialog.accept())
    name, content = owner.saved("Save all feedback sheets (ZIP)")
    assert name == "feedback.zip"
    assert len(zipfile.ZipFile(io.BytesIO(content)).namelist()) >= 2

    page.get_by_role("table", name="All scores").get_by_role("button", name="Alder").click()
    expect(page.get_by_role("heading", name="Alder")).to_be_visible()
    expect(page.locator("#sheet-body")).to_be_focused()
    expect(table.get_by_role("button", name="Alder")).to_have_attribute("aria-current", "true")


def test_changes_of_the_pyramid_change_the_scores_and_are_undone(owner):
    page = graded(owner)
    before = points(page, "Alder")
    page.get_by_role("tab", name="Pyramid").click()
    top = unit(page, "bridge")
    top.locator("summary").click()
    top.get_by_label("Points", exact=True).fill("9")
    top.get_by_role("button", name="Set").click()
    expect(page.get_by_role("heading", name="9 points")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Scored: 2 summaries.")
    assert points(page, "Alder") > before + 1

    top = page.locator("#pyramid details.unit[open]")
    top.get_by_label("Label").fill("The bridge is shut")
    top.get_by_role("button", name="Rename").click()
    expect(page.locator("#pyramid summary").first).to_have_text("The bridge is shut")
    for _ in range(2):
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.get_by_role("status")).to_have_text("Undone.")
        expect(page.get_by_role("status")).to_have_text("Scored: 2 summaries.")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    expect(page.get_by_role("heading", name="9 points")).to_have_count(0)
    assert points(page, "Alder") == before


@pytest.mark.parametrize("look", [{}, PHONE], ids=["wide", "phone"])
def test_the_fields_of_an_opened_unit_use_its_room(people, server, look):
    page = people(server.address, **look).visit("/pyramid")
    top = page.locator("#pyramid details.unit").first
    top.locator("summary").click()
    words = top.get_by_label("Label")
    assert words.evaluate(
        "one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
    )
    room = top.bounding_box()["width"]
    for field in (words, top.get_by_label("Merge with")):
        assert field.bounding_box()["width"] > 0.75 * room
    words.press("End")
    words.press_sequentially(" again")
    words.press("Enter")
    expect(page.locator("#pyramid summary").first).to_have_text(re.compile(" again$"))


def test_it_is_saved_and_opened_from_its_file(owner, people, server, tmp_path):
    page = built(owner)
    units = page.locator("#pyramid details.unit").count()
    other = people(server.address).visit(owner.share())
    expect(other.locator("#pyramid details.unit")).to_have_count(units)
    name, content = owner.saved("Save as JSON")
    assert json.loads(content)["references"] == REFERENCES
    (tmp_path / name).write_bytes(content)
    page = owner.visit("/pyramid")
    page.locator("#editor > summary").click()
    page.locator("#open").set_input_files(tmp_path / name)
    expect(page.get_by_role("status")).to_have_text("pyramid.json was opened.")
    expect(page.locator("#pyramid details.unit")).to_have_count(units)
    # The cards have its references, not those of the example.
    cards = page.locator("#references textarea")
    assert cards.evaluate_all("all => all.map((one) => one.value)") == REFERENCES


def test_what_is_wrong_is_said_in_a_line(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("button", name="Build your own pyramid").click()
    page.get_by_role("button", name="Build the pyramid").click()
    expect(page.get_by_role("alert")).to_have_text("Reference 1 is empty.")
    owner.expects(422)
    wrong = {"name": "p.json", "mimeType": "application/json", "buffer": b'{"units": 3}'}
    page.locator("#open").set_input_files(wrong)
    expect(page.get_by_role("alert")).not_to_have_text("Reference 1 is empty.")
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.locator("#open").set_input_files({**wrong, "buffer": b"{"})
    expect(page.get_by_role("alert")).to_have_text("p.json is not JSON.")


def test_script_is_shown_as_text(owner):
    attack = "<script>document.title='taken'</script>"
    page = built(owner)
    page.get_by_role("tab", name="Class").click()
    page.locator("#drop summary").first.click()
    page.get_by_role("textbox", name="Student", exact=True).fill(attack)
    page.get_by_role("textbox", name="Summary", exact=True).fill(f"{GOOD.decode()} {attack}")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name=attack, exact=True).click()
    sheet = page.get_by_role("region", name="Feedback sheet")
    expect(sheet).to_contain_text(attack)
    assert page.locator("#result script, #sheet script").count() == 0
    assert page.title() == "Pyramid · commonground"


def test_the_whole_way_by_keyboard(owner):
    page = owner.visit("/pyramid")
    owner.tab_to(page.get_by_role("button", name="Build your own pyramid"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of reference 1")).to_be_focused()
    page.keyboard.insert_text(REFERENCES[0])
    owner.tab_to(page.get_by_label("Text of reference 2"), most=6)
    page.keyboard.insert_text(REFERENCES[1])
    owner.tab_to(page.get_by_role("button", name="Build the pyramid"), most=6)
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_be_focused()
    top = unit(page, "bridge")
    owner.tab_to(top.locator("summary"), most=15)
    page.keyboard.press("Enter")
    expect(page.locator("#sources .says")).to_have_count(2)
    owner.tab_to(top.get_by_label("Points", exact=True), most=10)
    page.keyboard.press("Control+A")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="7 points")).to_be_visible()
    page.keyboard.press("Control+Z")
    expect(page.get_by_role("heading", name="7 points")).to_have_count(0)


def test_a_file_of_the_same_name_takes_the_place_of_the_earlier_one(owner):
    page = graded(owner)
    before = points(page, "Wren")
    owner.drop("#class", Wren_txt=GOOD)
    expect(page.get_by_role("status")).to_have_text("Scored: 2 summaries. Replaced: Wren.")
    assert points(page, "Wren") > before
    assert sorted(students(page)) == ["Alder", "Wren"]


def test_a_class_is_not_lost_without_a_question(owner):
    page = graded(owner)
    assert owner.is_asked_to_stay()
    owner.saved("Save as JSON")
    assert owner.is_asked_to_stay()
    page.get_by_role("tab", name="Overview").click()
    page.once("dialog", lambda dialog: dialog.accept())
    owner.saved("Save as CSV")
    expect(page.locator("#result")).to_be_visible()
    assert not owner.is_asked_to_stay()


def test_the_worked_example_is_left_without_a_question(owner):
    page = owner.visit("/pyramid")
    page.locator("#pyramid details.unit summary").first.click()
    page.locator("#pyramid").get_by_label("Points", exact=True).fill("9")
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_role("heading", name="9 points")).to_be_visible()
    assert not owner.is_asked_to_stay()


def test_a_file_that_is_empty_is_named_until_it_is_added(owner):
    page = built(owner)
    owner.drop("#class", Wren_txt=POOR, Dmitri_txt=b"")
    line = page.locator("#left-out")
    expect(line).to_have_text(
        "Not scored: Dmitri.txt has no text. To score an empty summary as 0, paste it."
    )
    expect(page.get_by_role("table", name="Scores of 1 summary")).to_be_visible()
    page.get_by_text("Add or remove students").click()
    page.locator("#drop summary").first.click()
    page.get_by_role("textbox", name="Student", exact=True).fill("Dmitri")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(line).to_be_hidden()
    expect(page.get_by_role("table", name="Scores of 2 summaries")).to_be_visible()
    assert points(page, "Dmitri") == 0


def test_a_split_idea_gets_words_of_its_own(owner):
    page = owner.visit("/pyramid")
    page.wait_for_load_state("networkidle")  # the script has drawn the example
    units = page.locator("#pyramid details.unit")
    expect(page.get_by_role("heading", name="4 points")).to_be_visible()
    count = units.count()
    top = unit(page, "Bats and moths are back")
    top.locator("summary").click()
    top.locator(".wordings input").last.check()
    # The class may be scored before anybody looks, so what was said is written down.
    page.evaluate("""() => {
      const status = document.getElementById("status");
      window.said = [];
      new MutationObserver(() => window.said.push(status.textContent))
        .observe(status, { childList: true });
    }""")
    top.get_by_role("button", name="Split selected").click()
    expect(units).to_have_count(count + 1)
    expect(page.get_by_role("status")).not_to_be_empty()
    assert page.evaluate("window.said")[0] == "Split: 2 ideas now. Scoring the class again."
    labels = page.locator("#pyramid summary").all_text_contents()
    assert len(set(labels)) == count + 1
    parts = page.locator("#pyramid details.unit").filter(has_text="Bats and moths are back")
    assert parts.first.locator(".wordings li").count() == 1
