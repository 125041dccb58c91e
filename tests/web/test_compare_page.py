"""The Compare page and its API."""

import pytest

LEFT = "The old bridge was closed on Monday after cracks were found. It is from 1911."
RIGHT = "Cracks were found in the old bridge, and it was closed on Monday. A bus was late."
PAIR = [{"name": "left", "text": LEFT}, {"name": "right", "text": RIGHT}]


def test_the_first_visit_shows_a_worked_example(owner):
    page = owner.get("/", follow_redirects=True)
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


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"narratives": PAIR[:1]}, "at least 2 items"),
        ({"narratives": PAIR * 4}, "at most 6 items"),
        ({"narratives": [*PAIR, {"name": "third", "text": " \n"}]}, "third has no text"),
        ({"narratives": PAIR, "at_least": 3}, "at_least must be from 2 to 2"),
        ({"narratives": PAIR, "max_sentences": 0}, "max_sentences"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(owner, sent, words):
    answer = owner.post("/api/compare", json=sent)
    assert answer.status_code == 422
    assert words in answer.json()["error"]
