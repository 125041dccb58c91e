"""Guidelines, remarks, review and adjudication, by the requests that the pages send."""

import csv
import io
import json
import re

import pytest

from annotate_study import invite, label, make
from commonground.cli import run
from commonground.web.markdown import rendered
from web_browser import Browser, csv_text


@pytest.fixture
def project(client):
    """The example as a project: three annotators who differ in 14 of 44 sentences."""
    return client.post("/api/annotate/example").json()["project"]


@pytest.fixture
def annotator(client, project):
    browser = Browser(client.app)
    browser.post(invite(client, project, "Ada"), data={})
    browser.visit("/annotate/work/1")
    return browser


def _decide(client, project, value="PP", note="", unit="recall/2/1"):
    sent = {"item": 1, "unit": unit, "value": value, "note": note}
    return client.post(f"/api/annotate/projects/{project}/decisions", json=sent)


def _counts(page):
    """The numbers on the cards of the review page."""
    return [int(one) for one in re.findall(r"<dd>(\d+)", page)]


def test_guidelines_are_shown_beside_the_item_and_versioned(client, project, annotator):
    path = f"/api/annotate/projects/{project}/guidelines"
    assert "Judge the <strong>content</strong>" in annotator.get("/annotate/work/1").text
    sent = {"text": "Read *twice*. <b>Now</b>", "after": 1}
    assert client.put(path, json=sent).json() == {"version": 2}
    assert client.put(path, json=sent).status_code == 409
    page = annotator.get("/annotate/work/1").text
    assert "Read <em>twice</em>. &lt;b&gt;Now&lt;/b&gt;" in page
    assert 'data-version="2"' in page
    shown = client.get(f"/annotate/projects/{project}/guidelines").text
    assert "Version 1, saved" in shown
    assert client.put(path, json={"text": "", "after": 2}).json() == {"version": 3}
    assert 'id="guidelines"' not in annotator.get("/annotate/work/1").text


def test_the_preview_is_what_annotators_will_see(client, project):
    path = f"/api/annotate/projects/{project}/guidelines/preview"
    answer = client.post(path, json={"text": "1. one\n\n| a | b |\n|---|---|\n| 1 | 2 |"})
    assert "<li>one</li>" in answer.text
    assert "<td>2</td>" in answer.text


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt&colon;alert(1))",
        "[a](data:text/html,<script>1</script>)",
        "[a](vbscript:x)",
        "<javascript:alert(1)>",
        "![a](https://elsewhere.example/pixel.png)",
        '[a](https://x.example "\\"onmouseover=alert(1)")',
        "```\n<script>\n```",
    ],
)
def test_markdown_never_runs_or_loads_anything(bad):
    html = str(rendered(bad))
    assert not re.search(r"<(script|img|iframe|style|svg)", html, re.IGNORECASE)
    assert not re.search(r'href="(?!https?:|mailto:|/|#)', html, re.IGNORECASE)
    assert not re.search(r"<[^>]* on\w+=", html)


def test_links_in_guidelines_open_beside_the_work():
    html = str(rendered("[more](https://x.example/a)\n\n# Title"))
    assert 'target="_blank"' in html
    assert "noopener" in html
    assert "<h3>Title</h3>" in html


def test_remarks_reach_the_review_page_and_the_export(client, project, annotator):
    remark = {"item": 1, "unit": "precision/1", "flagged": True, "comment": "<i>Odd</i>"}
    assert annotator.post("/api/annotate/work/remarks", json=remark).json()["flagged"] is True
    page = annotator.get("/annotate/work/1").text
    assert re.search(r'class="plain small flag" aria-pressed="true"', page)
    assert "&lt;i&gt;Odd&lt;/i&gt;" in page
    shown = client.get(f"/annotate/projects/{project}/review/1").text
    assert "<b>Ada</b>: &lt;i&gt;Odd&lt;/i&gt;" in shown
    listed = client.get(f"/annotate/projects/{project}/review?show=flagged").text
    assert listed.count('scope="row"><a') == 1
    rows = csv.DictReader(
        io.StringIO(csv_text(client.get(f"/annotate/projects/{project}/labels.csv")))
    )
    said = [(row["annotator"], row["flagged"]) for row in rows if row["comment"]]
    assert ("Ada", "True") in said
    for wrong in ({"unit": "text"}, {"item": 99}, {"comment": "x" * 2_001}, {"comment": "\0"}):
        sent = annotator.post("/api/annotate/work/remarks", json=remark | wrong)
        assert sent.status_code in (400, 404, 422)


def test_the_review_counts_say_what_they_count(client, project):
    page = client.get(f"/annotate/projects/{project}/review").text
    assert _counts(page) == [44, 14, 0, 1]
    assert "Sentences labelled by two or more" in page
    assert "<dt>Decided</dt>" in page
    assert "First annotator" in page
    assert "102 of 132 pairs of labels are equal" in page
    people = re.findall(r'<option value="(\d+-\d+)">L1 – L2', page)
    pair = client.get(f"/annotate/projects/{project}/review", params={"pair": people[0]}).text
    assert "38 of 44 sentences labelled by both are equal" in pair
    for odd in ("1-99", "x", "2-1"):
        page = client.get(f"/annotate/projects/{project}/review", params={"pair": odd})
        assert "pairs of labels" in page.text


