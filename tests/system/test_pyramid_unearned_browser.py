"""Sentences of a summary that earn no points, in a real browser."""

from playwright.sync_api import expect

from pyramid_desk import built, graded, points


def test_a_sentence_without_points_is_given_some(owner):
    page = graded(owner)
    row = page.locator("#roster tbody tr").filter(has_text="Wren")
    expect(row.get_by_title("1 sentence without points")).to_have_class("pill warn")
    page.get_by_role("button", name="To check 1").click()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(1)
    row.get_by_role("button").click()
    sheet = page.locator("#sheet-body")
    note = sheet.get_by_text("No sentence earns points: check that no idea was missed.")
    expect(note).to_be_visible()
    before = points(page, "Wren")
    sheet.locator(".unearned").click()
    idea = sheet.get_by_label("says the idea")
    expect(idea).to_be_visible()
    idea.select_option(index=1)
    weight = int(idea.locator("option").nth(1).inner_text().split()[0])
    sheet.get_by_role("button", name="Give the points").click()
    expect(page.get_by_role("status")).to_have_text("Changed.")
    assert points(page, "Wren") == before + weight
    expect(note).to_have_count(0)
    expect(page.get_by_role("button", name="To check 0")).to_be_disabled()


def test_a_form_stays_open_when_its_student_is_chosen_again(owner):
    page = graded(owner)
    sheet = page.locator("#sheet-body")
    expect(sheet.locator("h1")).to_have_text("Wren")
    sheet.locator(".unearned").click()
    sheet.get_by_label("says the idea").select_option(index=1)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.locator("#roster").get_by_role("button", name="Wren").click()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert requested == []
    expect(sheet.get_by_role("button", name="Give the points")).to_be_visible()


def test_a_sheet_that_is_checked_is_no_longer_listed(owner):
    page = graded(owner)
    page.get_by_role("button", name="To check 1").click()
    page.locator("#roster").get_by_role("button", name="Wren").click()
    expect(page.locator("#sheet-body h1")).to_have_text("Wren")
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="To check 0")).to_be_disabled()
    expect(page.locator("#roster tbody tr:visible")).to_have_count(2)


def test_some_sentences_without_points_do_not_list_the_student(owner):
    page = built(owner)
    text = (
        b"The town council closed the old bridge on Monday. Engineers found cracks in two pillars."
    )
    owner.drop("#class", Alder_txt=text + b" Anglers sat in the rain all day.")
    row = page.locator("#roster tbody tr").filter(has_text="Alder")
    expect(row.get_by_title("1 sentence without points")).to_have_class("pill")
    expect(page.get_by_role("button", name="To check 0")).to_be_disabled()
    expect(page.locator("#sheet-body")).to_contain_text("1 sentence earns no points: check")
