"""Two to six texts side by side: none is cut off, and the evidence of all is on the screen."""

import re

import pytest
from playwright.sync_api import expect

from commonground import overlap
from people import PHONE, picks

FACT = "The old bridge over the mill stream was closed to lorries on Monday morning."
OWN = ("It rained.", "A baker gave out bread.", "Anglers complained.", "Buses were late.")
FILLING = " ".join(f"Lantern number {n} hung by the harbour wall." for n in range(40))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page for each number of texts, with the evidence far down in all of them."""
    folder = tmp_path_factory.mktemp("pages")
    for count in (2, 3, 4, 6):
        texts = [f"{OWN[n % 4]} {FILLING}\n\n{FACT} {OWN[(n + 1) % 4]}" for n in range(count)]
        overlap(texts).to_html(folder / f"{count}.html")
    return folder


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_all_texts_are_readable_beside_the_list(people, server, pages, size, count):
    look = {"viewport": dict(zip(("width", "height"), size, strict=True))}
    person = people(server.address, **look)
    page = person.visit((pages / f"{count}.html").as_uri())
    expect(page.locator(".narrative:visible")).to_have_count(count)
    wide = "one => one.scrollWidth - one.clientWidth"
    assert page.locator(".columns").evaluate(wide) <= 0
    assert all(text.bounding_box()["width"] >= 256 for text in page.locator(".text").all())
    picks(page).filter(has_text="old bridge").click()
    for part in [picks(page).filter(has_text="old bridge"), *page.locator(".lit").all()]:
        expect(part).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".lit")).to_have_count(count)
    person.check_access()
    person.check_width()
    person.picture(f"columns-{count}-{size[0]}")


@pytest.mark.parametrize("look", ["tablet", "phone"])
def test_the_buttons_of_six_texts_are_all_in_view(people, server, pages, look):
    looks = {"tablet": {"viewport": {"width": 768, "height": 1024}}, "phone": PHONE}
    person = people(server.address, **looks[look])
    page = person.visit((pages / "6.html").as_uri())
    buttons = page.get_by_role("group", name="Text", exact=True).get_by_role("button")
    buttons.first.scroll_into_view_if_needed()
    for index, letter in enumerate("ABCDEF"):
        expect(buttons.nth(index)).to_be_in_viewport(ratio=1)
        expect(buttons.nth(index)).to_have_accessible_name(
            re.compile(f"{letter} ?narrative {index + 1}")
        )
    buttons.last.click()
    expect(page.locator(".narrative:visible")).to_have_count(1)
    person.check_access()
    person.check_width()
    person.picture(f"columns-6-{look}")
