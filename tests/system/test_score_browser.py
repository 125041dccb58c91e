"""The Score page in a real browser, on a real server."""

import io
import json

import pytest
from openpyxl import Workbook, load_workbook
from playwright.sync_api import expect

from people import DARK, PHONE

SUMMARY = "The town library reopens in May. A goat ate the mayor's hat."
REFERENCE = "In May the town library opens again. The reading room was painted green."


def scored(owner, summary=SUMMARY, reference=REFERENCE):
    """Score texts of one's own."""
    page = owner.visit("/score")
    page.get_by_role("button", name="Score your own summary").click()
    page.get_by_label("Text of summary").fill(summary)
    page.get_by_label("Text of reference 1").fill(reference)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#result")).to_be_focused()
    return page


def labels(page):
    """The labels of the summary's sentences."""
    return [one.get_attribute("data-label") for one in page.locator("[id^=s-].sentence").all()]


def slide(page, name, times, key):
    page.locator(name).focus()
    for _ in range(times):
        page.keyboard.press(key)


def test_the_first_visit_shows_a_worked_example(owner):
    page = owner.visit("/score")
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    expect(page.locator("[id^=s-].sentence").first).to_be_visible()
    expect(page.get_by_role("row", name="ROUGE-Lsum")).to_be_visible()


def test_sliders_move_the_labels(owner):
    page = scored(owner)
    expect(page.locator("[id^=s-].sentence")).to_have_count(2)
    expect(page.locator("#signature")).to_contain_text("SEM-F1")
    before = labels(page)
    assert before[1] == "A"

    slide(page, "#upper", 1, "Home")
    assert labels(page) == ["P", "P"]
    expect(page.locator("#lower-words")).to_have_text("0.00")
    slide(page, "#lower", 1, "End")
    expect(page.locator("#upper-words")).to_have_text("1.00")
    assert labels(page) == ["A", "A"]
    expect(page.get_by_role("row", name="SEM-F1 from labels (100-100)")).to_contain_text("0.000")
    slide(page, "#lower", 1, "Home")
    assert labels(page) == ["PP", "PP"]


def test_all_columns_fit_on_a_phone_and_the_sliders_stand_below_the_strip(people, server):
    owner = people(server.address, **PHONE)
    page = scored(owner)
    table = page.locator(".overview .scroller")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    strip = page.locator("#strip").bounding_box()
    for handle in ("#lower", "#upper"):
        box = page.locator(handle).bounding_box()
        assert box["x"] + 8 == pytest.approx(strip["x"], abs=1)
        assert box["width"] - 16 == pytest.approx(strip["width"], abs=2)
    owner.check_width()
    owner.picture("score-numbers-phone")


def test_a_sentence_shows_its_best_match(owner):
    page = scored(owner)
    first = page.locator("#s-0")
    first.hover()
    expect(page.locator("#r0-0")).to_have_class("sentence lit")
    expect(page.locator("#tip")).to_contain_text("In May the town library opens again.")
    page.get_by_role("heading", name="Scores").hover()
    expect(page.locator(".lit")).to_have_count(0)


def test_it_is_saved_with_its_thresholds_and_saved(owner, people, server):
    page = scored(owner)
    slide(page, "#upper", 1, "Home")
    link = owner.share()
    name, content = owner.saved("Save as JSON")
    found = json.loads(content)
    assert name == "scores.json"
    assert [one["label"] for one in found["sem_f1"]["sentences"]] == ["P", "P"]
    assert found["rouge"]["rouge1"]["f1"] > 0
    other = people(server.address).visit(link)
    expect(other.locator("#s-1")).to_have_attribute("data-label", "P")


def test_what_is_missing_is_said_in_a_line(owner):
    page = owner.visit("/score")
    page.get_by_role("button", name="Score your own summary").click()
    page.get_by_label("Text of summary").fill(SUMMARY)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Reference 1 is empty.")
    expect(page.get_by_label("Text of reference 1")).to_be_focused()
    owner.drop("body", nothing_docx=b"PK\x03\x04 this is no such file")
    expect(page.get_by_role("alert")).to_contain_text("nothing.docx is a damaged DOCX file")


@pytest.mark.parametrize("look", [{}, DARK, PHONE], ids=["light", "dark", "phone"])
def test_a_text_in_another_language_has_a_notice_that_stays(people, server, look):
    owner = people(server.address, **look)
    german = "Die Bibliothek der Stadt öffnet im Mai wieder, und der Lesesaal ist neu gestrichen."
    page = scored(owner, reference=german)
    notice = page.locator("#notices")
    expect(notice).to_have_text(
        "“Reference 1” seems to be German. The models know only English. "
        "Do not rely on this result."
    )
    owner.check_access()
    owner.check_width()
    owner.picture(f"score-language-{'-'.join(look) or 'light'}")
    link = owner.share()
    expect(people(server.address).visit(link).locator("#notices")).to_contain_text("German")


