"""Annotation in real browsers: an owner with a password, and annotators who come by links."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from annotate_study import EVENTS, OUTPUTS, lines
from served import Served

PASSWORD = "a bridge of eleven arches"
UNITS = 7  # five sentences of the ferry, two of the fair


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A server with a password."""
    folder = tmp_path_factory.mktemp("locked")
    (folder / "password").write_text(PASSWORD)
    served = Served("--data", folder, "--password-file", folder / "password")
    yield served
    assert served.stop() == ""


@pytest.fixture
def owner(people, locked):
    """The owner, logged in."""
    person = people(locked.address)
    page = person.visit("/annotate")
    expect(page).to_have_url(re.compile("/login"))
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Annotate")).to_be_visible()
    return person


def make_project(page, name, protocol="sentences"):
    page.goto("/annotate")
    page.get_by_label("Name").fill(name)
    page.locator(f"[name=protocol][value={protocol}]").check()
    page.locator("#data_set").set_input_files(_file("events.jsonl", EVENTS))
    page.locator("#outputs").set_input_files(_file("outputs.jsonl", OUTPUTS))
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def _file(name, rows):
    return {"name": name, "mimeType": "", "buffer": lines(rows).encode()}


def invite(page, name):
    page.wait_for_load_state()  # until then the form has no script
    page.get_by_label("Invite an annotator").fill(name)
    page.get_by_role("button", name="Create link").click()
    expect(page.locator("#invited")).to_have_text(name)
    expect(page.get_by_role("row", name=name)).to_be_visible()
    return page.locator("#link").input_value()


def test_links_of_this_visit_stay_on_the_page(owner):
    make_project(owner.page, "Three people")
    first, second = invite(owner.page, "Mia"), invite(owner.page, "Tom")
    assert owner.page.get_by_label("Link for Mia").input_value() == first
    owner.page.on("dialog", lambda dialog: dialog.accept())
    owner.page.get_by_role("button", name="New link").first.click()
    expect(owner.page.locator("#invited")).to_have_text("Mia")
    assert owner.page.locator("#link").input_value() not in (first, second)
    expect(owner.page.locator("#earlier label")).to_have_count(1)
    assert owner.page.get_by_label("Link for Tom").input_value() == second
    newest, box = owner.page.locator("#link"), owner.page.get_by_label("Link for Tom")
    gap = box.bounding_box()["y"] - newest.bounding_box()["y"] - newest.bounding_box()["height"]
    assert gap >= 8
    owner.page.get_by_role("button", name="Copy the link for Tom").click()
    expect(owner.page.locator("#status")).to_contain_text(re.compile("copied|selected link"))
    owner.check_access()
    owner.check_width()
    owner.picture("annotate-links")


def enter(person, link):
    page = person.visit(link)
    page.get_by_role("button", name="Start labelling").click()
    expect(page.locator("#item :focus")).to_have_count(1)  # ready for keys
    return page


def saved(page, number, of=UNITS):
    expect(page.locator("#progress-words")).to_have_text(f"{number} of {of} labels saved")


def given(page):
    """The labels of the item that is shown, in order."""
    units = page.locator(".unit").all()
    return [
        unit.locator("input:checked").input_value() if unit.locator("input:checked").count() else ""
        for unit in units
    ]


def label_all(page, keys):
    """Label every item by keys alone; the focus moves on by itself."""
    for number, key in enumerate(keys, start=1):
        page.keyboard.press(key)
        saved(page, number)
        if number == 5:
            expect(page.get_by_role("link", name="Next item")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.get_by_text("Item 2 of 2")).to_be_visible()
            expect(page.locator(".unit input").first).to_be_focused()
    expect(page.get_by_role("link", name="Finish", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"All {UNITS} labels are saved")).to_be_visible()


def test_a_study_from_its_project_to_its_agreement(owner, people, locked, tmp_path):
    page = owner.page
    make_project(page, "Two events")
    links = [invite(page, name) for name in ("Linnet", "Heron")]
    for link, keys in zip(links, ("3132312", "3132311"), strict=True):
        person = people(locked.address)
        label_all(enter(person, link), keys)

    # The owner's page follows by itself.
    progress = page.get_by_role("region", name="Annotators")
    expect(progress.get_by_role("row", name="Linnet")).to_contain_text(f"{UNITS} of {UNITS}")
    expect(progress.get_by_role("row", name="Heron")).to_contain_text(f"{UNITS} of {UNITS}")
    expect(page.get_by_role("region", name="Agreement")).to_contain_text("Heron")

    name, content = owner.saved("Labels as CSV")
    assert name.endswith(".csv")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert len(rows) == 2 * UNITS
    named = {"1": "A", "2": "PP", "3": "P"}
    by_linnet = [row["label"] for row in rows if row["annotator"] == "Linnet"]
    assert sorted(by_linnet) == sorted(named[key] for key in "3132312")
    name, content = owner.saved("Labels as JSONL")
    assert len(content.splitlines()) == 2 * UNITS
    (tmp_path / name).write_bytes(content)
    read = subprocess.run(
        [sys.executable, "-m", "commonground", "agreement", "labels", tmp_path / name, "--json"],
        capture_output=True,
        text=True,
    )
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout)


