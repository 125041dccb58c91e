import pytest

from commonground.overlap._things import merged, same_thing, thing
from commonground.overlap._triples import triples
from commonground.text._parse import parse


def told(sentence):
    (doc,) = parse([sentence], entities=True)
    return [
        (
            triple.subject and triple.subject.text,
            str(triple.predicate),
            triple.object and triple.object.text,
        )
        for triple in triples(doc)
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Police closed the old bridge on Monday.",
            [("police", "close", "old bridge"), ("old bridge", "close on", "Monday")],
        ),
        ("The bridge was closed by police.", [("police", "close", "bridge")]),
        ("The bridge was destroyed.", [(None, "destroy", "bridge")]),
        ("Ann Lee is the mayor of Leeds.", [("Ann Lee", "be", "mayor of Leeds")]),
        ("Three houses collapsed.", [("three houses", "collapse", None)]),
        (
            "The council and the mayor rejected the plan.",
            [("council", "reject", "plan"), ("mayor", "reject", "plan")],
        ),
        (
            "The plan was rejected and criticised.",
            [(None, "reject", "plan"), (None, "criticise", "plan")],
        ),
        (
            "Ann Lee did not visit Boston or Hartford.",
            [("Ann Lee", "not visit", "Boston"), ("Ann Lee", "not visit", "Hartford")],
        ),
        ("The driver did not stop and wait.", [("driver", "not stop", None)]),
        (
            "The driver did not stop but wave.",
            [("driver", "not stop", None), ("driver", "wave", None)],
        ),
        ("No passengers were injured.", [(None, "not injure", "passengers")]),
        ("The judge may fine the company.", [("judge", "may fine", "company")]),
        ("Workers wanted to leave.", [("workers", "want to leave", None)]),
        ("The crew finished using the pump.", [("crew", "finish using", "pump")]),
        (
            "The man who robbed the bank fled by car.",
            [("man", "rob", "bank"), ("man", "flee", None), ("man", "flee by", "car")],
        ),
        (
            "The mayor, Jane Poe, closed the harbour.",
            [("Jane Poe", "be", "mayor"), ("Jane Poe", "close", "harbour")],
        ),
        ("He said the tower collapsed.", [("tower", "collapse", None)]),
        # A pronoun is nobody in particular; a denial about it says nothing of others.
        ("He closed the road.", [(None, "close", "road")]),
        ("He did not close the road.", []),
        ("They left.", []),
        ("", []),
    ],
)
def test_triples(sentence, expected):
    assert sorted(told(sentence), key=str) == sorted(expected, key=str)


def things(*sentences):
    """The last noun of each sentence."""
    docs = parse(sentences, entities=True)
    return [thing([token for token in doc if token.tag_.startswith("NN")][-1]) for doc in docs]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("We saw the bridge.", "We saw an old bridge.", True),
        ("We saw the new bridge.", "We saw an old bridge.", False),
        ("We saw two bridges.", "We saw the bridges.", True),
        ("We saw two bridges.", "We saw three bridges.", False),
        ("We met Sen. McCain.", "We met John McCain.", True),
        ("We met Cindy McCain.", "We met John McCain.", False),
        ("We left on Monday.", "We left on Monday, May 3.", True),
        ("We left on Monday.", "We left on Tuesday.", False),
        ("We saw Boston.", "We saw Hartford.", False),
    ],
)
def test_same_thing(one, other, same):
    first, second = things(one, other)
    assert same_thing(first, second) is same
    assert same_thing(second, first) is same
    if same:
        assert first.marks & second.marks


def test_short_names_are_of_the_only_full_one():
    short, full = things("We met McCain.", "We met John McCain.")
    assert merged([short, full])[short.key] == full
    other = things("We met Cindy McCain.")[0]
    assert merged([short, full, other])[short.key] == short
