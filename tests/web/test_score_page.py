"""The Score page, its API, and the labels that the browser gives."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import commonground.web
from commonground.metrics import Rouge, SemF1
from commonground.metrics.semf1 import PRESETS, Thresholds
from commonground.metrics.semf1.item import Item, SentenceVectors, score_item

STATIC = Path(commonground.web.__file__).parent / "static"
SUMMARY = {"name": "mine", "text": "The old bridge was closed on Monday. A bus was late."}
REFERENCES = [
    {"name": "first", "text": "On Monday the old bridge was closed. It is from 1911."},
    {"name": "second", "text": "Cracks were found in the bridge."},
]


def test_the_first_visit_shows_a_worked_example(client):
    page = client.get("/score")
    assert page.status_code == 200
    assert "This is a worked example" in page.text
    assert "Shops in the centre now close later" in page.text
    found = client.get("/api/score/example").json()
    assert {one["label"] for one in found["sem_f1"]["sentences"]} == {"P", "PP", "A"}


def test_the_example_is_what_the_measures_give_now(client):
    # To renew it: the payload through `commonground.web.tasks.results`, as JSON.
    found = client.get("/api/score/example").json()
    texts = [one["text"] for one in found["references"]]
    fresh = SemF1().score(found["summary"]["text"], texts).to_dict()
    assert found["sem_f1"]["signature"] == fresh["signature"]
    assert found["sem_f1"]["f1"] == pytest.approx(fresh["f1"], abs=1e-4)
    labels = [one["label"] for one in fresh["sentences"]]
    assert [one["label"] for one in found["sem_f1"]["sentences"]] == labels
    assert found["rouge"] == Rouge().score(found["summary"]["text"], texts).to_dict()


def test_a_summary_is_scored(working):
    sent = {"summary": SUMMARY, "references": REFERENCES}
    status = working.result("/api/score", json=sent)
    assert status["state"] == "done", status
    texts = [one["text"] for one in REFERENCES]
    baseline = status["result"].pop("baseline")
    assert 0 < baseline["sem_f1"] < status["result"]["sem_f1"]["f1"]
    assert baseline["rouge2"] < baseline["rouge1"]
    assert status["result"] == {
        "sem_f1": SemF1().score(SUMMARY["text"], texts).to_dict(),
        "rouge": Rouge().score(SUMMARY["text"], texts).to_dict(),
        "notices": [],
    }


GERMAN = (
    "Die alte Brücke wurde am Montag gesperrt, weil in den Pfeilern Risse entdeckt worden waren."
)


def test_texts_in_another_language_get_a_notice_that_is_saved(working):
    sent = {"summary": SUMMARY, "references": [REFERENCES[0], {"name": "dritte", "text": GERMAN}]}
    found = working.result("/api/score", json=sent)["result"]
    assert [(one["name"], one["message"]) for one in found["notices"]] == [
        (
            "dritte",
            "“dritte” seems to be German. The models know only English. "
            "Do not rely on this result.",
        )
    ]
    data = {**sent, **found, "lower": 30, "upper": 60}
    link = working.post("/api/saved", json={"kind": "score", "data": data}).json()["link"]
    (notice,) = working.get(f"{link}/data").json()["notices"]
    assert notice == {"message": found["notices"][0]["message"]}


def many(count):
    return [REFERENCES[0]] * count


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"summary": SUMMARY, "references": []}, "References: at least 1 needed"),
        ({"summary": SUMMARY, "references": many(11)}, "References: at most 10 allowed"),
        ({"summary": {"name": "mine", "text": " - "}, "references": many(1)}, '"mine" has no text'),
        (
            {"summary": SUMMARY, "references": [{"name": "war", "text": "a" * 100_001}]},
            '"war" is too long: 100,001 characters (limit 100,000)',
        ),
        ({"references": many(1)}, "Summary is missing"),
    ],
)
def test_what_cannot_be_scored_is_said_in_a_line(client, sent, words):
    answer = client.post("/api/score", json=sent)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_a_result_is_saved_with_its_thresholds(client):
    found = client.get("/api/score/example").json() | {"lower": 40, "upper": 90}
    answer = client.post("/api/saved", json={"kind": "score", "data": found})
    assert answer.status_code == 201
    link = answer.json()["link"]
    page = client.get(link)
    assert f'data-source="{link}/data"' in page.text
    assert 'id="lower" min="0" max="100" step="1" value="40"' in page.text
    assert client.get(f"{link}/data").json() == found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"lower": 70}, "the lower threshold is above the upper one"),
        ({"upper": 101}, "upper"),
        ({"references": REFERENCES[:1]}, "number of references differs"),
        ({"rouge": None}, "rouge"),
    ],
)
def test_what_is_no_result_is_not_saved(client, change, words):
    found = client.get("/api/score/example").json() | change
    answer = client.post("/api/saved", json={"kind": "score", "data": found})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_texts_with_markup_are_shown_as_text(client):
    found = client.get("/api/score/example").json()
    found["summary"] = {"name": '"><img src=x>', "text": "</textarea><script>alert(1)</script>"}
    link = client.post("/api/saved", json={"kind": "score", "data": found}).json()["link"]
    page = client.get(link).text
    assert "<script>alert" not in page
    assert "<img" not in page


# -- The same labels in the browser ---------------------------------------------------------------


def drawn(seed, counts):
    """A result with random vectors, and the way to the same one with other thresholds."""
    generator = np.random.default_rng(seed)
    names = [[f"{side}.{place}" for place in range(count)] for side, count in enumerate(counts)]
    flat = [name for some in names for name in some]
    rows = {name: row for row, name in enumerate(flat)}
    vectors = SentenceVectors(rows, generator.normal(size=(len(flat), 3)).astype(np.float32))
    item = Item(tuple(names[0]), tuple(tuple(some) for some in names[1:]))

    def scored(lower, upper):
        found = score_item(item, vectors, Thresholds(lower / 100, upper / 100))
        return {
            "labelled": found.labelled.to_dict(),
            "sentences": [one.to_dict() for one in found.sentences],
            "references": [[one.to_dict() for one in some] for some in found.references],
            "signature": f"SEM-F1|enc:x|labels:{lower}-{upper}|refs:2|v:0",
        }

    return scored


@pytest.fixture(scope="module")
def in_browser(tmp_path_factory):
    """What the page's script makes of [(result, lower, upper)]."""
    node = shutil.which("node")
    if not node:
        pytest.skip("needs node, to run the page's script")
    folder = tmp_path_factory.mktemp("script")
    shutil.copy(STATIC / "score_labels.js", folder / "labels.mjs")
    script = folder / "run.mjs"
    script.write_text(
        'import { relabelled } from "./labels.mjs"; import fs from "node:fs";'
        "const given = JSON.parse(fs.readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(given.map((one) => relabelled(...one))));"
    )

    def run(given):
        text = json.dumps(given)
        done = subprocess.run([node, script], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_thresholds_moved_in_the_browser_label_as_the_measure_does(in_browser):
    pairs = [tuple(map(int, name.split("-"))) for name in PRESETS]
    pairs += [(0, 0), (0, 100), (100, 100), (29, 57), (58, 58)]
    counts = [[4, 3, 5], [1, 1], [6, 0, 2, 7], [3, 0], [0, 2], [0, 0]]
    scored = [drawn(seed, some) for seed, some in enumerate(counts)]
    given = [(one(35, 65), *pair) for one in scored for pair in pairs]
    wanted = [one(*pair) for one in scored for pair in pairs]
    for found, right in zip(in_browser(given), wanted, strict=True):
        numbers, expected = found.pop("labelled"), right.pop("labelled")
        assert found == right
        assert numbers == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("percent", [29, 35, 57, 65, 100])
def test_a_similarity_at_the_threshold_has_reached_it(in_browser, percent):
    lines = [
        {"text": "a", "match": "b", "similarity": value, "label": "A"}
        for value in (percent / 100, np.nextafter(percent / 100, 0))
    ]
    given = {"sentences": lines, "references": [lines], "signature": "SEM-F1|labels:35-65|v:0"}
    (found,) = in_browser([(given, 0, percent)])
    rule = Thresholds(0, percent / 100)
    assert [one["label"] for one in found["sentences"]] == ["P", "PP"]
    assert [rule.label(one["similarity"]) for one in lines] == ["P", "PP"]
