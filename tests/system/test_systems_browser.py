"""Many systems on the Score page in a real browser: the example, each summary, and the draft."""

import csv
import io
import json

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from people import DARK, PHONE

LOOKS = {"light": {}, "dark": DARK, "phone": PHONE}
REFERENCE = "On Monday the mill burned to the ground."
SYSTEMS = f"""id,system,summary,reference
fire,good,The mill burned down on Monday.,{REFERENCE}
fire,poor,Bread is baked daily.,{REFERENCE}
vote,good,The council voted for the bridge.,Councillors approved the new bridge.
vote,poor,Councillors approved the new bridge.,Councillors approved the new bridge.
gale,good,A gale felled trees.,A gale felled trees.
gale,poor,A gale felled many trees.,A gale felled trees.
"""
WIDER = '{"id": "x", "system": "s", "summary": "A mill.", "references": %s}'


def many(person):
    page = person.visit("/score")
    page.get_by_role("button", name="Many systems", exact=True).click()
    return page


def scored(person, content=SYSTEMS, name="news.csv"):
    page = many(person)
    file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    page.locator("#systems-file").set_input_files(file)
    expect(page.locator("#systems-result")).to_be_focused()
    return page


def ids(page):
    return page.locator("#summaries-table tbody th")


@pytest.mark.parametrize("look", LOOKS)
def test_the_example_shows_what_the_page_gives(people, server, look):
    owner = people(server.address, **LOOKS[look])
    page = many(owner)
    owner.check_access()
    owner.check_width()
    owner.picture(f"systems-empty-{look}")
    page.get_by_role("button", name="Try the example").click()
    names = page.locator("#systems-table tbody th")
    expect(names).to_have_text(["careful", "brief", "loose"])
    expect(page.locator("#systems-verdict")).to_contain_text("probably not chance")
    expect(ids(page)).to_have_count(8)
    expect(page.locator("#systems-chart canvas")).to_be_visible()
    owner.check_access()
    owner.check_width()
    owner.picture(f"systems-example-{look}")


@pytest.mark.parametrize("look", LOOKS)
def test_what_a_file_may_not_have_meant_stands_above_its_scores(people, server, look):
    owner = people(server.address, **LOOKS[look])
    blank = "gale,x,,A gale felled trees.,new\n"
    rows = "".join(f"{line},old\n" for line in SYSTEMS.splitlines()[1:])
    page = scored(owner, f"id,system,summary,reference,note\n{rows}{blank}")
    lines = page.locator("#systems-notices p")
    expect(lines).to_have_text(
        ["Ignored columns: note.", "Blank summaries, which score 0: row 7 (x: gale)."]
    )
    expect(page.locator("#systems-read")).to_have_text("news.csv: 7 summaries, 3 systems, 3 ids.")
    owner.check_access()
    owner.check_width()
    owner.picture(f"systems-notices-{look}")
    page.reload()
    expect(lines).to_have_count(2)
    link = owner.share()
    expect(people(server.address).visit(link).locator("#systems-notices p")).to_have_count(2)
    scored(owner)
    expect(lines).to_have_count(0)


def test_systems_in_a_column_of_another_name_are_refused(owner):
    owner.expects(400, 422)
    page = many(owner)
    owner.drop("#many", models_csv=SYSTEMS.replace("system", "model", 1).encode())
    expect(page.get_by_role("alert")).to_have_text(
        'The file has no column "system". Rename "model" to "system".'
    )


def test_the_template_can_be_filled_in_and_dropped(owner):
    page = many(owner)
    name, content = owner.saved("XLSX template")
    assert name == "systems-template.xlsx"
    head = [cell.value for cell in load_workbook(io.BytesIO(content)).active[1]]
    assert head == ["id", "system", "summary", "reference_1", "reference_2"]
    name, text = owner.saved("CSV template")
    assert name == "systems-template.csv"
    assert next(csv.reader(text.decode("utf-8-sig").splitlines())) == head
    owner.drop("#many", mine_xlsx=content)
    expect(page.locator("#systems-table tbody th")).to_have_text(["careful", "brief", "loose"])


def test_a_row_leads_to_its_summaries_and_to_their_texts(owner):
    page = scored(owner)
    expect(ids(page)).to_have_text(["fire", "vote", "gale"])
    page.get_by_role("button", name="Show 3 summaries of poor").click()
    expect(page.get_by_role("heading", name="Scores of each summary")).to_be_focused()
    expect(ids(page)).to_have_text(["fire", "gale", "vote"])  # unrelated, nearly, the same
    table = page.locator("#summaries-table")
    table.get_by_role("button", name="Difference").click()
    expect(ids(page).first).to_have_text("fire")
    table.get_by_role("button", name="Difference").click()
    expect(ids(page).last).to_have_text("fire")
    page.get_by_label("Metric").select_option("ROUGE-1")
    # "the" and "bridge" of 6 and 5 words, F1 4/11; and the reference itself.
    row = table.get_by_role("row", name="vote")
    expect(row.locator("td").nth(0)).to_contain_text("0.364")
    expect(row.locator("td").nth(1)).to_contain_text("1.000")
    expect(row.locator("td").nth(2)).to_have_text("0.636")

    row.get_by_role("button", name="open the summary vote of good").click()
    expect(page.locator("#sentences")).to_be_focused()
    expect(page.get_by_role("button", name="Back to many systems")).to_be_in_viewport()
    expect(page.locator("#s-0")).to_be_in_viewport()
    expect(page.locator("#s-0")).to_contain_text("The council voted for the bridge.")
    assert page.locator("#s-0 mark").all_text_contents() == ["The", "the bridge"]
    expect(page.locator("#from-systems")).to_contain_text("good: vote")
    expect(page.get_by_role("row", name="ROUGE-1")).to_contain_text("0.364")
    owner.check_access()
    owner.picture("systems-one")
    page.get_by_role("button", name="Back to many systems").click()
    expect(row.get_by_role("button", name="open the summary vote of good")).to_be_focused()
    row.get_by_role("button", name="open the summary vote of poor").click()
    expect(page.locator("#from-systems")).to_contain_text("poor: vote")
    page.go_back()
    expect(row.get_by_role("button", name="open the summary vote of poor")).to_be_focused()
    page.go_forward()
    expect(page.locator("#from-systems")).to_be_visible()


