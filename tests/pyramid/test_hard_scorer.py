"""Hard matches on pyramids whose similarities are chosen: every text is an angle."""

import json
import math
import random

import numpy as np
import pytest

from commonground.errors import InputError
from commonground.pyramid import METHODS, Contributor, Pyramid, Unit
from commonground.pyramid.scorers import thresholds
from commonground.score import Signature
from planar import PlanarEncoder

HARD = ("wmin", "exact")


def unit(weight, *angles, given=None):
    contributors = tuple(Contributor(place, str(angle)) for place, angle in enumerate(angles))
    return Unit(f"unit {weight}", contributors, weight_given=given)


def pyramid(*units, references=3):
    return Pyramid(units, ("text",) * references, Signature.of("PYRAMID", builder="hand"))


def score(built, summary, method="wmin", threshold=0.9):
    return built.score(summary, method=method, encoder=PlanarEncoder(), threshold=threshold)


class Words:
    """An encoder with a direction for each word it is told of; all else is nothing."""

    name = "words"
    fingerprint = "fedcba9876543210"

    def __init__(self, *words):
        self.words = words
        self.encoded = []

    def encode(self, texts):
        self.encoded.extend(texts)
        rows = np.array([[word in text for word in self.words] for text in texts], dtype=np.float32)
        rows = rows.reshape(len(texts), len(self.words))
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)


@pytest.mark.parametrize("method", HARD)
class TestByHand:
    def test_the_mean_cosine_to_the_contributors_decides(self, method):
        built = pyramid(unit(3, 0, 40, 80), unit(1, 90))
        found = score(built, ["40"], method, threshold=0.8)
        first, second = found.matches
        mean = (1 + 2 * math.cos(math.radians(40))) / 3
        assert (first.stated, first.probability, first.sentence, first.text) == (True, 1, 0, "40")
        assert first.similarity == pytest.approx(mean, abs=1e-6)
        assert (second.stated, second.probability) == (False, 0)
        assert second.similarity == pytest.approx(math.cos(math.radians(50)), abs=1e-6)
        assert score(built, ["40"], method, threshold=0.85).raw == 0

    def test_the_four_scores_follow_from_weights_and_counts(self, method):
        built = pyramid(unit(3, 0, 0, 0), unit(2, 45, 45), unit(1, 90))
        found = score(built, ["0", "90", "-120"], method)
        # Stated: 3 + 1. Three units could weigh 6; a reference has 6 / 3 = 2 units, at best 5.
        assert (found.raw, found.unit_count) == (4, 3)
        assert found.quality == pytest.approx(4 / 6)
        assert found.coverage == pytest.approx(4 / 5)
        assert found.comprehensive == pytest.approx(2 * 4 / (6 + 5))

    def test_a_unit_counts_once_and_its_echo_counts_as_a_unit_of_the_summary(self, method):
        found = score(pyramid(unit(3, 0, 0, 0), unit(2, 60, 60)), ["0", "1"], method)
        assert (found.raw, found.unit_count) == (3, 2)
        assert found.quality == pytest.approx(3 / 5)

    def test_a_missed_unit_names_the_segment_nearest_to_it(self, method):
        found = score(pyramid(unit(2, 0, 0), unit(1, 90)), ["0", "50"], method)
        missed = found.matches[1]
        assert (missed.stated, missed.sentence, missed.text) == (False, 1, "50")
        assert missed.similarity == pytest.approx(math.cos(math.radians(40)), abs=1e-6)

    def test_an_empty_summary_misses_everything(self, method):
        found = score(pyramid(unit(2, 0, 0)), "", method)
        assert (found.raw, found.quality, found.unit_count) == (0, 0, 0)
        (match,) = found.matches
        assert (match.stated, match.sentence, match.text, match.similarity) == (
            False,
            None,
            None,
            0,
        )

    def test_a_unit_without_contributors_is_read_by_its_label(self, method):
        added = Unit("30", (), weight_given=2)
        assert score(pyramid(added), ["30"], method).raw == 2

    def test_a_weight_that_was_set_counts(self, method):
        assert score(pyramid(unit(1, 0, given=5)), ["0"], method).raw == 5


def test_a_sentence_is_cut_where_that_matches_more():
    units = [
        Unit("storm", (Contributor(0, "storm"), Contributor(1, "storm"))),
        Unit("bridge", (Contributor(0, "bridge"),)),
    ]
    summary = "The storm broke and the bridge fell."
    found = pyramid(*units, references=2).score(
        summary, method="wmin", encoder=Words("storm", "bridge"), threshold=0.9
    )
    assert (found.raw, found.unit_count) == (3, 2)
    assert [match.text for match in found.matches] == ["The storm broke and", "the bridge fell."]


def test_exact_finds_what_greed_misses():
    # Both sentences can state the heaviest unit, and each one a unit of its own.
    words = ("fire", "smoke", "rain", "hail")
    fire = Unit("fire", (Contributor(0, "fire smoke rain hail"),), weight_given=4)
    smoke = Unit("smoke", (Contributor(0, "fire smoke"),), weight_given=2)
    hail = Unit("hail", (Contributor(0, "rain hail"),), weight_given=1)
    found = {
        method: pyramid(fire, smoke, hail).score(
            ["fire smoke", "rain hail"], method=method, encoder=Words(*words), threshold=0.7
        )
        for method in HARD
    }
    assert found["exact"].raw == 6
    assert found["wmin"].raw <= found["exact"].raw
    heavy = found["exact"].matches[0]
    assert (heavy.stated, heavy.text) == (True, "rain hail")


