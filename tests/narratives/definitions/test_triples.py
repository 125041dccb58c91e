import pytest

from commonground.narratives.conflicts.pair import same_verb
from commonground.narratives.definitions.things import merged, same_thing, thing
from commonground.narratives.definitions.triples import attached, triples
from commonground.text import parse


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
        (
            "Mayor Jane Poe closed the harbour.",
            [("Jane Poe", "be", "mayor"), ("Jane Poe", "close", "harbour")],
        ),
        ("Mr. Poe closed the harbour.", [("Poe", "close", "harbour")]),
        ("One of its four gates stopped.", [("gates", "stop", None)]),
        ("Four gates stopped.", [("four gates", "stop", None)]),
        ("Families are to get 2,000 euros.", [("families", "will get", "2,000 euros")]),
        ("Workers have to leave.", [("workers", "must leave", None)]),
        ("The club started to collect signatures.", [("club", "collect", "signatures")]),
        ("The barrier cost 48 million euros.", [("barrier", "cost", "48 million euros")]),
        (
            "The council met on Monday night.",
            [("council", "meet", None), ("council", "meet on", "Monday night")],
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
    """The object of each sentence, or else its last noun."""
    docs = parse(sentences, entities=True)
    nouns = [[token for token in doc if token.tag_.startswith("NN")] for doc in docs]
    return [
        thing(next((token for token in some if token.dep_ == "dobj"), some[-1])) for some in nouns
    ]


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
        ("We met the town council.", "We met the council of Aldwick.", True),
        ("We met the council of Leeds.", "We met the council of Aldwick.", False),
    ],
)
def test_same_thing(one, other, same):
    first, second = things(one, other)
    assert same_thing(first, second) is same
    assert same_thing(second, first) is same
    if same:
        assert first.marks & second.marks


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Come to the public meeting in the market hall.", ("public meeting", "in", "market hall")),
        ("She saw the road to Oslo.", ("road", "to", "Oslo")),
        ("The mayor of Leeds left.", None),
        ("They met in it.", None),
    ],
)
def test_prepositions_of_nouns(sentence, expected):
    (doc,) = parse([sentence], entities=True)
    found = [(one.subject.text, str(one.predicate), one.object.text) for one in attached(doc)]
    assert found == ([expected] if expected else [])


def test_verbs_of_the_same_event():
    assert same_verb("shut", "close") and same_verb("shut down", "close")
    assert same_verb("land", "land")
    assert not same_verb("open", "close") and not same_verb("take off", "land")


def test_short_names_are_of_the_only_full_one():
    short, full = things("We met McCain.", "We met John McCain.")
    assert merged([short, full])[short.key] == full
    other = things("We met Cindy McCain.")[0]
    assert merged([short, full, other])[short.key] == short
