"""What narratives contradict each other on is in no statement, wherever it is repeated."""

import pytest

from commonground.errors import InputError
from commonground.narratives import Overlaps

FINDER = Overlaps(max_sentences=6)
TALKS = "On Monday the meeting was held in Mumbai. The talks were praised by the minister."
OLD_TALKS = "The meeting was held in Bombay on Monday. The minister praised the talks."


@pytest.mark.parametrize(
    ("left", "right", "words", "stays"),
    [
        (
            "The architect Paul Renard designed the new bridge. "
            "Renard received a prize for the bridge from the city on Friday.",
            "The architect Ingrid Solberg designed the new bridge. "
            "A prize for the bridge was given by the city on Friday.",
            {"Renard", "Solberg"},
            [
                "The architect designed the new bridge.",
                "A prize for the bridge was given by the city on Friday.",
            ],
        ),
        (
            "The fire started in the kitchen of the hotel. "
            "Firefighters put out the kitchen fire within an hour.",
            "The fire started in the laundry room of the hotel. "
            "Within an hour firefighters had put out the fire.",
            {"kitchen", "laundry"},
            ["Within an hour firefighters had put out the fire."],
        ),
        (
            "The talks were held in Leeds. The Leeds talks about wages ended without a deal.",
            "The talks were held in York. The York talks about wages ended without a deal.",
            {"Leeds", "York"},
            ["The talks were held."],
        ),
        (
            "The director did not resign on Monday. "
            "The director, who refuses to resign, thanked the staff for their patience.",
            "The director resigned on Monday. "
            "The director thanked the staff for their patience.",
            {"resign", "resigned"},
            ["The director thanked the staff for their patience."],
        ),
    ],
    ids=["name", "room", "place", "negation"],
)  # fmt: skip
def test_in_other_sentences_too(left, right, words, stays):
    found = FINDER.find([left, right])
    assert len(found.conflicts) == 1
    assert [one.text for one in found.statements] == stays
    assert not words & set(found.summary.replace(".", " ").replace(",", " ").split())


def test_what_is_known_as_one_is_no_conflict():
    assert [one.kind for one in FINDER.find([OLD_TALKS, TALKS]).conflicts] == ["place"]
    found = Overlaps(knowledge="Bombay = Mumbai").find([OLD_TALKS, TALKS])
    assert found.conflicts == ()
    held = [one for one in found.statements if "Bombay" in one.text or "Mumbai" in one.text]
    assert held
    assert {passage.through for passage in held[0].evidence} == {None, "Bombay = Mumbai"}


def test_knowledge_is_a_text():
    with pytest.raises(InputError, match="knowledge must be a text"):
        Overlaps(knowledge=["Bombay = Mumbai"])


def test_a_signature_can_be_had_without_a_result():
    found = FINDER.find([OLD_TALKS, TALKS])
    assert FINDER.signature(2) == found.signature