def test_two_annotators_are_the_pair_and_a_missing_kappa_is_explained(working):
    client, project = working, make(working)
    for name in ("Ada", "Ben"):
        annotator = Browser(client.app)
        annotator.post(invite(client, project, name), data={})
        annotator.visit("/annotate/work/1")
        label(annotator, 1, "precision/1", "P")
        label(annotator, 1, "precision/2", "P")
    page = client.get(f"/annotate/projects/{project}/review").text
    assert "2 of 2 sentences labelled by both are equal" in page
    assert "All pairs" not in page
    page = client.get(f"/annotate/projects/{project}").text
    assert (
        page.count("both gave every one of them the same label") == 1
    )  # not for recall: no labels


def test_the_list_is_filtered_and_sorted(client, project):
    def items(**query):
        page = client.get(f"/annotate/projects/{project}/review", params=query).text
        return [int(one) for one in re.findall(r">Item (\d+)</a>", page)]

    assert items() == [1, 2, 3, 4, 5, 6]
    assert items(sort="disagreement")[:2] == [3, 4]  # 4 of 7, 3 of 7
    assert items(show="flagged") == [1]
    assert client.get(f"/annotate/projects/{project}/review?show=odd").status_code == 422


def test_units_are_decided_and_exported_with_who_decided(client, project):
    made = _decide(client, project, note="A part is said.").json()
    assert (made["value"], made["by"], made["undecided"]) == ("PP", "owner", 13)
    page = client.get(f"/annotate/projects/{project}/review/1").text
    assert "1 of 14 disagreements decided" in page
    assert "decided by owner" in page
    assert 'value="A part is said."' in page
    file = client.get(f"/annotate/projects/{project}/adjudicated.csv")
    assert f'filename="adjudicated-{project}.csv"' in file.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(csv_text(file))))
    assert len(rows) == 44
    assert sum(not row["label"] for row in rows) == 13
    (mine,) = [row for row in rows if row["decided_by"] == "owner"]
    assert (mine["annotator"], mine["label"], mine["note"]) == (
        "adjudicated",
        "PP",
        "A part is said.",
    )
    undo = f"/api/annotate/projects/{project}/decisions/withdraw"
    taken = client.post(undo, json={"item": 1, "unit": "recall/2/1"}).json()
    assert (taken["value"], taken["undecided"]) == (None, 14)


def test_csv_files_open_in_excel_and_are_read_by_the_command(client, project, tmp_path, capsys):
    _decide(client, project, note="Für später.")
    for name in ("labels", "adjudicated"):
        file = client.get(f"/annotate/projects/{project}/{name}.csv")
        assert csv_text(file).startswith("annotator,id,system,")
        (tmp_path / f"{name}.csv").write_bytes(file.content)
        assert run(["agreement", "labels", str(tmp_path / f"{name}.csv"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)
    assert "Für später." in csv_text(file)
    lines = client.get(f"/annotate/projects/{project}/labels.jsonl").content
    assert lines.startswith(b"{")


def test_the_way_to_the_next_item_follows_the_list(client, project):
    def ways(position, query):
        page = client.get(f"/annotate/projects/{project}/review/{position}?{query}").text
        return [
            int(found[1]) if (found := re.search(rf'review/(\d+)[^"]*" rel="{rel}"', page)) else 0
            for rel in ("prev", "next")
        ]

    assert ways(2, "show=all") == [1, 3]
    assert ways(3, "sort=disagreement") == [0, 4]
    _decide(client, project)
    assert ways(1, "show=undecided") == [0, 2]  # decided, so no longer in that list


def test_the_review_changes_only_when_something_did(client, project, annotator):
    address = f"/annotate/projects/{project}/review/list"
    mark = client.get(address).headers["x-change-mark"]
    assert client.get(address, params={"seen": mark}).status_code == 204
    label(annotator, 1, "precision/1", "A")
    newer = client.get(address, params={"seen": mark})
    assert newer.status_code == 200
    _decide(client, project)
    mark = newer.headers["x-change-mark"]
    assert client.get(address, params={"seen": mark}).status_code == 200


def test_an_annotator_reviews_nothing(project, annotator):
    base = f"/annotate/projects/{project}"
    for path in ("/review", "/review/1", "/review/list", "/guidelines", "/adjudicated.csv"):
        assert annotator.get(base + path).status_code == 403
    assert _decide(annotator, project).status_code == 403
    sent = {"text": "Mine.", "after": 1}
    assert annotator.put(f"/api{base}/guidelines", json=sent).status_code == 403


def test_wrong_decisions_are_refused_in_a_line(client, project):
    for change in ({"value": "X"}, {"unit": "text"}, {"note": "x" * 2_400}):
        answer = _decide(client, project, **change)
        assert answer.status_code in (400, 404)
        assert "\n" not in answer.json()["error"]


def test_the_project_page_says_how_many_final_labels_there_are(client, project):
    page = client.get(f"/annotate/projects/{project}").text
    final, left = map(int, re.search(r"There are (\d+); (\d+) more are undecided", page).groups())
    assert (final, left) == (30, 14)
    _decide(client, project)
    page = client.get(f"/annotate/projects/{project}").text
    assert "There are 31; 13 more are undecided. In the file they are blank." in page
