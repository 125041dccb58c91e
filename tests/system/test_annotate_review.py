"""A study in real browsers: files of a spreadsheet, guidelines, remarks, review, final labels."""

import csv
import io
import re
import subprocess
import sys

import pytest
from openpyxl import Workbook
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS
from people import DARK, PHONE
from served import Served

TABLET = {"viewport": {"width": 768, "height": 1024}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    served = Served("--data", tmp_path_factory.mktemp("data"))
    yield served
    assert served.stop() == ""


@pytest.fixture
def visit(people, server):
    def opened(address, **look):
        person = people(server.address, **look)
        person.visit(address)
        return person

    return opened


def _sheet(rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return {"name": "any.xlsx", "mimeType": "", "buffer": stream.getvalue()}


def _events():
    header = ["id", "reference 1", "reference 2"]
    return [header, *([event["id"], *event["references"]] for event in EVENTS)]


def _outputs():
    return [["id", "system", "summary"], *(list(output.values()) for output in OUTPUTS)]


def _sound(person, name):
    person.picture(f"annotate-{name}")
    person.check_access()
    person.check_width()


def _invite(page, name):
    page.wait_for_load_state()  # until then the form has no script
    page.get_by_label("Invite an annotator").fill(name)
    page.keyboard.press("Enter")
    expect(page.locator("#invited")).to_have_text(name)
    return page.locator("#link").input_value()


def _enter(visit, link, **look):
    person = visit(link, **look)
    person.page.get_by_role("button", name="Start labelling").click()
    expect(person.page.locator("#item :focus")).to_have_count(1)
    return person


def _saved(page, number):
    expect(page.locator("#progress-words")).to_have_text(f"{number} of 7 labels saved")


def test_a_study_from_a_spreadsheet_to_final_labels(visit, tmp_path):
    owner = visit("/annotate")
    page = owner.page

    # Files: a wrong cell is named, the corrected file is counted.
    page.get_by_label("Name").fill("From a spreadsheet")
    page.locator("#data_set").set_input_files(_sheet([*_events(), ["", "Text.", ""]]))
    problems = page.locator(".problems li")
    expect(problems).to_have_text(["any.xlsx, row 4, column A (id): is blank"])
    _sound(owner, "import-problems")
    page.locator("#data_set").set_input_files(_sheet(_events()))
    page.locator("#outputs").set_input_files(_sheet(_outputs()))
    expect(page.locator("#preview")).to_contain_text("2 items, 7 labels per annotator")
    expect(problems).to_have_count(0)
    _sound(owner, "import-preview")
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="From a spreadsheet")).to_be_visible()
    project = page.url

    # Guidelines: shown while they are written, saved as a version.
    page.get_by_role("link", name="Guidelines").click()
    page.locator("#guidelines-text").fill(
        "# Rules\n\nJudge the **content**.\n<script>no()</script>"
    )
    shown = page.locator("#guidelines-preview")
    expect(shown.get_by_role("heading", name="Rules")).to_be_visible()
    expect(shown).to_contain_text("<script>no()</script>")
    page.locator("#guidelines-text").press("Control+Enter")
    expect(page.locator("#guidelines-state")).to_have_text("Version 1, saved")
    _sound(owner, "guidelines")
    page.goto(f"{project}/review")
    expect(page.get_by_text("Nothing to review yet")).to_be_visible()
    _sound(owner, "review-empty")

    # Two annotators, by keys; one flags and comments, and folds the guidelines.
    page.goto(project)
    links = [_invite(page, name) for name in ("Linnet", "Heron")]
    linnet = _enter(visit, links[0])
    work = linnet.page
    expect(work.get_by_role("heading", name="Rules")).to_be_visible()
    for number, key in enumerate("31", start=1):
        work.keyboard.press(key)
        _saved(work, number)
    work.keyboard.press("f")
    work.keyboard.press("c")
    work.keyboard.type("Aground, or only stuck?")
    work.keyboard.press("Control+Enter")
    expect(work.locator(".remark-state", has_text="saved")).to_have_count(1)
    expect(work.locator(".unit").nth(2).locator("input").first).to_be_focused()
    _sound(linnet, "work-remark")
    for number, key in enumerate("323", start=3):
        work.keyboard.press(key)
        _saved(work, number)
    work.locator("#guidelines > summary").click()
    work.locator("#next").click()
    work.wait_for_url("**/annotate/work/2")
    expect(work.get_by_role("heading", name="Rules")).to_be_hidden()  # remembered
    work.goto("/annotate/work/1")
    flag = work.locator(".unit").nth(2).get_by_role("button", name="Flag")
    expect(flag).to_have_attribute("aria-pressed", "true")
    heron = _enter(visit, links[1], **PHONE)
    for number, key in enumerate("32322", start=1):
        heron.page.keyboard.press(key)
        _saved(heron.page, number)
    _sound(heron, "work-remark-phone")

    # Review: the list, the confusion of a pair.
    page.goto(f"{project}/review")
    expect(page.locator(".counts")).to_contain_text("5 of 7")
    expect(page.get_by_role("row", name="Item 1")).to_contain_text("2 of 5")
    page.locator("#pair").select_option(label="Linnet – Heron")
    expect(page.get_by_role("table").last).to_contain_text("3 of 5 sentences labelled by both")
    _sound(owner, "review")
    for look, name in ((PHONE, "phone"), (TABLET, "tablet"), (DARK, "dark")):
        _sound(visit(page.url, **look), f"review-{name}")

    # Decisions by keys alone: the focus goes from one disagreement to the next.
    page.get_by_role("link", name="To decide").click()
    page.get_by_role("link", name="Review these one by one").click()
    expect(page.locator(".unit").nth(1).locator("input").first).to_be_focused()
    expect(page.get_by_text("Aground, or only stuck?")).to_be_visible()
    _sound(owner, "decide")
    page.keyboard.press("2")
    expect(page.locator("#progress-words")).to_have_text("1 of 2 disagreements decided")
    expect(page.locator(".unit").nth(4).locator("input").first).to_be_focused()
    page.keyboard.press("n")  # right after the decision: on that unit
    page.keyboard.type("A part is said.")
    page.keyboard.press("Enter")
    expect(page.locator(".unit").nth(1).locator(".note-state")).to_have_text("Note saved.")
    expect(page.locator(".unit").nth(4).locator("input").first).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.type("Both say so.")
    page.keyboard.press("Enter")
    waiting = page.locator(".unit").nth(4).locator(".note-state")
    expect(waiting).to_have_text("Kept in this browser; saved with your decision.")
    _sound(owner, "note-waits")
    page.get_by_role("link", name="Back to the list").click()
    page.get_by_role("link", name="Review these one by one").click()
    note = page.locator(".unit").nth(4).locator(".note-box input")
    expect(note).to_have_value("Both say so.")
    expect(waiting).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator("#progress-words")).to_have_text("2 of 2 disagreements decided")
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator("#progress-words")).to_have_text("1 of 2 disagreements decided")
    page.keyboard.press("3")
    expect(page.locator("#progress-words")).to_have_text("2 of 2 disagreements decided")
    for look, name in ((PHONE, "phone"), (DARK, "dark")):
        _sound(visit(page.url, **look), f"decide-{name}")
    page.locator("#next").click()
    expect(page.get_by_text("Everything is decided.")).to_be_visible()

    # The flag: its question has the focus, and all agree on it.
    expect(page.locator(".counts")).to_contain_text("1 and 1 comment")
    page.get_by_role("link", name="Flagged").click()
    page.get_by_role("link", name="Review these one by one").click()
    flagged = page.locator(".unit").nth(2)
    expect(flagged.locator("input").first).to_be_focused()
    _sound(owner, "flagged")
    flagged.get_by_role("button", name="Resolve: keep P").click()
    expect(flagged.get_by_text("flag resolved")).to_be_visible()
    expect(page.locator("#next")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(flagged.get_by_text("flagged", exact=True)).to_be_visible()
    flagged.get_by_role("button", name="Resolve: keep P").click()
    expect(flagged.get_by_text("flag resolved")).to_be_visible()
    page.locator("#next").click()
    expect(page.get_by_text("No flag is open.")).to_be_visible()

    name, content = owner.saved("Final labels as CSV")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [(row["label"], row["decided_by"], row["note"]) for row in rows] == [
        ("P", "agreement", ""),
        ("PP", "owner", "A part is said."),
        ("P", "owner", ""),
        ("PP", "agreement", ""),
        ("P", "owner", "Both say so."),
    ]
    (tmp_path / name).write_bytes(content)
    read = subprocess.run(
        [sys.executable, "-m", "commonground", "agreement", "labels", tmp_path / name, "--json"],
        capture_output=True,
        text=True,
    )
    assert read.returncode == 0, read.stderr
    page.goto(project)
    _, content = owner.saved("Labels as CSV")
    said = [row["comment"] for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig")))]
    assert "Aground, or only stuck?" in said


def _example(page):
    """Store the example as a project; its address."""
    made = page.evaluate(
        """async () => {
          const token = document.querySelector("meta[name=csrf]").content;
          const headers = { "X-CSRF-Token": token };
          return (await fetch("/api/annotate/example", { method: "POST", headers })).json();
        }"""
    )
    return made["link"]


def test_the_example_stays_and_practice_works_below_projects(visit):
    owner = visit("/annotate")
    page = owner.page
    _example(page)
    page.reload()
    page.locator("#example-box > summary").click()
    page.locator("#example-box .unit input").first.focus()
    page.keyboard.press("3")
    expect(page.locator("#example-box .unit :checked")).to_have_count(1)
    _sound(owner, "projects")


def test_an_error_covers_no_button_and_goes_away(visit, server):
    owner = visit("/annotate")
    owner.page.goto(_example(owner.page))
    annotator = _enter(visit, _invite(owner.page, "Dipper"))
    page = annotator.page
    annotator.context.set_offline(True)
    page.keyboard.press("3")
    alert = page.locator("#alert")
    expect(alert).to_contain_text("This browser keeps your labels and sends them when it is back")
    over, button = alert.bounding_box(), page.locator("#next").bounding_box()
    assert over["y"] + over["height"] < button["y"]
    page.keyboard.press("Escape")
    expect(alert).to_be_empty()
    page.keyboard.press("2")
    annotator.context.set_offline(False)
    expect(page.locator("#progress-words")).to_have_text("2 of 44 labels saved")
    expect(alert).to_be_empty()
    offline = re.compile("ERR_INTERNET_DISCONNECTED")
    annotator.faults = [fault for fault in annotator.faults if not offline.search(fault)]
