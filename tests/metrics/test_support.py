"""Support: the share of clauses that every narrative states."""

import json

import pytest

from commonground.errors import InputError
from commonground.metrics import Support

NARRATIVES = [
    "The dam broke at night. Two villages were flooded. The mayor blamed the rain.",
    "At night the dam gave way. The flood reached two villages. Nobody was hurt.",
]
MEASURE = Support()


def test_what_all_narratives_say_is_supported():
    score = MEASURE.score("The dam broke at night. Two villages were flooded.", NARRATIVES)
    assert score.share == 1
    assert [clause.supported for clause in score.clauses] == [True, True]
    assert all(len(clause.probabilities) == 2 for clause in score.clauses)


def test_a_clause_that_one_narrative_does_not_state_counts_against_it():
    score = MEASURE.score("The dam broke at night. The mayor blamed the rain.", NARRATIVES)
    broke, blamed = score.clauses
    assert (broke.supported, blamed.supported) == (True, False)
    assert blamed.probabilities[0] > 0.5 > blamed.probabilities[1]
    assert score.share == 0.5


def test_an_invented_sentence_is_not_supported():
    assert MEASURE.score("A violin was sold in Paris.", NARRATIVES).share == 0


def test_the_order_of_narratives_changes_only_that_of_the_probabilities():
    summary = "The dam broke, and nobody was hurt."
    one, other = MEASURE.score(summary, NARRATIVES), MEASURE.score(summary, NARRATIVES[::-1])
    assert one.share == other.share
    assert [c.probabilities for c in one.clauses] == [c.probabilities[::-1] for c in other.clauses]


@pytest.mark.parametrize("summary", ["", " \n", []])
def test_an_empty_summary_has_no_support(summary):
    score = MEASURE.score(summary, NARRATIVES)
    assert (score.share, score.clauses) == (0, ())


def test_an_empty_narrative_supports_nothing():
    assert MEASURE.score("The dam broke at night.", [NARRATIVES[0], ""]).share == 0


def test_lists_of_sentences_are_taken_as_they_are():
    text = "The dam broke at night."
    assert MEASURE.score([text], NARRATIVES) == MEASURE.score(text, NARRATIVES)


def test_plain_values_and_the_signature():
    score = MEASURE.score("The dam broke at night.", NARRATIVES)
    values = score.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["clauses"][0]["supported"] is True
    assert values["signature"].startswith("SUPPORT|enc:minilm@")
    assert "|narratives:2|" in values["signature"]
    assert repr(score).startswith("SupportScore(share=1.0000, signature='SUPPORT|")


@pytest.mark.parametrize("narratives", ["one text", []])
def test_narratives_must_be_a_list(narratives):
    with pytest.raises(InputError, match="narratives must be a list of one or more texts"):
        MEASURE.score("The dam broke.", narratives)


def test_a_corpus_has_items_mean_and_interval():
    narratives = ["The dam broke at night.", "At night the dam gave way."]
    texts = ["The dam broke.", "A violinist played in Vienna."]
    found = Support().corpus(texts, [narratives, narratives])
    assert [item.share for item in found.items] == [1.0, 0.0]
    assert found.mean == 0.5
    assert found.interval.low <= found.mean <= found.interval.high
    assert found.items[0].clauses == Support().score(texts[0], narratives).clauses
    with pytest.raises(InputError, match="2 predictions do not fit 1 lists"):
        Support().corpus(texts, [narratives])
