"""Which sentences may deny the unit that they show; a person is asked to look at these."""

import pytest

from commonground.pyramid import NEGATION, Contributor, Pyramid, Unit
from commonground.pyramid.evidence.denial import may_deny
from commonground.score import Signature
from commonground.text import segment

DENIED = [
    ("The dam broke.", "The dam did not break."),
    ("The dam burst on Friday.", "On Friday the dam didn't burst, and the village stayed dry."),
    ("The dam broke", "The council denied that the dam broke."),
    ("The ferry ran aground", "It is not true that the ferry ran aground."),
    ("The council closed the bridge", "The council refused to close the bridge."),
    ("The council closed the bridge", "The council failed to close the bridge."),
    ("The bridge was closed", "The bridge was never closed, although cracks were found."),
    ("Engineers found cracks", "Engineers found no cracks in the pillars."),
    ("Nobody was hurt", "Many people were hurt."),
    ("The captain did not resign", "The captain resigned on Sunday."),
    ("The dam burst.", "The dam did not break."),
    ("The water is safe to drink", "The water is unsafe to drink."),
    ("The strike was illegal", "A judge found that the strike was legal."),
    ("Bees can't see red", "Bees can see red."),
    ("The minister resigned", "The mayor resigned, not the minister."),
    ("The bridge was closed", "The bridge, which was not closed, has cracks."),
    ("The council closed the bridge", "The council did not, on Friday, close the bridge."),
]
TOLD = [
    ("The dam broke.", "The dam broke, but nobody was hurt."),
    ("Nobody was hurt", "There were no injuries."),
    ("Nobody was hurt", "The ferry ran aground without injuries."),
    ("He left", "He left without a word."),
    ("The bridge opened at noon", "The bridge did not open until noon."),
    ("The council closed the bridge", "The council closed not only the bridge but the road."),
    ("The water is not safe", "The water is unsafe."),
    ("The council refused to close the bridge", "The council did not close the bridge."),
    ("The bus leaves from stop 5", "The bus leaves from stop no. 5."),
    ("Storks returned to the marsh", "Storks came back to the marsh."),
    ("Storks returned", ""),
    ("Prices are volatile", "Shops do not accept coins because of their volatile prices."),
    ("People have coins that they cannot spend", "Many own coins, but they can't spend them."),
    ("The dam broke", "The dam broke, although experts said it would not break."),
    ("Police arrested two men", "Police, who had no warrant, arrested two men."),
    ("The minister resigned", "The minister resigned, not the mayor."),
]


def clauses(sentence):
    return [part.text for found in segment(sentence) for part in found.finest]


@pytest.mark.parametrize(("label", "sentence"), DENIED)
def test_it_may_be_denied(label, sentence):
    assert may_deny(label, clauses(sentence))


@pytest.mark.parametrize(("label", "sentence"), TOLD)
def test_it_is_told(label, sentence):
    assert not may_deny(label, clauses(sentence))


@pytest.mark.parametrize(("label", "sentence"), TOLD[-2:] + DENIED[-3:])
def test_commas_end_what_a_negation_reaches_where_no_clause_does(label, sentence):
    assert may_deny(label, [sentence]) == ((label, sentence) in DENIED)


@pytest.mark.parametrize(("word", "denied"), [("deny", False), ("not", True), ("no", True)])
def test_a_line_of_negations_is_not_read_from_each_of_them(word, denied):
    """Which would take hours."""
    assert may_deny("The dam broke.", [f"The dam {word} " + f"{word} " * 500_000]) == denied


@pytest.fixture(scope="module")
def pyramid():
    labels = ("The dam broke on Friday.", "A village was flooded.")
    units = tuple(
        Unit(label, tuple(Contributor(place, label) for place in range(weight)))
        for label, weight in zip(labels, (2, 1), strict=True)
    )
    return Pyramid(units, ("a", "b"), Signature.of("PYRAMID", builder="hand"))


@pytest.mark.parametrize("method", ["soft", "wmin"])
def test_a_score_says_what_to_check_and_stays_as_it_is(pyramid, method):
    found = pyramid.scorer(method, encoder="minilm").score(
        "The dam did not break on Friday. A village was flooded."
    )
    first, second = found.matches
    assert first.stated
    assert (first.checks, second.checks) == ((NEGATION,), ())
    plain = [one["checks"] for one in found.to_dict()["matches"]]
    assert plain == [[{"kind": "negation", "words": "this may deny it"}], []]
    assert "please check, this may deny it: The dam did not break" in str(found)


def test_what_is_partly_stated_is_checked_too():
    milk = "The farmers sold their milk at the market in town."
    pyramid = Pyramid.from_units([milk])
    (match,) = pyramid.score("No milk was sold at the market.").matches
    assert match.presence == "partly"
    assert match.checks == (NEGATION,)


def test_what_is_not_stated_need_not_be_checked(pyramid):
    found = pyramid.score("Bakers did not strike.")
    assert not any(match.stated for match in found.matches)
    assert [match.checks for match in found.matches] == [(), ()]
