import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.narratives.definitions import common_topics
from commonground.narratives.definitions.topics import NOTHING


def table(narratives, topics):
    """For each topic its words, from A to Z, with shares, product and normalised product."""
    return {
        " ".join(sorted(word.word for word in topic.words)): (
            pytest.approx(topic.shares),
            pytest.approx(topic.product),
            pytest.approx(topic.normalised),
        )
        for topic in common_topics(narratives, topics=topics).topics
    }


# Five pairs worked by hand. Topics with no word in common take every word of their sentences,
# so a share is a count of content words.


def test_one_topic_shared_and_one_each_of_its_own():
    left = "Rain fell. Heavy rain fell. Taxes rose."  # 5 of 7 words on rain
    right = "The rain fell. Schools closed."  # 2 of 4
    assert table([left, right], 3) == {
        "fell heavy rain": ((5 / 7, 1 / 2), 5 / 14, 1),
        "rose taxes": ((2 / 7, 0), 0, 0),
        "closed schools": ((0, 1 / 2), 0, 0),
    }


def test_two_topics_in_opposite_shares():
    left = "Floods hit. Floods hit. Floods hit. Votes counted."  # 3/4 and 1/4
    right = "Votes counted. Votes counted. Floods hit. Votes counted."
    assert table([left, right], 2) == {
        "floods hit": ((3 / 4, 1 / 4), 3 / 16, 1 / 2),
        "counted votes": ((1 / 4, 3 / 4), 3 / 16, 1 / 2),
    }


def test_a_word_links_sentences_into_one_topic():
    left = "Engines failed. Pilots blamed engines. Stocks slid."  # 5 and 2 of 7
    right = "Pilots landed. Stocks slid. Stocks slid."  # 2 and 4 of 6
    # Pilots link "landed" with "blamed engines", and engines with "failed".
    assert table([left, right], 2) == {
        "blamed engines failed landed pilots": ((5 / 7, 1 / 3), 5 / 21, 5 / 9),
        "slid stocks": ((2 / 7, 2 / 3), 4 / 21, 4 / 9),
    }


def test_nothing_in_common():
    left, right = "Rain fell. Rain stopped.", "Taxes rose. Taxes doubled."
    assert table([left, right], 2) == {
        "fell rain stopped": ((1, 0), 0, 0),
        "doubled rose taxes": ((0, 1), 0, 0),
    }
    result = common_topics([left, right], topics=2)
    assert str(result) == NOTHING
    assert result.agreement == 0


def test_one_topic_is_wholly_common():
    left, right = "Rain fell on the coast.", "Taxes rose."
    assert table([left, right], 1) == {"coast fell rain rose taxes": ((1, 1), 1, 1)}


# Shape and laws.


def test_three_narratives_multiply():
    texts = ["Rain fell. Taxes rose.", "Rain fell. Rain fell. Taxes rose.", "Rain fell."]
    assert table(texts, 2) == {
        "fell rain": ((1 / 2, 2 / 3, 1), 1 / 3, 1),
        "rose taxes": ((1 / 2, 1 / 3, 0), 0, 0),
    }


def test_print_and_json():
    texts = ["Rain fell. Taxes rose.", "The rain falls. Taxes rose. It rained."]
    result = common_topics(texts, topics=2)
    # Rain has 2 of 4 and 3 of 5 words: 0.3 of 0.3 + 0.2.
    assert str(result).splitlines() == [
        "normalised  product     1     2  words",
        "     0.600      0.3  0.50  0.60  rain, falls, fell",
        "     0.400      0.2  0.50  0.40  rose, taxes",
    ]
    values = json.loads(json.dumps(result.to_dict()))
    assert values["agreement"] == pytest.approx(sum(t["product"] for t in values["topics"]))


@pytest.mark.parametrize("empty", ["", "  \n", "...", "It was there and so was he."])
def test_a_narrative_without_content_has_no_topics(empty):
    result = common_topics([empty, "Rain fell."])
    assert result.topics == ()
    assert str(result) == NOTHING


def test_fewer_topics_than_asked_where_sentences_are_alike():
    result = common_topics(["Rain fell.", "Rain fell."], topics=8)
    assert len(result.topics) == 1
    assert result.topics[0].normalised == 1


def test_wrong_input():
    with pytest.raises(InputError, match="at least two"):
        common_topics(["Rain fell."])
    with pytest.raises(InputError, match="topics must be 1 or more"):
        common_topics(["Rain fell.", "Rain fell."], topics=0)


def test_twenty_narratives():
    result = common_topics(["Rain fell. Taxes rose."] * 20, topics=2)
    assert [topic.product for topic in result.topics] == [pytest.approx(0.5**20)] * 2
    assert [topic.normalised for topic in result.topics] == [pytest.approx(0.5)] * 2


sentence = st.lists(
    st.sampled_from(["rain", "storm", "roof", "tax", "vote", "budget", "crew", "ship", "harbour"]),
    min_size=1,
    max_size=4,
).map(lambda words: " ".join(words).capitalize() + ".")
narrative = st.lists(sentence, min_size=1, max_size=4).map(" ".join)


@settings(max_examples=40)
@given(st.lists(narrative, min_size=2, max_size=4))
def test_order_only_orders_the_columns(texts):
    first = common_topics(texts)
    for order in permutations(range(len(texts))):
        other = common_topics([texts[i] for i in order])
        assert [(t.words, t.product, t.normalised) for t in other.topics] == [
            (t.words, t.product, t.normalised) for t in first.topics
        ]
        assert [t.shares for t in other.topics] == [
            tuple(t.shares[i] for i in order) for t in first.topics
        ]


@settings(max_examples=40)
@given(st.lists(narrative, min_size=2, max_size=4), st.integers(1, 5))
def test_distributions_add_up_to_one(texts, topics):
    result = common_topics(texts, topics=topics)
    for shares in zip(*(topic.shares for topic in result.topics), strict=True):
        assert sum(shares) == pytest.approx(1)
    for topic in result.topics:
        assert sum(word.probability for word in topic.words) == pytest.approx(1, abs=1e-4)
    assert sum(topic.normalised for topic in result.topics) in (0, pytest.approx(1))