def test_typed_texts_are_not_replaced_without_a_question(owner):
    page = scored(owner)
    page.get_by_role("button", name="One summary").click()
    page.get_by_role("button", name="Score your own summary").click()
    page.get_by_label("Text of summary").fill("Mine.")
    page.get_by_role("button", name="Many systems", exact=True).click()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="open the summary fire of good").click()
    expect(page.locator("#many")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="open the summary fire of good").click()
    expect(page.locator("#s-0")).to_contain_text("The mill burned down")
    # A text of the file is no draft, but what is typed into it is.
    page.get_by_role("button", name="Back to many systems").click()
    page.get_by_role("button", name="open the summary fire of poor").click()
    expect(page.locator("#s-0")).to_contain_text("Bread is baked")
    page.locator("#editor > summary").click()
    page.get_by_label("Text of summary").fill("Mine again.")
    page.get_by_role("button", name="One summary").click()
    page.reload()
    expect(page.get_by_label("Text of summary")).to_have_value("Mine again.")


def test_a_summary_with_too_many_references_says_so(owner):
    page = scored(owner, WIDER % json.dumps([f"Text {n}." for n in range(11)]), "wide.jsonl")
    page.get_by_role("button", name="open the summary x of s").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This summary has 11 references; the limit here is 10."
    )


def test_long_lists_are_drawn_in_parts_and_many_systems_by_choice(owner):
    rows = [f"{n},s{n % 12},Rain fell.,Rain fell." for n in range(120)]
    page = scored(owner, "\n".join(["id,system,summary,reference", *rows]))
    expect(page.locator("#summaries-left")).to_contain_text("8 systems; 4 others")
    expect(ids(page)).to_have_count(100)
    page.get_by_role("button", name="Show all 120 ids").click()
    expect(ids(page)).to_have_count(120)
    last = page.locator("#systems-table tbody th").last.inner_text()
    page.get_by_role("button", name=f"Show 10 summaries of {last}").click()
    expect(page.locator("#summaries-table thead")).to_contain_text(last)


def test_scores_and_mode_survive_a_reload_and_another_page(owner):
    page = scored(owner)
    page.reload()
    expect(page.locator("#systems-table tbody th")).to_have_text(["good", "poor"])
    expect(page.locator("#draft")).to_be_visible()
    expect(page.locator("#without-texts")).to_be_hidden()
    owner.check_access()
    owner.visit("/saved")
    owner.visit("/score")
    page.get_by_role("button", name="open the summary fire of good").click()
    expect(page.locator("#s-0")).to_contain_text("The mill burned down")
    page.reload()
    page.get_by_role("button", name="Discard draft").click()
    expect(page.locator("#systems-result")).to_be_hidden()
    page.reload()
    expect(page.locator("#many")).to_be_visible()
    expect(page.locator("#systems-result")).to_be_hidden()
    page.get_by_role("button", name="One summary").click()
    page.reload()
    expect(page.locator("#one")).to_be_visible()


def test_without_room_the_scores_are_kept_without_the_texts(owner):
    owner.page.add_init_script(
        "const set = Storage.prototype.setItem;"
        "Storage.prototype.setItem = function (key, value) {"
        "  if (value.includes('burned')) throw new DOMException('full', 'QuotaExceededError');"
        "  set.call(this, key, value); };"
    )
    page = scored(owner)
    page.reload()
    expect(page.locator("#systems-table tbody th")).to_have_text(["good", "poor"])
    expect(page.get_by_text("choose the file again to open its summaries")).to_be_visible()
    expect(ids(page)).to_have_count(3)
    expect(page.locator("#summaries-table td button")).to_have_count(0)


def test_a_link_has_the_scores_of_each_summary_and_no_text(owner, people, server):
    scored(owner)
    link = owner.share()
    other = people(server.address)
    page = other.visit(link)
    expect(ids(page)).to_have_text(["fire", "vote", "gale"])
    page.get_by_role("button", name="Show 3 summaries of poor").click()
    expect(ids(page).first).to_have_text("fire")
    expect(page.locator("#summaries-table td button")).to_have_count(0)
    assert "burned" not in page.request.get(f"{link}/data").text()
