"""A pyramid and a class on the Pyramid page, for tests in a real browser."""

from playwright.sync_api import expect

REFERENCES = [
    "The town council closed the old bridge on Monday. Engineers found cracks in two pillars. "
    "A school choir sang carols.",
    "On Monday the town council closed the old bridge. Buses take another road. "
    "Bread became dearer in spring.",
    "On Monday the old bridge was closed by the town council. Apples fell early. "
    "My uncle collects stamps from Peru.",
]
GOOD = b"The town council closed the old bridge on Monday. Engineers found cracks in two pillars."
POOR = b"Anglers sat in the rain all day."


def built(owner):
    """Build a pyramid of one's own references."""
    page = owner.visit("/pyramid")
    page.get_by_role("button", name="Build your own pyramid").click()
    for number, text in enumerate(REFERENCES, start=1):
        place = page.get_by_label(f"Text of reference {number}")
        if not place.count():
            page.get_by_role("button", name="Add reference").click()
        place.fill(text)
    page.get_by_role("button", name="Build the pyramid").click()
    expect(page.locator("#result")).to_be_focused()
    return page


def unit(page, words):
    return page.locator("#pyramid details.unit").filter(has_text=words).first


def graded(owner):
    """A pyramid, and a class of two."""
    page = built(owner)
    owner.drop("#class", Wren_txt=POOR, Alder_txt=GOOD)
    expect(page.get_by_role("table", name="Scores of 2 summaries")).to_be_visible()
    expect(page.locator("#scoring")).to_be_hidden()
    return page


def students(page):
    table = page.get_by_role("table", name="Scores of 2 summaries")
    return table.locator("tbody th").all_text_contents()


def points(page, student):
    row = page.locator("#roster tbody tr").filter(has_text=student).first
    return float(row.locator("td").first.inner_text())
