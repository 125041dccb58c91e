"""The findings of the Compare page and the texts beside them, in a real browser."""

import pytest
from playwright.sync_api import expect

from commonground import overlap
from people import PHONE, picks


def test_a_statement_and_its_evidence_are_seen_together(people, server):
    page = people(server.address, viewport={"width": 1440, "height": 900}).visit("/compare")
    for statement in picks(page).all():
        statement.click()
        expect(page.locator(".narrative .lit")).to_have_count(3)
        for part in [statement, *page.locator(".narrative .lit").all()]:
            expect(part).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_arrows_walk_the_statements_and_escape_clears(people, server):
    page = people(server.address, viewport={"width": 1440, "height": 900}).visit("/compare")
    items = picks(page)
    items.first.focus()
    page.keyboard.press("Enter")
    expect(items.first).to_have_attribute("aria-current", "true")
    for key, index in (("ArrowDown", 1), ("j", 2), ("k", 1), ("ArrowUp", 0), ("ArrowUp", 0)):
        page.keyboard.press(key)
        expect(items.nth(index)).to_be_focused()
        expect(page.locator("[aria-current=true].pick")).to_have_count(1)
        expect(items.nth(index)).to_have_attribute("aria-current", "true")
    assert page.url.endswith("#s1")
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)
    assert "#" not in page.url


def test_a_conflict_shows_every_side_and_its_link_opens_it(people, server):
    wide = {"viewport": {"width": 1440, "height": 900}}
    page = people(server.address, **wide).visit("/compare#c2")
    expect(page.get_by_role("tab", name="Differ")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".value.lit")).to_have_text(["19 June", "12 June", "12 June"])
    for side in page.locator(".value.lit").all():
        expect(side).to_be_in_viewport()
    rows = page.locator(".matters li")
    expect(rows.last).to_have_text("A: 19 June · B, C: 12 June")
    rows.first.click()
    expect(page.locator(".value.lit")).to_have_text(["twelve", "eleven"])


def drawn(page):
    """What depends on the strictness."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".text, .shares, .figures, .found")]
          .map((one) => one.innerHTML.replace(/ aria-current="true"/g, ""))"""
    )


def test_the_slider_draws_again_in_both_directions_without_a_request(owner):
    page = owner.visit("/compare")
    page.wait_for_load_state("networkidle")
    sent = []
    page.on("request", lambda one: sent.append(one.url))
    slider, total = page.get_by_role("slider"), page.locator("dd[data-total=s]")
    before, usual = drawn(page), int(total.inner_text())
    marked = page.locator(".text .run.all").count()
    share = page.locator(".shares .portion b").first.inner_text()

    slider.fill("30")
    expect(total).to_have_text(str(usual + 1))
    expect(page.locator(".item.less")).to_be_visible()
    expect(page.get_by_role("tab", name=f"Shared {usual + 1}")).to_be_visible()

    slider.fill("90")
    expect(total).to_have_text("0")
    hidden = "{} are below 90%. Lower the strictness to see them."
    expect(page.locator("#panel-s .nothing")).to_be_visible()
    expect(page.locator("#panel-s .nothing")).to_have_text(hidden.format(usual + 1))
    expect(page.locator("dd[data-total=c]")).to_have_text("2")  # conflicts are never hidden
    assert page.locator(".text .run.all").count() < marked
    assert page.locator(".shares .portion b").first.inner_text() != share
    expect(page.locator(".text .badge.shared:visible")).to_have_count(0)

    # The script draws at the usual strictness what the server had drawn.
    slider.fill("50")
    assert drawn(page) == before
    assert sent == []


