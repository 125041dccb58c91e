"""Projects from spreadsheets: templates, a look before anything is stored, and the project."""

import pytest

from annotate_study import EVENTS, OUTPUTS, ended, lines
from web_browser import Browser

GOOD = b"id,reference 1,reference 2\nferry,It ran aground.,All safe.\nfair,It rained.,\n"
BAD = b"id,reference 1\n,It ran aground.\nfair,It rained.\nfair,Again.\n"
SUMMARIES = b"id;system;summary\nferry;careful;The ferry, aground.\nfair;careful;Rain.\n"


@pytest.fixture
def owner(working):
    return working


def _preview(owner, data_set=None, outputs=None, protocol="sentences"):
    files = {}
    if data_set is not None:
        files["data_set"] = ("events.csv", data_set)
    if outputs is not None:
        files["outputs"] = ("../out_bad.xlsx", outputs)  # the content decides what it is
    answer = owner.post("/api/annotate/preview", data={"protocol": protocol}, files=files)
    status = ended(owner, answer)
    assert status["state"] == "done", status
    return status["result"]


def _make(owner, data_set, outputs, protocol="sentences"):
    files = {"data_set": ("d.csv", data_set), "outputs": ("o.csv", outputs)}
    sent = {"name": "Sheets", "protocol": protocol}
    return ended(owner, owner.post("/api/annotate/projects", data=sent, files=files))


def test_the_preview_shows_rows_and_counts_and_stores_nothing(owner):
    before = owner.get("/annotate").text.count("/annotate/projects/")
    found = _preview(owner, GOOD, SUMMARIES)
    assert found["problems"] == []
    assert found["counts"] == {"events": 2, "outputs": 2, "systems": 1, "items": 2, "labels": 5}
    assert found["events"][0]["references"] == ["It ran aground.", "All safe."]
    assert found["outputs"][0]["summary"] == "The ferry, aground."
    assert owner.get("/annotate").text.count("/annotate/projects/") == before


def test_the_preview_has_a_line_for_each_wrong_cell(owner):
    found = _preview(owner, BAD, SUMMARIES)
    assert found["problems"] == [
        "events.csv, line 2, column A (id): is blank",
        "events.csv, line 4: duplicate id 'fair' (first in line 3)",
        "out_bad.xlsx, line 2: id 'ferry' is not in the data set",
    ]
    many = b"id,reference\n" + b",x\n" * 50
    assert (len(_preview(owner, many)["problems"]), _preview(owner, many)["more"]) == (20, 30)


def test_one_file_can_be_looked_at_before_the_other(owner):
    found = _preview(owner, lines(EVENTS).encode())
    assert (found["problems"], found["counts"]["events"]) == ([], 2)
    assert _preview(owner, None, lines(OUTPUTS).encode())["counts"]["outputs"] == 2
    found = _preview(owner, b"id,text 1,text 2\na,One.,Two.\n", None, "overlap")
    assert found["events"][0]["narratives"] == ["text 1: One.", "text 2: Two."]
    found = _preview(owner, b"id,reference\na,Text.\n", None, "overlap")
    assert found["problems"] == ["id 'a' has no texts, which 'overlap' needs"]


@pytest.mark.parametrize("form", ["csv", "xlsx", "jsonl"])
def test_the_templates_make_the_example(owner, form):
    files = []
    for name in ("data-set", "outputs"):
        answer = owner.get(f"/annotate/templates/{name}.{form}")
        assert f'filename="{name}.{form}"' in answer.headers["content-disposition"]
        files.append(answer.content)
    # The pages call a narrative a text; the documented keys of JSONL stay.
    if form == "csv":
        assert (
            files[0]
            .decode("utf-8-sig")
            .startswith("id,source 1,text 1,source 2,text 2,reference 1")
        )
    assert _preview(owner, *files)["problems"] == []
    status = _make(owner, *files)
    assert status["state"] == "done", status
    page = owner.get(status["result"]["link"]).text
    assert "6 items, 44 labels per annotator" in page


def test_a_wrong_sheet_makes_no_project_and_names_no_path(owner):
    status = _make(owner, BAD, SUMMARIES)
    assert status["state"] == "failed"
    assert status["error"] == "d.csv, line 2, column A (id): is blank"
    for content in (b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0"):
        status = _make(owner, content, SUMMARIES)
        assert "d.csv: is" in status["error"]
        assert "/" not in status["error"]


def test_strangers_and_other_protocols_are_refused(owner):
    answer = owner.post("/api/annotate/preview", data={"protocol": "sentence"})
    assert answer.status_code == 400
    assert "did you mean 'sentences'" in answer.json()["error"]
    assert owner.get("/annotate/templates/labels.csv").status_code == 422
    assert Browser(owner.app).post("/api/annotate/preview").status_code in (401, 403)