def test_labels_are_undone_and_taken_up_on_another_day(owner, people, locked):
    make_project(owner.page, "Another day")
    link = invite(owner.page, "Wagtail")
    first_day = people(locked.address)
    page = enter(first_day, link)
    expect(page.locator(".unit input").first).to_be_focused()
    for number, key in enumerate("123", start=1):
        page.keyboard.press(key)
        saved(page, number)
    assert given(page) == ["A", "PP", "P", "", ""]
    page.keyboard.press("Control+z")
    saved(page, 2)
    assert given(page) == ["A", "PP", "", "", ""]
    page.get_by_role("button", name="Undo").click()
    saved(page, 1)
    page.keyboard.press("3")
    saved(page, 2)
    assert given(page) == ["A", "P", "", "", ""]
    cookies = first_day.context.storage_state()
    first_day.context.close()

    # With the cookie, in a browser that was closed; and by the link, in another one.
    page = people(locked.address, storage_state=cookies).visit("/annotate/work/")
    saved(page, 2)
    assert given(page) == ["A", "P", "", "", ""]
    expect(page.locator(".unit").nth(2).locator("input").first).to_be_focused()
    page.keyboard.press("2")
    saved(page, 3)
    page = enter(people(locked.address), link)
    saved(page, 3)
    assert given(page) == ["A", "P", "PP", "", ""]


def test_scores_are_given_by_digits(owner, people, locked):
    make_project(owner.page, "Scores", protocol="precision-recall")
    page = enter(people(locked.address), invite(owner.page, "Dipper"))
    page.keyboard.press("7")
    saved(page, 1, of=4)
    page.keyboard.press("0")
    saved(page, 2, of=4)
    assert given(page) == ["7", "10"]


def test_annotators_see_their_own_work_and_nothing_else(owner, people, locked):
    make_project(owner.page, "Own work")
    link = invite(owner.page, "Siskin")
    person = people(locked.address)
    page = enter(person, link)
    expect(page.get_by_role("navigation", name="Pages")).to_have_count(0)
    person.expects(403, 404)
    for path in ("/annotate", "/compare", "/annotate/projects/1", "/annotate/work/99"):
        page.goto(path)
        expect(
            page.get_by_role("heading", name=re.compile("^Not (allowed|found)$"))
        ).to_be_visible()
        expect(page.get_by_role("heading", name="Annotators")).to_have_count(0)
        page.get_by_role("link", name="Back to labelling").click()
        expect(page.locator("#item :focus")).to_have_count(1)

    owner.page.on("dialog", lambda dialog: dialog.accept())
    owner.page.get_by_role("button", name="Close link of Siskin").click()
    expect(owner.page.get_by_role("row", name="Siskin")).to_contain_text("closed")
    person.expects(401)
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text(
        "Your labels are saved. Open your invitation link"
    )
    expect(page.locator(".state.lost")).to_have_text("not saved")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_text("The owner has closed or renewed your link")).to_be_visible()
    late = people(locked.address)
    late.expects(401, 403, 404)
    late.visit(link)
    expect(late.page.get_by_role("heading", name="Not found")).to_be_visible()
    expect(late.page.get_by_role("button", name="Start labelling")).to_have_count(0)


def test_what_is_wrong_is_said_in_a_line(people, locked, owner):
    stranger = people(locked.address)
    stranger.expects(401, 403)
    page = stranger.visit("/login")
    page.get_by_label("Password").fill("a guess")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).not_to_be_empty()

    page = owner.visit("/annotate")
    page.get_by_label("Name").fill("Wrong")
    bad = {"name": "events.jsonl", "mimeType": "", "buffer": b'{"id": 1\n'}
    page.locator("#data_set").set_input_files(bad)
    page.locator("#outputs").set_input_files(_file("outputs.jsonl", OUTPUTS))
    page.get_by_role("button", name="Create project").click()
    expect(page.locator("#alert")).to_contain_text("line 1")
    assert "/tmp" not in page.locator("#alert").inner_text()


def test_script_in_a_text_is_shown_as_text(owner, people, locked):
    attack = "<script>document.title='taken'</script>"
    events = [{**EVENTS[0], "references": [f"{attack} The ferry ran aground."]}]
    page = owner.page
    page.goto("/annotate")
    page.get_by_label("Name").fill(f"Odd {attack}")
    page.locator("#data_set").set_input_files(_file("events.jsonl", events))
    page.locator("#outputs").set_input_files(_file("outputs.jsonl", OUTPUTS[:1]))
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name=f"Odd {attack}")).to_be_visible()
    link = invite(page, f"Jay {attack}"[:60])
    work = enter(people(locked.address), link)
    expect(work.locator(".against").first).to_contain_text(attack)
    for one in (page, work):
        assert one.locator("main script:not([src])").count() == 0  # ours come from files
        assert "taken" not in one.title().split("<")[0]
