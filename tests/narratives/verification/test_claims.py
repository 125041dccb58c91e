import pytest

from commonground.narratives.verification.claims import claim, speaks_of


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Both documents mention that the bridge was closed.", "The bridge was closed."),
        ("Both articles discuss the closing of the bridge.", "The closing of the bridge."),
        ("Document 1 and Document 2 both report a strike at the mill.", "A strike at the mill."),
        ("The first article states that she resigned.", "She resigned."),
        ("Finally, the two narratives agree that nobody was hurt.", "Nobody was hurt."),
        ("In both articles, the mayor is praised.", "The mayor is praised."),
        ("According to Document 2, the works will last a year.", "The works will last a year."),
        (
            "The common subjects of the two documents are the mayor and the old bridge.",
            "The mayor and the old bridge.",
        ),
        (
            "The overlapping information is that both documents report two arrests.",
            "Two arrests.",
        ),
        ("2. Both texts mention that rain fell.", "Rain fell."),
        ("- **Common events:** the flood and the rescue", "The flood and the rescue"),
    ],
)
def test_a_frame_goes_and_what_it_holds_stays(sentence, expected):
    assert claim(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The bridge was closed.",
        "The police report says that nobody was hurt.",
        "Both sides agree that the bridge was closed.",
        "The story of the two sisters moved the town.",
        "Common sense prevailed in the end.",
        "The authors of the bill spoke first.",
        "Documents were burnt in the yard.",
        "Both documents.",
        "",
    ],
)
def test_what_is_said_of_the_event_stays_as_it_is(sentence):
    assert claim(sentence) == sentence


def test_documents_of_the_event_itself_are_no_frame():
    narratives = ["The leaked documents name two ministers.", "Two ministers are in the papers."]
    assert speaks_of(narratives)
    said = "The documents mention that two ministers knew."
    assert claim(said, event_has_texts=True) == said
    assert claim(said, event_has_texts=False) == "Two ministers knew."
    framed = "Both documents mention that two ministers knew."
    assert claim(framed, event_has_texts=True) == "Two ministers knew."
