"""Pages where scripts are off: in strict viewers, in previews of mail programs."""

import pytest
from playwright.sync_api import expect

from people import DARK, PHONE

LOOKS = {"light": {}, "dark": DARK, "phone": PHONE}


@pytest.fixture(params=LOOKS)
def reader(request, people, server):
    """Somebody whose browser runs no scripts."""
    person = people(server.address, java_script_enabled=False, **LOOKS[request.param])
    person.look = request.param
    return person


def shared(owner, path):
    owner.visit(path)
    expect(owner.page.locator("#result")).to_be_visible()
    return owner.share()


def test_the_saved_page_shows_everything_without_its_scripts(owner, reader, tmp_path):
    page = owner.visit("/compare")
    page.get_by_role("slider", name="Strictness").fill("70")
    shown = {kind: page.locator(f"#panel-{kind} .item:not([hidden])").count() for kind in "suc"}
    every = {kind: page.locator(f"#panel-{kind} .item").count() for kind in "suc"}
    assert all(shown[kind] < every[kind] for kind in "s")
    name, content = owner.saved("Save as HTML")
    (tmp_path / name).write_bytes(content)

    page = reader.page
    page.goto((tmp_path / name).as_uri())
    for part in ("slider", "tab"):
        expect(page.get_by_role(part)).to_have_count(0)
    expect(page.get_by_role("button")).to_have_count(0)
    for kind in "suc":
        panel = page.locator(f"#panel-{kind}")
        expect(panel.locator("> .found > .item")).to_have_count(shown[kind])
        expect(panel.locator(".unlikely .item")).to_have_count(every[kind] - shown[kind])
        expect(page.locator(f"dd[data-total={kind}]")).to_have_text(str(shown[kind]))
    folded = page.locator("#panel-s .unlikely")
    expect(folded.locator("summary")).to_have_text(
        f"{every['s'] - shown['s']} less likely than 70%"
    )
    expect(folded.locator(".item").first).to_be_hidden()
    folded.locator("summary").click()
    expect(folded.locator(".item").first).to_be_visible()
    expect(folded.locator(".meta").first).to_contain_text("% likely")
    # Nothing is cut off, and every piece of evidence is quoted.
    for panel in page.locator(".panel").all():
        assert panel.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    for quotation in page.locator("#panel-s > .found .evidence q").all():
        expect(quotation).to_be_visible()
    reader.check_width()
    reader.picture(f"saved-without-scripts-{reader.look}")


def test_the_saved_page_with_scripts_has_all_findings_in_order(owner, tmp_path):
    page = owner.visit("/compare")
    page.get_by_role("slider", name="Strictness").fill("70")
    name, content = owner.saved("Save as HTML")
    (tmp_path / name).write_bytes(content)
    page.goto((tmp_path / name).as_uri())
    expect(page.get_by_role("slider")).to_have_value("70")
    expect(page.locator(".unlikely")).to_have_count(0)
    page.get_by_role("slider").fill("30")
    expect(page.locator(".item[hidden]")).to_have_count(0)
    for kind in "suc":
        ids = page.locator(f"#panel-{kind} .item").evaluate_all("all => all.map((one) => one.id)")
        assert ids == [f"{kind}{number}" for number in range(1, len(ids) + 1)]


@pytest.mark.parametrize(
    ("path", "names"),
    {
        "/compare": ["Save as HTML"],
        "/score": ["Save as XLSX", "Save as CSV"],
        "/pyramid": ["Save as HTML"],
    }.items(),
)
def test_a_shared_page_leads_to_the_files_without_scripts(owner, reader, path, names):
    link = shared(owner, path)
    page = reader.visit(link)
    note = page.locator(".note").filter(has_text="This page needs scripts")
    expect(note).to_be_visible()
    for name in names:
        with page.expect_download() as download:
            note.get_by_role("link", name=name).click()
        assert download.value.failure() is None
        file = download.value.suggested_filename
        assert file == note.get_by_role("link", name=name).get_attribute("href").split("/")[-1]
    reader.check_width()
    reader.picture(f"shared-without-scripts{path.replace('/', '-')}-{reader.look}")
