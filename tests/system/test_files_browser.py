"""Files and pasted pages become texts with names."""

from playwright.sync_api import expect

PAGE = (
    "<!DOCTYPE html><html><head><title>Ferry aground off Skarholm</title></head><body>"
    "<nav>Home</nav><p>The ferry ran aground on Saturday.</p></body></html>"
)
GERMAN = (
    "Die Fähre lief am Samstagmorgen vor der Küste auf Grund. Alle Menschen an Bord wurden von "
    "Rettungsbooten an Land gebracht, und niemand wurde verletzt."
)


def begin(owner):
    page = owner.visit("/score")
    page.get_by_role("button", name="Score your own summary").click()
    return page


def test_the_source_of_a_page_is_pasted(owner):
    page = begin(owner)
    box = page.get_by_label("Text of summary")
    box.fill("")
    box.evaluate(
        "(box, text) => { const data = new DataTransfer(); data.setData('text/plain', text);"
        " box.dispatchEvent(new ClipboardEvent('paste',"
        " { clipboardData: data, bubbles: true, cancelable: true })); }",
        PAGE,
    )
    expect(box).to_have_value("The ferry ran aground on Saturday.")
    expect(page.locator(".name").first).to_have_value("Ferry aground off Skarholm")


def test_a_file_in_another_language_is_loaded_with_a_notice(owner):
    page = begin(owner)
    file = {"name": "faehre.txt", "mimeType": "text/plain", "buffer": GERMAN.encode("cp1252")}
    page.locator('input[type="file"]').first.set_input_files(file)
    expect(page.get_by_label("Text of summary")).to_have_value(GERMAN)
    expect(page.get_by_text("faehre.txt seems to be in German")).to_be_visible()
