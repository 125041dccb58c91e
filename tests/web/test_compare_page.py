"""The Compare page and its API."""

import json

import pytest

from commonground.web.pages.results.compare import PAGE
from commonground.web.tasks.results import compare

LEFT = "The old bridge was closed on Monday after cracks were found. It is from 1911."
RIGHT = "Cracks were found in the old bridge, and it was closed on Monday. A bus was late."
PAIR = [{"name": "left", "text": LEFT}, {"name": "right", "text": RIGHT}]


def test_the_first_visit_shows_a_worked_example(owner):
    page = owner.get("/compare")
    assert page.status_code == 200
    assert "What all 3 say" in page.text
    assert "the council of Lower Aldwick resolved on Monday to close" in page.text


def test_narratives_are_compared(working):
    status = working.result("/api/compare", json={"narratives": PAIR})
    assert status["state"] == "done", status
    found = status["result"]["result"]
    assert [one["weight"] for one in found["statements"]] == [2]
    assert [one["source"] for one in found["narratives"]] == ["left", "right"]
    assert 'class="overlap"' in status["result"]["html"]
    assert status["result"]["notices"] == []


def test_a_text_in_another_language_gets_a_notice(working):
    french = "Le vieux pont a été fermé lundi après la découverte de fissures dans ses piliers."
    pair = [PAIR[0], {"name": "pont", "text": french}]
    found = working.result("/api/compare", json={"narratives": pair})["result"]
    assert [(notice["name"], notice["code"]) for notice in found["notices"]] == [("pont", "fr")]
    assert found["notices"][0]["message"].startswith("“pont” seems to be French. ")


def test_how_far_a_comparison_is_is_told_in_words():
    heard = []
    sent = {"narratives": PAIR, "at_least": None, "max_sentences": 3}
    compare(sent, lambda share, words: heard.append((share, words)))
    shares, words = zip(*heard, strict=True)
    assert list(shares) == sorted(shares)
    assert (words[0], words[-1]) == ("Finding the sentences", "Drawing the page")
    assert "Comparing text 2 of 2" in words


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"narratives": PAIR[:1]}, "Texts: at least 2 needed."),
        ({"narratives": PAIR * 4}, "Texts: at most 6 allowed."),
        ({"narratives": [*PAIR, {"name": "third", "text": " \n"}]}, '"third" has no text.'),
        (
            {"narratives": [*PAIR, {"name": "third", "text": " https://example.org/dam\n"}]},
            '"third" is only a link (https://example.org/dam). Open it in a browser',
        ),
        ({"narratives": PAIR, "at_least": 3}, "Agreement must be from 2 to 2 texts."),
        ({"narratives": PAIR, "max_sentences": 0}, "Max sentences must be at least 1."),
        ({"narratives": PAIR, "max_sentences": None}, "Max sentences must be a whole number"),
        (
            {"narratives": [PAIR[0], {"name": "Narrative B", "text": "a" * 120_345}]},
            '"Narrative B" is too long: 120,345 characters (limit 100,000).',
        ),
        (
            {"narratives": [PAIR[0], {"name": "a" * 201, "text": LEFT}]},
            "Text 2, name is too long: 201 characters (limit 200).",
        ),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(owner, sent, words):
    answer = owner.post("/api/compare", json=sent)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def without_probabilities(value):
    """Plain values, without any probability in them."""
    if isinstance(value, dict):
        return {
            key: without_probabilities(one) for key, one in value.items() if key != "probability"
        }
    return [without_probabilities(one) for one in value] if isinstance(value, list) else value


def test_the_worked_example_is_what_comparing_gives(working):
    kept = PAGE.example()
    narratives = [{"name": one.source, "text": one.text} for one in kept.result.narratives]
    sent = {"narratives": narratives, "max_sentences": kept.max_sentences}
    found = working.result("/api/compare", json=sent)["result"]["result"]
    stored = kept.result.model_dump()
    for part in ("summary", "signature"):
        assert found[part] == stored[part], "python bench/page_examples.py recomputes it"
    # Another kind of processor moves probabilities in the third digit.
    for part in ("unique", "conflicts", "less_likely"):
        assert without_probabilities(found[part]) == without_probabilities(stored[part])
        likely = [one["probability"] for one in stored[part]]
        assert [one["probability"] for one in found[part]] == pytest.approx(likely, abs=0.02)


def example():
    return json.loads(PAGE.example().model_dump_json())


