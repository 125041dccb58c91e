import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.narratives.definitions import common_facets
from commonground.narratives.definitions.facet_items import FACETS


def found(*narratives, **options):
    """The facets that are not empty."""
    result = common_facets(narratives, **options)
    facets = {facet: [one.text for one in getattr(result, facet)] for facet in FACETS}
    return {facet: texts for facet, texts in facets.items() if texts}


# Five pairs worked by hand.


def test_names_and_dates_are_normalised():
    left = "Sen. McCain visited Boston on Monday."
    right = "On Monday, May 3, John McCain was in Boston."
    assert found(left, right) == {
        "who": ["John McCain"],
        "when": ["Monday, 3 May"],
        "where": ["Boston"],
    }


def test_all_six_facets():
    left = (
        "Police closed the old bridge in Leeds on Monday because of the flood. "
        "Rescuers reached the families by boat."
    )
    right = (
        "The bridge was closed by officers on Monday, 3 May, due to flooding in Leeds. "
        "Families were rescued by boat."
    )
    assert found(left, right) == {
        "who": ["families"],
        "what": ["close bridge"],
        "when": ["Monday, 3 May"],
        "where": ["Leeds"],
        "why": ["flood"],
        "how": ["boat"],
    }


def test_purpose_and_means_in_other_words():
    left = "The thief broke a window with a hammer to enter the shop."
    right = "A thief broke the window using a hammer in order to enter the shop."
    assert found(left, right) == {
        "who": ["thief"],
        "what": ["break window"],
        "why": ["enter the shop"],
        "how": ["hammer"],
    }


def test_what_one_denies_is_not_common():
    left = "The mayor did not approve the budget on May 4 in Boston."
    right = "The mayor approved the budget on May 5 in Hartford."
    assert found(left, right) == {"who": ["mayor"]}


def test_synonyms_by_their_vectors():
    left = "Lawyers bought a car. Guests praised the red wine."
    right = "Attorneys purchased a vehicle. Guests praised the white wine."
    # Red wine is no white wine, however near their vectors are.
    assert found(left, right) == {"who": ["guests", "lawyers"], "what": ["buy car"]}
    assert found(left, right, threshold=2) == {"who": ["guests"]}


# Shape and laws.


def test_print_shows_empty_facets():
    result = common_facets(["Ann Lee left Rome.", "Ann Lee stayed in Rome."])
    assert str(result).splitlines() == [
        "who    Ann Lee",
        "what   (nothing in common)",
        "when   (nothing in common)",
        "where  Rome",
        "why    (nothing in common)",
        "how    (nothing in common)",
    ]
    values = json.loads(json.dumps(result.to_dict()))
    assert [values[facet] == [] for facet in FACETS] == [False, True, True, False, True, True]


def test_mentions_are_where_they_say():
    texts = ["It was late.\nSen.  McCain left\nBoston.", "In Boston, John McCain spoke."]
    result = common_facets(texts)
    (who,), (where,) = result.who, result.where
    assert [mention.narrative for mention in who.mentions] == [0, 1]
    assert [mention.text for mention in where.mentions] == ["Boston", "Boston"]
    for mention in (*who.mentions, *where.mentions):
        assert texts[mention.narrative][mention.start : mention.end] == mention.text


def test_at_least():
    texts = ["Rain hit Rome.", "Snow hit Rome.", "Hail hit Paris."]
    assert "where" not in found(*texts)
    assert found(*texts, at_least=2)["where"] == ["Rome"]
    for wrong in (1, 4):
        with pytest.raises(InputError, match="at_least must be from 2 to 3"):
            common_facets(texts, at_least=wrong)


def test_numbers_keep_nouns_apart():
    assert "what" not in found("Police arrested three men.", "Police arrested nine men.")
    assert found("Police arrested three men.", "Police arrested 3 men.")["what"] == ["arrest 3 men"]


def test_one_surname_two_people():
    left = "John McCain spoke. Cindy McCain listened."
    right = "Mr. McCain spoke."
    # Which of the two he is, who cannot say; that one of them spoke, both do.
    assert found(left, right) == {"what": ["McCain speak"]}
    assert found("John McCain spoke.", right)["who"] == ["John McCain"]


@pytest.mark.parametrize("empty", ["", " \n ", "?!", "It was so."])
def test_nothing_said(empty):
    assert found(empty, "Ann Lee left Rome on Monday.") == {}


def test_one_narrative_is_an_error():
    with pytest.raises(InputError, match="at least two"):
        common_facets(["Ann Lee left."])


def test_twenty_narratives():
    texts = [f"On Monday {n} boats left Oslo." for n in range(3, 23)]
    assert found(*texts) == {"what": ["leave Oslo"], "when": ["Monday"], "where": ["Oslo"]}


SENTENCES = [
    "John Smith closed the old bridge on Monday.",
    "The bridge was closed because of a flood.",
    "Mr. Smith flew to Boston by helicopter.",
    "Jane Smith did not close the new bridge.",
    "Residents of Boston left on Monday, May 3.",
]


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.sampled_from(SENTENCES), max_size=3).map(" ".join), min_size=2, max_size=3)
)
def test_order_only_orders_the_mentions(texts):
    first = common_facets(texts, at_least=2)
    for order in permutations(range(len(texts))):
        other = common_facets([texts[i] for i in order], at_least=2)
        for facet in FACETS:
            assert [
                (one.text, sorted((order[m.narrative], m.start) for m in one.mentions))
                for one in getattr(other, facet)
            ] == [
                (one.text, [(m.narrative, m.start) for m in one.mentions])
                for one in getattr(first, facet)
            ]
