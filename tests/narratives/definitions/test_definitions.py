"""What all the other definitions of an overlap have in common."""

import pytest

from commonground.io import Narrative
from commonground.narratives.definitions import (
    FacetOverlaps,
    GraphOverlaps,
    TopicOverlaps,
    WordOverlaps,
)

TEXTS = [Narrative("Post", "A storm hit Dover."), "Dover was hit by a storm on Monday.", "A storm!"]
FINDERS = [
    WordOverlaps(n=2, stem=True),
    TopicOverlaps(topics=2),
    FacetOverlaps(at_least=2),
    GraphOverlaps(),
    GraphOverlaps(threshold=2.0, seconds=5),
]


@pytest.mark.parametrize("finder", FINDERS)
@pytest.mark.parametrize("texts", [TEXTS, TEXTS[:2], ["", ""]])
def test_the_signature_is_known_before_the_work(finder, texts):
    assert finder.find(texts).signature == finder.signature(len(texts))


@pytest.mark.parametrize("finder", FINDERS)
def test_narratives_are_told_as_given(finder):
    assert finder.find(TEXTS).to_dict()["narratives"] == [
        {"source": "Post", "text": "A storm hit Dover."},
        {"source": "narrative 2", "text": "Dover was hit by a storm on Monday."},
        {"source": "narrative 3", "text": "A storm!"},
    ]


@pytest.mark.parametrize(
    ("finder", "start"),
    [
        (WordOverlaps(n=1), "CommonWords(grams=4, signature='OVERLAP|method:words|n:1|"),
        (TopicOverlaps(topics=1), "CommonTopics(topics=1, agreement=1.000, signature='OVERLAP|"),
        (
            FacetOverlaps(),
            "CommonFacets(who=0, what=1, when=0, where=1, why=0, how=0, signature='OVERLAP|",
        ),
        (GraphOverlaps(), "CommonGraph(nodes=2, edges=1, optimal=True, signature='OVERLAP|"),
    ],
)
def test_repr_tells_how_much_was_found(finder, start):
    told = repr(finder.find(TEXTS[:2]))
    assert told.startswith(start)
    assert len(told) < 300