@pytest.mark.parametrize("method", HARD)
def test_order_has_no_say(method):
    built = pyramid(unit(3, 0, 3, 7), unit(2, 11, 20), unit(2, 15, 22), unit(1, 40))
    summary = ["1", "9", "14", "21", "38", "80"]
    expected = score(built, summary, method, threshold=0.95)
    for seed in range(8):
        rng = random.Random(seed)
        turned = [
            Unit(one.label, tuple(rng.sample(one.contributors, len(one.contributors))))
            for one in rng.sample(built.units, len(built.units))
        ]
        shuffled = rng.sample(summary, len(summary))
        found = score(pyramid(*turned), shuffled, method, threshold=0.95)
        assert found.raw == expected.raw
        assert found.quality == expected.quality
        key = [(one.label, one.stated, one.text, one.similarity) for one in found.matches]
        assert sorted(key) == sorted(
            (one.label, one.stated, one.text, one.similarity) for one in expected.matches
        )


class TestExplanation:
    def test_signature_names_method_threshold_and_encoder(self):
        found = score(pyramid(unit(1, 0)), ["0"], threshold=0.75)
        assert "builder:hand|presence:wmin-0.75|judge:planar@01234567|" in str(found.signature)

    def test_similarities_are_printed_and_written(self):
        found = score(pyramid(unit(2, 0, 0), unit(1, 90)), ["0", "50"])
        stated, missed = str(found).split("Missed:")
        assert "[2] 1.00  unit 2" in stated
        assert "the sentence “0”: 0" in stated
        assert "[1] 0.77  unit 1" in missed
        assert "nearest: 50" in missed
        first, second = json.loads(json.dumps(found.to_dict()))["matches"]
        assert first["stated"] and not second["stated"]
        assert second["similarity"] == pytest.approx(math.cos(math.radians(40)), abs=1e-6)


class TestChoices:
    def test_an_encoder_without_a_threshold_is_one_line(self):
        built = pyramid(unit(1, 0))
        with pytest.raises(InputError, match=r"no match threshold is known .* 'planar'") as caught:
            built.score(["0"], method="wmin", encoder=PlanarEncoder())
        assert "give one as threshold" in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("threshold", [0, -0.5, 1.5, float("nan")])
    def test_a_threshold_lies_between_0_and_1(self, threshold):
        with pytest.raises(InputError, match="above 0 and up to 1"):
            score(pyramid(unit(1, 0)), ["0"], threshold=threshold)

    def test_soft_has_no_threshold(self):
        with pytest.raises(InputError, match="'soft' has no threshold"):
            pyramid(unit(1, 0)).scorer("soft", threshold=0.5)

    def test_soft_needs_token_vectors(self):
        with pytest.raises(InputError, match="needs token vectors"):
            pyramid(unit(1, 0)).scorer(encoder=PlanarEncoder())

    def test_an_unknown_method_is_named(self):
        with pytest.raises(InputError, match="did you mean 'wmin'"):
            pyramid(unit(1, 0)).scorer("wmim")

    @pytest.mark.parametrize("method", METHODS)
    def test_no_units_no_score(self, method):
        with pytest.raises(InputError, match="without units"):
            pyramid().scorer(method)

    def test_the_encoder_is_the_pyramids_own(self):
        text = "The ferry ran aground."
        one = Unit(text, (Contributor(0, text),))
        built = Pyramid((one,), (text,), Signature.of("PYRAMID", enc="static@00000000"))
        assert "|judge:static@" in str(built.score(text, method="wmin").signature)
        assert "|judge:minilm@" in str(pyramid(one).score(text, method="wmin").signature)

    def test_an_encoder_that_only_its_folder_names_must_be_given(self):
        built = Pyramid((unit(1, 0),), ("0",), Signature.of("PYRAMID", enc="wtmf@00000000"))
        with pytest.raises(InputError, match=r"built with the encoder 'wtmf'.* give its folder"):
            built.scorer("wmin")


def test_every_built_in_encoder_that_is_installed_has_a_threshold():
    assert {"minilm", "minilm-fp32", "use", "static", "sif", "wtmf"} <= set(thresholds())
    assert all(0 < value < 1 for value in thresholds().values())


@pytest.mark.parametrize("method", METHODS)
def test_edited_weights_count_and_fractions_are_one_line(method):
    label = "The ferry ran aground."
    data = pyramid(Unit(label, (Contributor(0, label),))).to_dict()
    light = Pyramid.from_dict(data).score(label, method=method)
    data["units"][0]["weight"] = 4
    assert Pyramid.from_dict(data).score(label, method=method).raw == pytest.approx(4 * light.raw)
    data["units"][0]["weight"] = 2.5
    with pytest.raises(InputError, match=r'units\[0\]: "weight" must be a whole number'):
        Pyramid.from_dict(data)
