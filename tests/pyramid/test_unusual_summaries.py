"""Summaries and references that nobody would call good, through `Pyramid`: each has an answer."""

from math import ceil

import pytest

from commonground import Pyramid
from commonground.errors import InputError
from commonground.pyramid import read_pyramid

REFERENCES = [
    "The dam burst on Friday. A village was flooded.",
    "On Friday the dam broke. The flood reached a village.",
]
METHODS = ("soft", "wmin")


@pytest.fixture(scope="module")
def pyramid():
    return Pyramid.build(REFERENCES)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "summary",
    [
        "A burst dam and a flooded village on Friday.",
        "Dam",
        "Ein Dorf stand unter Wasser.",
        "大坝决堤了。",
    ],
)
def test_a_summary_that_is_one_clause_at_the_most(pyramid, summary, method):
    found = pyramid.scorer(method).score(summary)
    # One, or with soft presence as many as it states all the same.
    assert found.unit_count == max(1, ceil(sum(match.share for match in found.matches)))
    assert max(found.quality, found.coverage) <= 1
    assert 0 <= found.raw <= sum(unit.weight for unit in pyramid.units)
    assert {match.sentence for match in found.matches} <= {0, None}


@pytest.mark.parametrize("method", METHODS)
def test_words_without_a_verb_count(pyramid, method):
    found = pyramid.scorer(method).score("Dam burst on Friday.")
    stated = [match.label for match in found.matches if match.stated]
    assert "The dam burst on Friday." in stated


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("summary", ["", " \n", "... !?", []])
def test_a_summary_without_words_scores_nothing(pyramid, summary, method):
    found = pyramid.scorer(method).score(summary)
    four = (found.raw, found.quality, found.coverage, found.comprehensive)
    assert four == (0, 0, 0, 0)
    assert not any(match.stated for match in found.matches)


def test_references_of_punctuation_alone_are_empty():
    assert Pyramid.build([*REFERENCES, "... !?", ["*", "--"]]) == Pyramid.build(REFERENCES)
    with pytest.raises(InputError, match="the references are empty"):
        Pyramid.build(["...", "!?"])


def test_a_single_reference_scores_its_own_text_high_and_another_low():
    pyramid = Pyramid.build(REFERENCES[:1])
    same = pyramid.score(REFERENCES[0])
    assert all(match.stated for match in same.matches)
    assert pyramid.score("Bakers went on strike.").raw < same.raw / 4


def test_identical_references_are_so_many_references():
    pyramid = Pyramid.build(REFERENCES[:1] * 3)
    assert pyramid.units[0].weight == 3
    assert len(pyramid.references) == 3
    copy = pyramid.score(REFERENCES[0])
    assert all(match.stated for match in copy.matches)
    assert max(copy.quality, copy.coverage) <= 1


def test_references_that_have_nothing_in_common_but_their_number():
    # The edge is a percentile of what there is, and of one pair it is that pair.
    pyramid = Pyramid.build(["The dam burst.", "Bakers went on strike."])
    assert [unit.weight for unit in pyramid.units] == [2]
    assert pyramid.units[0].attraction < 0.3


def test_a_pyramid_without_units_cannot_score(tmp_path):
    path = tmp_path / "none.pyr"
    path.write_text("<pyramid><text><line>Nothing.</line></text></pyramid>")
    with pytest.raises(InputError, match="a pyramid without units cannot score"):
        read_pyramid(path).score("It rained.")