def test_a_result_of_an_earlier_version_opens_without_word_marks(owner):
    data = example()
    for part in ("readings", "less_likely", "strictness"):
        del data["result"][part]
    link = owner.post("/api/saved", json={"kind": "compare", "data": data}).json()["link"]
    page = owner.get(link).text
    assert "no mark: neither" in page
    assert "data-p=" not in page
    assert "data-p=" in owner.get("/compare").text


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda read: read["offsets"].pop(), "must be in order"),
        (lambda read: read["offsets"].__setitem__(0, 10**6), "must be in order"),
        (lambda read: read["against"][0]["support"].pop(), "one probability per word"),
        (lambda read: read["against"][0].__setitem__("narrative", 7), "no text 7"),
        (lambda read: read["against"][0].__setitem__("evidence", [5, 10**6]), "outside"),
        (lambda read: read["against"][0]["support"].__setitem__(0, 1.5), "1"),
    ],
)
def test_words_that_do_not_fit_their_text_are_refused(owner, harm, words):
    data = example()
    harm(data["result"]["readings"][0][0])
    answer = owner.post("/api/compare/page", json=data)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def crossing(result):
    """Passages of which half are closed and opened again at each end of the others."""
    result["narratives"][0]["text"] = "a b " * 1000
    for part in ("statements", "unique", "conflicts", "less_likely", "readings"):
        result[part] = []
    nested, across = zip(*(((i, 2000 - i), (600 + i, 3000 + i)) for i in range(500)), strict=True)
    result["unique"] = [
        {"narrative": 0, "text": "a", "start": start, "end": end, "probability": 0.5}
        for start, end in nested + across
    ]


def repeated_sentences(result):
    result["readings"][0] *= 2


def value_elsewhere(result):
    result["conflicts"][0]["sides"][0]["value_end"] = 10**6


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (crossing, "too many passages overlap each other"),
        (repeated_sentences, "the sentences of a text must be in order"),
        (value_elsewhere, "outside the text"),
    ],
)
def test_results_whose_page_would_be_without_measure_are_refused(owner, harm, words):
    data = example()
    harm(data["result"])
    for path, sent in (
        ("/api/compare/page", data),
        ("/api/saved", {"kind": "compare", "data": data}),
    ):
        answer = owner.post(path, json=sent)
        assert answer.status_code in (400, 422)
        assert words.lower() in answer.json()["error"].lower()


def test_how_many_must_agree_and_how_long_it_is(working):
    three = [
        {"name": "a", "text": "The dam broke on Friday. Two farms were flooded."},
        {"name": "b", "text": "On Friday the dam broke. The road to the mill is closed."},
        {"name": "c", "text": "Two farms were flooded. The road to the mill is closed."},
    ]
    all_three = working.result("/api/compare", json={"narratives": three})
    assert all_three["result"]["result"]["statements"] == []
    assert "No statement is in all 3 texts. Fewer may share some" in all_three["result"]["html"]
    some = {"narratives": three, "at_least": 2, "max_sentences": 2}
    two = working.result("/api/compare", json=some)["result"]["result"]
    assert two["at_least"] == 2
    assert [one["weight"] for one in two["statements"]] == [2, 2]


def test_a_result_is_saved_and_shown_again_with_its_setting(owner):
    data = json.loads(PAGE.example().model_dump_json())
    data["max_sentences"] = 5
    data["shown_at"] = 0.7
    data["result"]["at_least"] = 2
    answer = owner.post("/api/saved", json={"kind": "compare", "data": data})
    assert answer.status_code == 201
    link = answer.json()["link"]
    page = owner.get(link).text
    assert "What at least 2 of 3 say" in page
    assert 'value="5"' in page
    assert 'data-value="2"' in page
    assert 'data-strictness="50"' in page
    assert 'aria-valuetext="70%"' in page
    assert "worked example" not in page
    assert owner.get(f"{link}/data").json() == data


def test_where_the_slider_stands_is_checked_and_not_needed(owner):
    data = example()
    del data["shown_at"]
    saved = owner.post("/api/saved", json={"kind": "compare", "data": data})
    assert 'aria-valuetext="50%"' in owner.get(saved.json()["link"]).text
    answer = owner.post("/api/compare/page", json={**data, "shown_at": 1.5})
    assert answer.status_code == 422
    page = owner.post("/api/compare/page", json={**data, "shown_at": 0.7})
    assert 'aria-valuetext="70%"' in page.text


def test_a_result_is_saved_as_a_page_that_needs_nothing_else(owner):
    saved = owner.post("/api/compare/page", json=json.loads(PAGE.example().model_dump_json()))
    assert saved.headers["Content-Disposition"] == 'attachment; filename="common-ground.html"'
    assert "What all 3 say" in saved.text
    assert "<style>" in saved.text
    assert "/static/" not in saved.text


def test_the_api_is_described_with_its_types(owner):
    described = owner.get("/api/openapi.json").json()
    sent = described["paths"]["/api/compare"]["post"]
    assert sent["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/CompareRequest"
    )
    assert sent["responses"]["202"]["content"]["application/json"]["schema"]["$ref"].endswith(
        "/Accepted"
    )
    assert "/compare" not in described["paths"]


@pytest.mark.parametrize(
    "path",
    ["base.css", "api.js", "job.js", "drop.js", "report/page.css", "report/overlap.js"],
)
def test_all_parts_of_the_page_come_from_here(owner, path):
    answer = owner.get(f"/static/{path}")
    assert answer.status_code == 200
    assert "http://" not in answer.text
    assert "https://" not in answer.text
