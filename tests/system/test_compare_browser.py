"""The Compare page in a real browser, on a real server."""

import json

import pytest
from playwright.sync_api import expect

from people import picks
from web_files import docx, pdf

GAZETTE = (
    "The old bridge was closed on Monday after cracks were found. It was built in 1911. The baker "
    "on the quay gave free bread to the workers. Anglers complained that nobody had asked them. "
    "The mayor spoke for an hour."
)
RADIO = (
    "Cracks were found in the old bridge, and it was closed on Monday. Buses take the road by the "
    "mill. The workers got free bread from the baker on the quay. A painter sold three pictures "
    "of it. Children counted the lorries."
)
LETTER = (
    "I woke up late. The workers got free bread from the baker on the quay. I had none, and went "
    "home by the fields. My dog was pleased."
)


def begin(owner):
    """Put the example away."""
    page = owner.visit("/compare")
    page.get_by_role("button", name="Compare your own texts").click()
    return page


def write(page, *texts):
    for place, text in enumerate(texts):
        which = "ABCDEF"[place]
        if place >= 2:
            page.get_by_role("button", name="Add text").click()
        page.get_by_label(f"Text {which}", exact=True).fill(text)


def compare(page):
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#result")).to_be_focused()


def lit(page):
    """What is lit in each narrative."""
    found = page.locator(".narrative .lit").all_text_contents()
    return [words for words in found if words.strip()]


def test_the_first_visit_shows_a_worked_example(owner):
    page = owner.visit("/compare")
    expect(page.get_by_role("heading", name="What all 3 say")).to_be_visible()
    expect(page.get_by_text("This is a worked example")).to_be_visible()


def test_drafts_survive_reload_and_going_elsewhere(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO, LETTER)
    page.get_by_label("Name of text A").fill("Gazette")
    for leave in (page.reload, lambda: (page.goto("/score"), page.go_back())):
        leave()
        expect(page.get_by_label("Name of text A")).to_have_value("Gazette")
        expect(page.get_by_label("Text C", exact=True)).to_have_value(LETTER)
    expect(page.locator("#result > *")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Your draft is back.")).to_be_visible()
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("This is a worked example")).to_be_visible()
    page.reload()
    expect(page.get_by_text("This is a worked example")).to_be_visible()