def test_script_is_shown_as_text(owner):
    attack = "<script>document.title='taken'</script><b>bold</b>"
    page = scored(owner, summary=f"{attack} {SUMMARY}", reference=f"{REFERENCE} {attack}")
    expect(page.locator("#sides")).to_contain_text("<b>bold</b>")
    assert page.locator("#result script, #result b").count() == 0
    assert page.title() == "Score · commonground"


def test_the_whole_way_by_keyboard(owner):
    page = owner.visit("/score")
    owner.tab_to(page.get_by_role("button", name="Score your own summary"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of summary")).to_be_focused()
    page.keyboard.insert_text(SUMMARY)
    owner.tab_to(page.get_by_label("Text of reference 1"), most=6)
    page.keyboard.insert_text(REFERENCE)
    owner.tab_to(page.get_by_role("button", name="Score", exact=True), most=4)
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_be_focused()
    owner.tab_to(page.locator("#upper"), most=10)
    page.keyboard.press("Home")
    assert labels(page) == ["P", "P"]
    owner.tab_to(page.locator("#s-0"), most=5)
    expect(page.locator("#r0-0")).to_have_class("sentence lit")
    page.keyboard.press("Enter")
    expect(page.locator("#r0-0")).to_be_focused()


def test_a_draft_survives_a_reload_until_it_is_discarded(owner):
    page = scored(owner)
    page.locator("#editor > summary").click()
    page.get_by_role("button", name="Add reference").click()
    page.get_by_label("Text of reference 2").fill("The library has a new door.")
    page.get_by_label("Name of summary").fill("Mine")
    page.reload()
    expect(page.locator("#one-draft")).to_be_visible()
    expect(page.get_by_label("Text of summary")).to_have_value(SUMMARY)
    expect(page.get_by_label("Name of summary")).to_have_value("Mine")
    expect(page.get_by_label("Text of reference 1")).to_have_value(REFERENCE)
    expect(page.get_by_label("Name of reference 1")).to_have_value("")
    expect(page.get_by_label("Text of reference 2")).to_have_value("The library has a new door.")
    owner.check_access()
    page.get_by_role("button", name="Remove reference 2").click()
    assert not owner.is_asked_to_stay()
    owner.visit("/score")
    expect(page.get_by_label("Text of reference 1")).to_have_value(REFERENCE)
    expect(page.get_by_label("Text of reference 2")).to_have_count(0)
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    page.reload()
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    expect(page.locator("#one-draft")).to_be_hidden()


def test_a_draft_without_room_is_not_lost_without_a_question(owner):
    page = owner.visit("/score")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.get_by_role("button", name="Score your own summary").click()
    page.get_by_label("Text of summary").fill(SUMMARY)
    page.get_by_label("Text of reference 1").fill(REFERENCE)
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#result")).to_be_focused()
    assert owner.is_asked_to_stay()
    owner.share()
    assert not owner.is_asked_to_stay()


@pytest.mark.parametrize("look", [{}, DARK, PHONE], ids=["light", "dark", "phone"])
def test_a_result_of_other_texts_is_outdated(people, server, look):
    owner = people(server.address, **look)
    page = scored(owner)
    outdated = page.get_by_text("The texts have changed.")
    expect(outdated).to_be_hidden()
    page.locator("#editor > summary").click()
    page.get_by_label("Text of reference 1").fill("Nothing like it.")
    expect(outdated).to_be_visible()
    for name in ("Share link", "Save as XLSX", "Save as CSV", "Save as JSON"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    expect(page.get_by_role("button", name="Print")).to_be_enabled()
    owner.check_access()
    owner.picture(f"score-outdated-{'-'.join(look) or 'light'}")
    page.get_by_label("Text of reference 1").fill(REFERENCE)
    expect(outdated).to_be_hidden()
    page.get_by_role("button", name="Add reference").click()
    expect(outdated).to_be_visible()
    page.get_by_label("Text of reference 2").fill("The library reopens.")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#result")).to_be_focused()
    expect(outdated).to_be_hidden()
    expect(page.get_by_role("button", name="Share link")).to_be_enabled()


SYSTEMS = b"""id,system,summary,reference
fire,good,The mill burned down on Monday.,On Monday the mill burned to the ground.
fire,poor,Bread is baked daily.,On Monday the mill burned to the ground.
vote,good,The council voted for the bridge.,Councillors approved the new bridge.
vote,poor,It rained again.,Councillors approved the new bridge.
"""


def test_the_result_is_in_view_after_ctrl_enter_with_four_references(owner):
    page = owner.visit("/score")
    page.get_by_role("button", name="Score your own summary").click()
    page.get_by_label("Text of summary").fill(SUMMARY)
    for number in range(1, 5):
        if number > 1:
            page.get_by_role("button", name="Add reference").click()
        page.get_by_label(f"Text of reference {number}").fill(REFERENCE)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#result")).to_be_focused()
    expect(page.get_by_role("heading", name="Scores")).to_be_in_viewport()
    expect(page.locator("#numbers tr").first).to_be_in_viewport()
    expect(page.locator("#chart canvas")).to_be_visible()


def test_an_old_result_is_not_shared_while_a_new_one_is_computed(owner):
    page = scored(owner)
    page.locator("#editor > summary").click()
    page.get_by_label("Text of summary").fill("Another summary of the library.")
    page.route("**/api/jobs/*", lambda route: None)  # the job does not end yet
    page.get_by_role("button", name="Score", exact=True).click()
    tools = page.locator("#result > .tools")
    expect(tools).to_have_js_property("inert", True)
    page.unroute_all(behavior="ignoreErrors")
    expect(tools).to_have_js_property("inert", False)


def test_words_that_both_sides_have_are_marked(owner):
    page = scored(owner)
    assert page.locator("#s-0 mark").all_text_contents() == ["The town library", "in May"]
    # "The" is a word of the reference, the rest is not.
    assert page.locator("#s-1 mark").all_text_contents() == ["the"]


def test_many_systems_are_scored_from_a_file(owner):
    page = owner.visit("/score")
    page.get_by_role("button", name="Many systems").click()
    owner.expects(400)
    file = {"name": "systems.csv", "mimeType": "text/csv", "buffer": b"a,b\n1,2\n"}
    page.locator("#systems-file").set_input_files(file)
    expect(page.get_by_role("alert")).to_have_text('Row 1 has no "summary".')
    page.locator("#systems-file").set_input_files({**file, "buffer": SYSTEMS})
    table = page.get_by_role("table", name="Mean F1 of each system")
    names = table.locator("tbody th")
    expect(names).to_have_text(["good", "poor"])
    verdict = page.locator("#systems-verdict")
    expect(verdict).to_contain_text("good has the highest mean SEM-F1")
    expect(verdict).to_contain_text(
        "With 2 common ids this test cannot show a difference (p is at least 0.5): "
        "score at least 6 texts with each system."
    )
    expect(page.locator("#systems-chart canvas")).to_be_in_viewport()
    table.get_by_role("button", name="SEM-F1").click()
    table.get_by_role("button", name="SEM-F1").click()
    expect(names).to_have_text(["poor", "good"])
    name, content = owner.saved("Save as CSV")
    assert content.startswith(b"\xef\xbb\xbf")  # which Excel needs
    head, *rows = content.decode("utf-8-sig").splitlines()
    assert name == "systems.csv"
    assert head.startswith("system,summaries,SEM-F1,SEM-F1 low,SEM-F1 high,ROUGE-1")
    assert [row.split(",")[:2] for row in rows] == [["good", "2"], ["poor", "2"]]
    name, content = owner.saved("Save as XLSX")
    assert name == "systems.xlsx"
    sheet = load_workbook(io.BytesIO(content)).active
    assert [cell.value for cell in sheet["A"]] == ["system", "good", "poor"]
    _, content = owner.saved("Save all as JSON")
    assert [row["system"] for row in json.loads(content)["systems"]] == ["good", "poor"]
    owner.check_access()
    owner.check_width()
    owner.picture("systems")
    page.get_by_role("button", name="One summary").click()
    expect(page.locator("#result")).to_be_visible()


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_a_spreadsheet_of_systems_is_scored_and_shared(people, server, look):
    owner = people(server.address, **{"light": {}, "dark": DARK, "phone": PHONE}[look])
    page = owner.visit("/score")
    page.get_by_role("button", name="Many systems").click()
    book, stream = Workbook(), io.BytesIO()
    for line in SYSTEMS.decode().splitlines():
        book.active.append(line.split(","))
    book.save(stream)
    owner.drop("#many", news_xlsx=stream.getvalue())
    expect(page.locator("#systems-table tbody th")).to_have_text(["good", "poor"])
    link = owner.share()
    owner.picture(f"systems-{look}")

    other = people(server.address)
    there = other.visit(link)
    expect(there.locator("#systems-table tbody th")).to_have_text(["good", "poor"])
    expect(there.locator("#systems-verdict")).to_contain_text("good has the highest mean SEM-F1")
    expect(there.get_by_role("strong").first).to_have_text("news.xlsx: good, poor")
    page.goto(link)
    expect(page.locator("#systems-chart canvas")).to_be_visible()
    assert owner.saved("Save as XLSX")[0] == "systems.xlsx"
    owner.check_access()
    owner.check_width()
    owner.picture(f"systems-saved-{look}")
