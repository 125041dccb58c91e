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
    expect(page.get_by_text("“faehre.txt” seems to be German")).to_be_visible()


def names(page):
    return page.locator("#references .name").evaluate_all("all => all.map((one) => one.value)")


def texts(page):
    return page.locator("#references textarea").evaluate_all("all => all.map((one) => one.value)")


def test_several_files_for_one_box_replace_no_text(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("button", name="Build your own pyramid").click()
    page.get_by_label("Text of reference 2").fill("Typed by hand.")
    owner.drop("#references > li:nth-child(2)", A_txt=b"Rain fell.", B_txt=b"Snow fell.")
    expect(page.get_by_role("status")).to_have_text("A.txt, B.txt were loaded.")
    assert texts(page) == ["Rain fell.", "Typed by hand.", "Snow fell."]
    assert names(page) == ["A", "", "B"]
    assert page.locator(".dropping").count() == 0
    # One file replaces what is in its box, and says so.
    owner.drop("#references > li:nth-child(2)", C_txt=b"Hail fell.")
    status = page.get_by_role("status")
    expect(status).to_have_text("C.txt was loaded. It replaced the earlier text.")
    assert texts(page) == ["Rain fell.", "Hail fell.", "Snow fell."]
    assert page.locator(".dropping").count() == 0


def test_several_files_are_chosen_and_those_beyond_the_limit_are_named(owner):
    page = owner.visit("/pyramid")
    page.get_by_role("button", name="Build your own pyramid").click()
    files = [
        {"name": f"{letter}.txt", "mimeType": "text/plain", "buffer": b"Rain fell on %d." % place}
        for place, letter in enumerate("ABCDEFGHIJKL", start=1)
    ]
    page.get_by_label("File for reference 2").set_input_files(files)
    expect(page.get_by_role("alert")).to_have_text("Left out: K.txt, L.txt (limit 10).")
    assert names(page) == ["B", "A", *"CDEFGHIJ"]


def test_several_files_do_not_mix_with_the_example(owner):
    page = owner.visit("/pyramid")
    page.locator("#editor > summary").click()
    owner.drop("#references > li:first-child", A_txt=b"Rain fell.", B_txt=b"Snow fell.")
    expect(page.get_by_role("status")).to_have_text("A.txt, B.txt were loaded.")
    assert texts(page) == ["Rain fell.", "Snow fell."]
    expect(page.get_by_text("This is a worked example")).to_have_count(0)