def test_a_comparison_is_made_again_after_a_reload(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    before = page.locator("#result").inner_text()
    page.reload()
    expect(page.get_by_text("Your draft is back.")).to_be_visible()
    expect(picks(page).first).to_be_visible()
    assert page.locator("#result").inner_text() == before
    expect(page.locator("#outdated")).to_be_hidden()


def test_a_shared_page_neither_shows_nor_keeps_a_draft(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    link = owner.share()
    page.goto(link)
    expect(page.get_by_text("Your draft is back.")).to_have_count(0)
    page.locator("#editor > summary").click()
    page.get_by_label("Text A", exact=True).fill("Something else.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/compare")
    expect(page.get_by_label("Text A", exact=True)).to_have_value(GAZETTE)


def test_a_text_in_another_language_is_noticed(owner):
    page = begin(owner)
    write(page, GAZETTE, "Le vieux pont a été fermé lundi après la découverte de fissures.")
    page.get_by_label("Name of text B").fill("Le Pont")
    compare(page)
    expect(page.locator("#notices")).to_contain_text("“Le Pont” seems to be French")


def test_the_result_is_in_view_after_comparing(people, server):
    owner = people(server.address, viewport={"width": 1440, "height": 900})
    page = begin(owner)
    write(page, GAZETTE, RADIO, LETTER)
    compare(page)
    expect(page.locator(".overview")).to_be_in_viewport(ratio=1)
    expect(page.locator(".workspace")).to_be_in_viewport(ratio=0.9)


def test_texts_are_pasted_and_their_evidence_lights_up(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    page.get_by_label("Name of text A").fill("Gazette")
    compare(page)
    expect(page.get_by_role("heading", name="What both say")).to_be_visible()
    expect(page.get_by_role("heading", name="Gazette")).to_be_visible()
    expect(picks(page)).to_have_count(2)
    assert lit(page) == []
    bread = picks(page).filter(has_text="free bread")
    owner.tab_to(bread)
    page.keyboard.press("Enter")
    expect(page.locator(".narrative .lit")).to_have_count(2)
    assert all("free bread" in words for words in lit(page))
    # From the text back to the statement.
    page.locator(".text .badge.shared").first.click()
    expect(page.locator("#s1.chosen")).to_have_count(1)


def test_how_many_must_agree_changes_the_result(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO, LETTER)
    compare(page)
    expect(page.get_by_role("heading", name="What all 3 say")).to_be_visible()
    expect(picks(page)).to_have_count(1)
    page.get_by_label("Said by").select_option("at least 2 of 3")
    expect(page.get_by_role("heading", name="What at least 2 of 3 say")).to_be_visible()
    expect(picks(page)).to_have_count(2)
    expect(page.locator(".weight:visible").first).to_have_text("2 of 3")


def test_files_are_dropped(owner):
    page = begin(owner)
    first, second, third = GAZETTE.split(". ", 1)[0], RADIO, docx(paragraphs=[LETTER])
    files = {"gazette_pdf": pdf(first), "radio_txt": second.encode(), "letter_docx": third}
    owner.drop("body", **files)
    expect(page.get_by_label("Name of text C")).to_have_value("letter")
    texts = [page.get_by_label(f"Text {one}", exact=True).input_value() for one in "ABC"]
    assert [text.strip() for text in texts] == [first, RADIO, LETTER]
    with page.expect_file_chooser() as chooser:
        page.locator("label.file").first.click()
    chooser.value.set_files({"name": "new.md", "mimeType": "", "buffer": b"# News\n\nAll is well."})
    expect(page.get_by_label("Name of text A")).to_have_value("News")
    assert "All is well." in page.get_by_role("textbox", name="Text A", exact=True).input_value()


def test_a_saved_result_opens_in_a_fresh_browser(owner, people, server):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    link = owner.share()
    shown = page.locator("#result").inner_text()

    other = people(server.address).visit(link)
    assert other.locator("#result").inner_text() == shown
    picks(other).first.click()
    expect(other.locator(".narrative .lit")).not_to_have_count(0)


def test_results_are_saved(owner, people, server, tmp_path):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    name, content = owner.saved("Save as JSON")
    found = json.loads(content)
    assert name == "common-ground.json"
    assert len(found["statements"]) == 2
    assert found["narratives"][0]["text"] == GAZETTE

    name, content = owner.saved("Save as HTML")
    assert name == "common-ground.html"
    (tmp_path / name).write_bytes(content)
    # With no server at all, as whoever gets it by mail would open it.
    alone = people(server.address, offline=True).visit((tmp_path / name).as_uri())
    picks(alone).first.click()
    expect(alone.locator(".narrative .lit")).not_to_have_count(0)


def test_the_chosen_strictness_is_shared_saved_and_kept_with_the_draft(
    owner, people, server, tmp_path
):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    slider, shown = page.get_by_role("slider"), page.locator("#result").inner_text()
    slider.fill("90")
    expect(page.locator("#strict-hint")).to_contain_text("Hidden below 90%")
    strict = page.locator("#result").inner_text()
    assert strict != shown
    link = owner.share()
    saved = owner.saved("Save as HTML")[1]
    assert json.loads(owner.saved("Save as JSON")[1])["strictness"] == 0.5
    (tmp_path / "page.html").write_bytes(saved)
    for where in (link, (tmp_path / "page.html").as_uri()):
        other = people(server.address).visit(where)
        expect(other.get_by_role("slider")).to_have_value("90")
        drawn = ".figures, .portion, .found, #strict-hint"
        assert other.locator(drawn).all_inner_texts() == page.locator(drawn).all_inner_texts()
        other.get_by_role("slider").fill("50")
        expect(picks(other)).to_have_count(2)

    # Another setting and a reload leave it where it was.
    page.get_by_label("Show up to").fill("9")
    compare(page)
    expect(slider).to_have_value("90")
    for _ in range(2):
        page.reload()
    expect(page.get_by_label("Show up to")).to_have_value("9")
    compare(page)
    expect(slider).to_have_value("90")
    assert page.locator("#result").inner_text() == strict


def test_what_is_missing_or_no_text_is_said_in_a_line(owner):
    page = begin(owner)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Text A is empty.")
    expect(page.get_by_role("textbox", name="Text A", exact=True)).to_be_focused()
    owner.drop("body", picture_pdf=b"\x89PNG\r\n\x1a\n\x00\x00")
    expect(page.get_by_role("alert")).to_contain_text("picture.pdf is an image.")
    page.get_by_label("Show up to").fill("0")
    write(page, GAZETTE, RADIO)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(
        "Enter a whole number of statements from 1 to 20."
    )
    assert page.locator("#result").inner_text() == ""


def test_the_whole_way_by_keyboard(owner):
    page = owner.visit("/compare")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    owner.tab_to(page.get_by_role("button", name="Compare your own texts"), most=8)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Text A", exact=True)).to_be_focused()
    page.keyboard.insert_text(GAZETTE)
    owner.tab_to(page.get_by_role("textbox", name="Text B", exact=True), most=5)
    page.keyboard.insert_text(RADIO)
    owner.tab_to(page.get_by_label("Show up to"), most=5)
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_be_focused()
    owner.tab_to(picks(page).first, most=12)
    page.keyboard.press("Enter")
    expect(page.locator(".narrative .lit")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".narrative .lit")).to_have_count(0)


def test_control_enter_compares_from_a_text(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#result")).to_be_focused()


@pytest.mark.parametrize("where", ["text", "name"])
def test_script_in_a_narrative_is_shown_as_text(owner, people, server, where):
    attack = "<script>document.title='taken'</script><img src=x onerror=alert(1)>"
    page = begin(owner)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    write(page, GAZETTE, RADIO)
    if where == "text":
        page.get_by_role("textbox", name="Text A", exact=True).fill(f"{GAZETTE} {attack}")
    else:
        page.get_by_label("Name of text A").fill(attack)
    compare(page)
    expect(page.locator(".narrative").first).to_contain_text(attack)
    kept = people(server.address).visit(owner.share())
    for one in (page, kept):
        expect(one.locator(".narrative").first).to_contain_text(attack)
        assert one.locator("#result script, #result img").count() == 0
        assert one.title() != "taken"
        assert one.title().endswith(" · commonground")


def test_a_draft_that_the_browser_cannot_keep_is_not_lost_without_a_question(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    assert not owner.is_asked_to_stay()
    page.goto("/compare")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.get_by_label("Text A", exact=True).fill(LETTER)
    assert owner.is_asked_to_stay()


def test_the_worked_example_is_left_without_a_question(owner):
    page = owner.visit("/compare")
    page.get_by_label("Said by").select_option("at least 2 of 3")
    expect(page.get_by_role("heading", name="What at least 2 of 3 say")).to_be_visible()
    assert not owner.is_asked_to_stay()


def test_own_texts_are_compared_for_all_that_they_share(owner):
    page = begin(owner)
    expect(page.get_by_label("Show up to")).to_have_value("10")


def test_quick_changes_and_enter_ask_the_server_once(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    sent = []
    page.on("request", lambda one: sent.append((one.method, one.url)))
    most = page.get_by_label("Show up to")
    most.focus()
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_be_focused()
    page.wait_for_timeout(600)
    asked = [one for one in sent if one[0] != "GET"]
    assert asked == [("POST", f"{owner.address}/api/compare")]


def test_a_refused_setting_leaves_the_old_result_pale(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    compare(page)
    page.get_by_label("Show up to").fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(
        "Enter a whole number of statements from 1 to 20"
    )
    expect(page.locator("#result.stale")).to_be_visible()
    page.get_by_label("Show up to").fill("4")
    page.keyboard.press("Enter")
    expect(page.locator("#result:not(.stale)")).to_be_focused()


def test_a_result_of_texts_that_have_changed_since_is_called_so(owner):
    page = begin(owner)
    write(page, GAZETTE, RADIO)
    outdated = page.get_by_text("The texts have changed.")
    keep = page.get_by_role("button", name="Share link")
    expect(outdated).to_be_hidden()
    compare(page)
    page.locator("#editor > summary").click()
    for field in ("Text B", "Name of text A"):
        place = page.get_by_role("textbox", name=field, exact=True)
        before = place.input_value()
        place.fill(LETTER)
        expect(outdated).to_be_visible()
        expect(keep).to_be_disabled()
        place.fill(before)
        expect(outdated).to_be_hidden()
        expect(keep).to_be_enabled()
    page.get_by_role("button", name="Add text").click()
    expect(outdated).to_be_visible()
    page.get_by_role("button", name="Remove text C").click()
    expect(outdated).to_be_hidden()
    page.get_by_role("textbox", name="Text B", exact=True).fill(LETTER)
    compare(page)
    expect(outdated).to_be_hidden()
    expect(keep).to_be_enabled()


def test_there_are_six_narratives_at_most(owner):
    page = begin(owner)
    add = page.get_by_role("button", name="Add text")
    for _ in range(4):
        add.click()
    expect(page.get_by_label("Text F", exact=True)).to_be_visible()
    expect(add).to_be_disabled()
    page.get_by_role("button", name="Remove text F").click()
    expect(add).to_be_enabled()
