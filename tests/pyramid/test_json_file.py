"""Pyramids as JSON and as text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import InputError
from commonground.pyramid import Contributor, Pyramid, Unit
from commonground.score import Signature

RAIN = Unit(
    "It rained",
    (
        Contributor(0, "It rained", "1.2.0.0", ((10, 19),)),
        Contributor(2, "Rain fell", "3.1.1.1", ((0, 4), (9, 13))),
    ),
    0.75,
)
SUN = Unit("The sun shone", (Contributor(1, "The sun shone"),))
PYRAMID = Pyramid((RAIN, SUN), ("a", "b", "c"), Signature.of("PYRAMID", builder="edua-g"))

texts = st.text(st.characters(codec="utf-8"), max_size=9)
contributors = st.builds(
    Contributor, st.integers(0, 2), texts, texts, st.just(()) | st.just(((0, 3), (5, 9)))
)
units = st.builds(
    Unit,
    texts,
    st.lists(contributors, min_size=1, max_size=4).map(
        lambda found: tuple(sorted(found, key=lambda one: one.reference))
    ),
    st.floats(0, 1),
    st.none() | st.integers(5, 9),
)


class TestJson:
    def test_a_saved_pyramid_comes_back(self, tmp_path):
        PYRAMID.save(tmp_path / "p.json")
        assert Pyramid.load(tmp_path / "p.json") == PYRAMID

    @given(st.lists(units, max_size=4).map(tuple))
    def test_every_pyramid_comes_back(self, found):
        whole = Pyramid(found, ("a", "b", "c"), PYRAMID.signature)
        assert Pyramid.from_dict(json.loads(json.dumps(whole.to_dict()))) == whole

    def test_the_file_names_its_format(self):
        data = PYRAMID.to_dict()
        assert (data["format"], data["version"]) == ("commonground-pyramid", 1)
        assert data["units"][0]["weight"] == 2

    def test_an_edited_weight_counts(self):
        data = PYRAMID.to_dict()
        data["units"][1]["weight"] = 3
        assert [unit.label for unit in Pyramid.from_dict(data).units] == [SUN.label, RAIN.label]

    def test_a_file_cut_off_is_one_line_with_its_place(self, tmp_path):
        path = tmp_path / "p.json"
        PYRAMID.save(path)
        path.write_text(path.read_text()[:120])
        with pytest.raises(InputError) as caught:
            Pyramid.load(path)
        assert str(caught.value).startswith(f"{path}, line ")
        assert "is not JSON" in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("text", ["[]", "{}", '"p"', '{"format": "other"}', "null"])
    def test_another_kind_of_file_is_an_error(self, tmp_path, text):
        path = tmp_path / "p.json"
        path.write_text(text)
        with pytest.raises(InputError, match=r"p\.json: is not a pyramid"):
            Pyramid.load(path)

    def test_deep_nesting_is_an_error(self, tmp_path):
        path = tmp_path / "p.json"
        path.write_text("[" * 100_000)
        with pytest.raises(InputError, match="nested too deeply"):
            Pyramid.load(path)

    @pytest.mark.parametrize(
        ("change", "what"),
        [
            ({"version": 2}, "format version 2, not 1"),
            ({"references": "abc"}, '"references" must be a list'),
            ({"references": ["a"]}, '"reference" must be from 0 to 0, not 2'),
            ({"units": [3]}, r'"units\[0\]" must be an object'),
            ({"signature": {"builder": "x"}}, '"signature" must name a measure'),
        ],
    )
    def test_damage_is_named(self, change, what):
        with pytest.raises(InputError, match=what):
            Pyramid.from_dict(PYRAMID.to_dict() | change)

    @pytest.mark.parametrize(
        ("change", "what"),
        [
            ({"weight": 0}, '"weight" must be from 1 to 1,000,000'),
            ({"weight": 10**400}, '"weight" must be from 1 to 1,000,000'),
            ({"weight": True}, '"weight" must be a whole number'),
            ({"label": None}, '"label" must be a string'),
            ({"attraction": float("nan")}, '"attraction" must be a finite number'),
            ({"contributors": [{}]}, r'units\[0\].contributors\[0\]: "reference" is missing'),
            (
                {"contributors": [{"reference": 0, "text": "", "id": "", "spans": [[1]]}]},
                '"spans" must hold pairs',
            ),
        ],
    )
    def test_damage_in_a_unit_is_named(self, change, what):
        data = PYRAMID.to_dict()
        data["units"][0] |= change
        with pytest.raises(InputError, match=what):
            Pyramid.from_dict(data)


class TestText:
    def test_weight_label_and_contributors(self):
        assert str(PYRAMID).splitlines() == [
            "2 units from 3 references: 1 of weight 2, 1 of weight 1",
            "",
            "[2] It rained",
            "    1: It rained",
            "    3: Rain fell",
            "",
            "[1] The sun shone (reference 2)",
        ]

    def test_nothing_is_wider_than_a_terminal(self):
        long = Unit("rain " * 40, (Contributor(0, "rain " * 50), Contributor(1, "x" * 200)))
        text = str(Pyramid((long,), ("a", "b"), PYRAMID.signature))
        assert max(map(len, text.splitlines())) <= 80

    def test_control_characters_do_not_reach_the_terminal(self):
        red = Unit("red\x1b[31m\nline", (Contributor(0, "\x07"),))
        assert "[1] red [31m line" in str(Pyramid((red,), ("a",), PYRAMID.signature))

    def test_no_units(self):
        assert str(Pyramid((), ("a",), PYRAMID.signature)) == "0 units from 1 reference"


def test_the_page_of_a_pyramid(tmp_path):
    PYRAMID.to_html(tmp_path / "p.html", title="Weather")
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "<h1>Weather</h1>" in page
    assert page.index("It rained") < page.index("The sun shone")
    assert str(PYRAMID.signature) in page
