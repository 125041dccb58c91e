"""The pyramid object: what is built from texts, in whatever order they come."""

import random
from pathlib import Path

import pytest

from commonground.encoders import load
from commonground.errors import InputError
from commonground.pyramid import Contributor, Pyramid, Unit
from commonground.score import Signature
from commonground.text import segment

CLASS = Path(__file__).parents[2] / "examples" / "class" / "references"
REFERENCES = [path.read_text(encoding="utf-8") for path in sorted(CLASS.glob("*.txt"))]


def unit(label, *references, attraction=1.0):
    return Unit(label, tuple(Contributor(place, label) for place in references), attraction)


def pyramid(*units):
    return Pyramid(units, ("a", "b", "c"), Signature.of("PYRAMID"))


def content(built):
    """A pyramid with texts in place of the numbers of references."""
    return [
        (
            unit.label,
            unit.attraction,
            sorted(
                (built.references[one.reference], one.text, one.id.split(".", 1)[1], one.spans)
                for one in unit.contributors
            ),
        )
        for unit in built.units
    ]


class TestOrder:
    def test_weight_then_attraction_then_label(self):
        light, weak = unit("a", 0), unit("a", 0, 1, attraction=0.5)
        strong, later = unit("b", 0, 1, attraction=0.7), unit("c", 0, 1, attraction=0.7)
        assert pyramid(light, weak, later, strong).units == (strong, later, weak, light)

    def test_tiers_start_with_the_heaviest_and_skip_weights_that_are_not_there(self):
        three, one, other = unit("x", 0, 1, 2), unit("y", 0), unit("z", 2)
        assert pyramid(one, other, three).tiers() == {3: (three,), 1: (one, other)}

    def test_a_weight_that_was_set_counts(self):
        heavy = Unit("set", (Contributor(0, "set"),), weight_given=3)
        assert pyramid(unit("two", 0, 1), heavy).units[0] is heavy


@pytest.fixture(scope="module")
def built():
    return Pyramid.build(REFERENCES)


class TestBuild:
    @pytest.mark.parametrize("builder", ["edua-g", "agreement"])
    def test_the_order_of_references_changes_their_numbers_only(self, builder):
        built = Pyramid.build(REFERENCES, builder=builder)
        for seed in range(5):
            shuffled = random.Random(seed).sample(REFERENCES, len(REFERENCES))
            other = Pyramid.build(shuffled, builder=builder)
            assert other.references == tuple(shuffled)
            assert content(other) == content(built)
            assert other.signature == built.signature

    def test_what_everybody_says_is_on_top(self, built):
        labels = [unit.label for unit in built.tiers()[4]]
        assert "Lighting takes 60 percent less power." in labels
        assert "Bats and moths are back on the river path." in labels

    def test_contributors_are_where_their_spans_say(self, built):
        for one in (one for unit in built.units for one in unit.contributors):
            source = " ".join(
                built.references[one.reference][start:end] for start, end in one.spans
            )
            assert source.replace(" .", ".").split() == one.text.replace(" .", ".").split()

    def test_contributors_come_in_order_and_one_a_reference(self, built):
        for found in built.units:
            numbers = [one.reference for one in found.contributors]
            assert numbers == sorted(set(numbers))
            assert found.judged in [one.text for one in found.contributors]
            assert found.weight > 1 or found.attraction == 1.0

    def test_the_signature_says_that_a_gpu_made_the_vectors(self, built):
        encoder = load("minilm", cache=False)
        encoder.device = "cuda:1"
        fields = Pyramid.build(REFERENCES, encoder=encoder).signature.to_dict()
        assert fields["enc"] == f"{built.signature.to_dict()['enc']}+cuda"

    def test_the_signature_names_what_it_depends_on(self, built):
        fields = built.signature.to_dict()
        assert fields["measure"] == "PYRAMID"
        assert fields["enc"].startswith("minilm@")
        assert fields["edge"] == "p83"
        assert fields["refs"] == "4"
        assert set(fields) >= {"builder", "split", "parse", "v"}

    def test_ids_lead_back_to_the_segments(self, built):
        found = segment(REFERENCES[2])
        for one in (one for unit in built.units for one in unit.contributors):
            summary, sentence, cut, part = map(int, one.id.split("."))
            assert summary == one.reference + 1
            if one.reference == 2:
                assert found[sentence - 1].segmentations[cut][part].text == one.text


class TestUnusualReferences:
    def test_one_reference_has_its_clauses_at_weight_one(self):
        built = Pyramid.build(["The mayor opened the bridge and thanked the workers."])
        assert [unit.weight for unit in built.units] == [1, 1]
        assert [unit.label for unit in built.units] == [
            "The mayor opened the bridge.",
            "The mayor thanked the workers.",
        ]
        assert built.units[0].judged == "The mayor opened the bridge and"

    def test_identical_references_agree_on_all_they_say(self):
        texts = ["The bridge is open. Ferries stopped."] * 3
        built = Pyramid.build(texts, builder="agreement", percentile=50)
        assert [(unit.label, unit.weight) for unit in built.units] == [
            ("Ferries stopped.", 3),
            ("The bridge is open.", 3),
        ]
        assert all(unit.attraction == pytest.approx(1) for unit in built.units)

    def test_empty_references_are_as_if_not_given(self):
        some = ["It rained all day.", "Rain fell all day."]
        assert Pyramid.build(["", some[0], " \n", [], some[1]]) == Pyramid.build(some)

    @pytest.mark.parametrize("references", [[""], ["", " \n", []]])
    def test_nothing_but_empty_references_is_an_error(self, references):
        with pytest.raises(InputError, match="the references are empty"):
            Pyramid.build(references)

    def test_several_languages_have_an_answer(self):
        built = Pyramid.build(["Die Brücke ist offen.", "橋が開通した。", "Το γεφύρι άνοιξε."])
        assert sum(unit.weight for unit in built.units) >= 3
        assert {one.reference for unit in built.units for one in unit.contributors} == {0, 1, 2}

    def test_sentences_that_are_given_are_the_lines_of_the_text(self):
        built = Pyramid.build([["It rained", "\u200b", " We left! Then Bo came"]])
        (text,) = built.references
        assert text == "It rained\n We left! Then Bo came"
        assert built.signature.to_dict()["split"] == "given"
        (first,) = [unit for unit in built.units if unit.judged == "It rained"]
        assert first.contributors[0].id == "1.1.0.0"
        for found in built.units:
            (one,) = found.contributors
            assert " ".join(text[start:end] for start, end in one.spans).split() == (
                one.text.split()
            )

    @pytest.mark.parametrize(
        ("references", "what"),
        [
            ("one text", "got one string; write \\[text\\]"),
            (None, "got NoneType"),
            ({"a": "text"}, "got dict"),
            ([], "references is empty"),
            (["fine", 7], "references\\[1\\]"),
            (["fine", ["sentence", 7]], "references\\[1\\]"),
        ],
    )
    def test_what_is_no_list_of_texts_is_an_error(self, references, what):
        with pytest.raises(InputError, match=what):
            Pyramid.build(references)

    def test_an_unknown_builder_is_an_error(self):
        with pytest.raises(InputError, match="unknown builder 'edua'"):
            Pyramid.build(["It rained."], builder="edua")