def test_the_slider_says_its_ends_and_what_it_hides(owner):
    page = owner.visit("/compare")
    slider, hint = page.get_by_role("slider", name="Strictness"), page.locator("#strict-hint")
    expect(page.locator(".strict .end")).to_have_text(["30%", "90%"])
    expect(hint).to_have_text("Hidden below 50%: 1 shared.")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "30%")
    expect(hint).to_have_text("Nothing is hidden. Statements below 30% are not kept.")
    expect(page.locator(".item[hidden]")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".strict output")).to_have_text("90%")
    hidden = {kind: page.locator(f"#panel-{kind} .item[hidden]").count() for kind in "suc"}
    words = "Hidden below 90%: {s} shared, {u} only in one."
    expect(hint).to_have_text(words.format(**hidden))
    assert (hidden["s"], hidden["c"]) == (7, 0)
    expect(slider).to_have_accessible_description(words.format(**hidden))


def test_the_slider_stands_where_the_result_was_made(people, server, tmp_path):
    # A browser moves a value that is beyond the ends or between two steps.
    texts = ["The old bridge was closed on Monday. It rained."] * 2
    for strictness in (0.2, 0.55, 0.97):
        file = tmp_path / f"{strictness}.html"
        overlap(texts, strictness=strictness).to_html(file)
        page = people(server.address).visit(file.as_uri())
        slider = page.get_by_role("slider")
        expect(slider).to_have_value(f"{100 * strictness:.0f}")
        expect(page.locator(".strict output")).to_have_text(f"{100 * strictness:.0f}%")
        page.keyboard.press("Tab")
        slider.press("Home")
        least = "20%" if strictness == 0.2 else "30%"
        expect(page.locator("#strict-hint")).to_contain_text(
            f"Statements below {least} are not kept."
        )


def test_words_tell_their_probability_and_evidence_by_mouse_and_keyboard(owner):
    page = owner.visit("/compare")
    tip = page.get_by_role("tooltip")
    expect(tip).to_be_hidden()
    page.locator(".narrative:visible .text .run.all").first.hover()
    expect(tip).to_contain_text("%")
    page.get_by_role("heading", name="Compare", exact=True).hover()
    expect(tip).to_be_hidden()

    text = page.locator(".narrative:visible .text").first
    text.focus()
    page.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()
    first = page.evaluate("document.activeElement.textContent")
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "tip"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") != first
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(text).to_be_focused()


def test_texts_stand_side_by_side_or_one_at_a_time(people, server):
    page = people(server.address, viewport={"width": 1440, "height": 900}).visit("/compare")
    texts = page.locator(".narrative:visible")
    expect(texts).to_have_count(3)
    page.get_by_role("button", name="One at a time").click()
    expect(texts).to_have_count(1)
    page.get_by_role("button", name="Swimming club").click()
    expect(texts).to_contain_text("members of the Aldwick Otters")
    # A finding of another text brings that text.
    page.get_by_role("tab", name="Only in one").click()
    picks(page, "u").first.click()
    expect(texts).to_contain_text("Pool vote splits")
    expect(page.locator(".lit:visible")).to_have_count(1)


def test_on_a_phone_the_list_is_a_drawer(people, server):
    page = people(server.address, **PHONE).visit("/compare")
    drawer = page.get_by_role("region", name="Findings")
    expect(drawer).to_be_hidden()
    page.get_by_role("button", name="Findings").click()
    expect(drawer).to_be_visible()
    picks(page).nth(1).click()
    expect(drawer).to_be_hidden()
    expect(page.locator(".lit:visible")).to_be_in_viewport()
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#s3.chosen")).to_have_count(1)
    expect(page.locator(".lit:visible")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (768, 1024), (390, 844)])
def test_nothing_bars_the_way_at_any_size(people, server, scheme, size):
    look = {"viewport": dict(zip(("width", "height"), size, strict=True)), "color_scheme": scheme}
    person = people(server.address, **look)
    page = person.visit("/compare")
    person.check_access()
    person.check_width()
    for kind in "suc":
        page.keyboard.press("Escape")
        if size[0] == 390:
            page.get_by_role("button", name="Findings").click()
        page.locator(f"#tab-{kind}").click()
        picks(page, kind).first.click()
        expect(page.locator(".lit")).not_to_have_count(0)
        person.check_access()
        person.check_width()
        person.picture(f"compare-{kind}-{size[0]}-{scheme}")
