"""The preset `pyreval`: the paper's choices, in the signature and after a save."""

from pathlib import Path

import numpy as np
import pytest

from commonground.encoders import Wtmf
from commonground.errors import InputError
from commonground.pyramid import Pyramid
from commonground.pyramid.presets import number_tagged

CLASS = Path(__file__).parents[2] / "examples" / "class"
REFERENCES = [path.read_text("utf-8") for path in sorted((CLASS / "references").glob("*.txt"))]
STUDENT = (CLASS / "students" / "anna.txt").read_text("utf-8")


class Recorder:
    """An encoder that keeps what it is given; a text's vector is its length."""

    name = "recorder"
    fingerprint = "0123456789abcdef"

    def __init__(self):
        self.encoded = []

    def encode(self, texts):
        self.encoded.extend(texts)
        angles = np.array([len(text) / 50 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.mark.parametrize(
    ("text", "tagged"),
    [
        ("In 2019, 37 students came.", "In <NUM>, <NUM> students came."),
        ("It costs $1,200.50 or 4%.", "It costs $<NUM> or <NUM>%."),
        ("The 10th B2B fair of the 1990s", "The 10th B2B fair of the 1990s"),
        ("Ten came.", "Ten came."),
        ("from 3-5", "from <NUM>-<NUM>"),
    ],
)
def test_numbers_in_digits_become_tags(text, tagged):
    assert number_tagged([text]) == [tagged]


@pytest.fixture(scope="module")
def built():
    return Pyramid.build(REFERENCES, preset="pyreval")


class TestPyreval:
    def test_the_signature_names_the_choices(self, built):
        text = str(built.signature)
        assert text.startswith("PYRAMID|preset:pyreval|builder:edua-g|enc:sif@")
        assert "|num:tag|" in text

    def test_summaries_are_matched_as_in_pyreval_with_the_same_vectors(self, built):
        found = built.score(STUDENT)
        assert "|preset:pyreval|" in str(found.signature)
        assert "|presence:pyreval-0.5|judge:sif@" in str(found.signature)
        assert found.raw == sum(match.weight for match in found.matches if match.stated) > 0
        assert found.comprehensive == (found.quality + found.coverage) / 2

    def test_both_builders_of_the_paper_can_be_used(self):
        built = Pyramid.build(REFERENCES, preset="pyreval", builder="edua-c")
        assert "|builder:edua-c|" in str(built.signature)
        assert all(len(units) == 1 for weight, units in built.tiers().items() if weight > 1)

    def test_it_survives_a_save(self, built, tmp_path):
        built.save(tmp_path / "p.json")
        again = Pyramid.load(tmp_path / "p.json")
        assert again == built
        assert again.score(STUDENT) == built.score(STUDENT)

    def test_the_order_of_references_has_no_say(self, built):
        other = Pyramid.build(REFERENCES[::-1], preset="pyreval")
        assert other.signature == built.signature
        assert other.score(STUDENT) == built.score(STUDENT)

    def test_another_method_can_be_asked_for(self, built):
        assert "|presence:soft-" in str(built.score(STUDENT, method="soft").signature)

    def test_numbers_are_tagged_for_the_encoder_alone(self):
        encoder = Recorder()
        built = Pyramid.build(["Some 40 came."], preset="pyreval", encoder=encoder)
        built.score("Only 41 came.", encoder=encoder, threshold=0.9)
        assert set(encoder.encoded) == {"Some <NUM> came.", "Only <NUM> came."}
        assert built.units[0].label == "Some 40 came."

    def test_without_it_numbers_stay(self):
        encoder = Recorder()
        built = Pyramid.build(["Some 40 came."], encoder=encoder)
        built.score("Only 41 came.", method="wmin", encoder=encoder, threshold=0.9)
        assert set(encoder.encoded) == {"Some 40 came.", "Only 41 came."}
        assert "num:" not in str(built.signature)

    def test_a_fitted_wtmf_is_given_by_its_folder(self, tmp_path):
        Wtmf.fit(STUDENT.split("."), dimension=5, min_count=1).save(tmp_path)
        built = Pyramid.build(REFERENCES, preset="pyreval", encoder=str(tmp_path))
        assert "|enc:wtmf-untrained@" in str(built.signature)
        with pytest.raises(InputError, match="give its folder"):
            built.score(STUDENT)
        assert built.score(STUDENT, encoder=str(tmp_path)).raw > 0
        found = built.score(STUDENT, method="wmin", encoder=str(tmp_path))
        assert "|presence:wmin-0.5|" in str(found.signature)
        with pytest.raises(InputError, match="no match threshold is known"):
            Pyramid.build(REFERENCES).score(STUDENT, method="wmin", encoder=str(tmp_path))

    def test_its_builders_are_its_own(self):
        with pytest.raises(InputError, match="builds with edua-g or edua-c, not 'agreement'"):
            Pyramid.build(REFERENCES, preset="pyreval", builder="agreement")

    def test_an_unknown_preset_is_named(self):
        with pytest.raises(InputError, match="did you mean 'pyreval'"):
            Pyramid.build(REFERENCES, preset="pyrevel")
