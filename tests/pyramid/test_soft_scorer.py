"""Soft scores of a pyramid from end to end; test_score has the arithmetic."""

import pytest

from commonground.encoders import load
from commonground.errors import InputError
from commonground.pyramid import Contributor, Pyramid, Unit
from commonground.pyramid.score import signed
from commonground.score import Signature


@pytest.fixture(scope="module")
def pyramid():
    def unit(label, weight):
        return Unit(label, tuple(Contributor(number, label) for number in range(weight)))

    units = (
        unit("The ferry ran aground on Saturday.", 3),
        unit("Nobody was hurt.", 2),
        unit("The captain resigned.", 1),
    )
    return Pyramid(units, ("a", "b", "c"), Signature.of("PYRAMID", builder="hand"))


def test_raw_is_the_sum_of_weights_times_probabilities_unless_the_unit_is_missed(pyramid):
    score = pyramid.score("The ferry ran aground on Saturday. Nobody was hurt.")
    first, second, third = score.matches
    assert 0 < third.probability < 0.25
    assert score.raw == pytest.approx(3 * first.probability + 2 * second.probability)
    assert (first.stated, second.stated, third.stated) == (True, True, False)
    assert (first.sentence, second.sentence) == (0, 1)
    assert second.text == "Nobody was hurt."


def test_the_other_scores_follow_from_the_counts(pyramid):
    score = pyramid.score("The ferry ran aground on Saturday. Nobody was hurt.")
    # Two clauses: at best 3 + 2. References: 6 contributors over 3 references, 2 units each.
    assert score.unit_count == 2
    assert score.quality == pytest.approx(score.raw / 5)
    assert score.coverage == pytest.approx(score.raw / 5)
    assert score.comprehensive == pytest.approx(score.raw / 5)


def test_one_clause_for_several_units_is_not_worth_more_than_all_of_them(pyramid):
    score = pyramid.score("The captain resigned after the ferry ran aground on Saturday, unhurt.")
    stated = sum(match.share for match in score.matches)
    assert score.unit_count >= stated
    assert score.quality <= 1
    assert score.coverage <= 1


def test_saying_more_of_what_matters_scores_higher(pyramid):
    scorer = pyramid.scorer()
    empty, little, much = (
        scorer.score(text)
        for text in (
            "",
            "The captain resigned.",
            "A ferry ran aground on Saturday; no one was hurt.",
        )
    )
    assert (empty.raw, empty.quality, empty.comprehensive) == (0, 0, 0)
    assert 0 < little.raw < much.raw


def test_a_score_explains_itself(pyramid):
    score = pyramid.score("Nobody was hurt.")
    stated, missed = str(score).split("Missed:")
    assert "[2]" in stated
    assert "by: Nobody was hurt." in stated
    assert "The captain resigned." in missed
    assert score.to_dict()["matches"][1]["stated"] is True
    assert "builder:hand|presence:soft-realsumm2-0.25|judge:minilm@8199be6f|" in str(
        score.signature
    )


def test_a_pyramid_without_units_cannot_score():
    with pytest.raises(InputError, match="without units"):
        Pyramid((), ("a",), Signature.of("PYRAMID")).score("Anything.")


def test_the_signature_says_that_a_gpu_judged():
    encoder = load("minilm", cache=False)
    encoder.device = "cuda:1"
    fields = signed(Signature.of("PYRAMID"), encoder, presence="soft").to_dict()
    assert fields["judge"].startswith("minilm@")
    assert fields["judge"].endswith("+cuda")
