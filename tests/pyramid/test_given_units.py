"""Content units that people wrote, with answers worked out by hand."""

import pytest

from commonground.errors import InputError
from commonground.pyramid import Pyramid, read_event_units, read_units

UNITS = ["The ferry ran aground on Saturday.", "Nobody was hurt.", "The captain resigned."]


def shape(pyramid):
    return [(unit.label, unit.weight) for unit in pyramid.units]


def test_units_weigh_1_unless_weights_are_given():
    assert shape(Pyramid.from_units(["It  rained.", "All left."])) == [
        ("All left.", 1),
        ("It rained.", 1),
    ]
    assert shape(Pyramid.from_units(["It rained.", "All left."], [3, 1])) == [
        ("It rained.", 3),
        ("All left.", 1),
    ]


def test_coverage_is_the_share_of_the_weights():
    pyramid = Pyramid.from_units(UNITS, [3, 2, 1])
    score = pyramid.score(UNITS[0], method="wmin", encoder="minilm", threshold=0.9)
    assert [match.stated for match in score.matches] == [True, False, False]
    assert score.raw == 3
    assert score.coverage == pytest.approx(3 / 6)
    assert score.quality == 1
    assert "builder:given|units:3|" in str(score.signature)
    soft = pyramid.score(" ".join(UNITS))
    assert all(match.presence == "yes" for match in soft.matches)


def test_it_is_saved_and_loaded(tmp_path):
    pyramid = Pyramid.from_units(UNITS, [3, 2, 1])
    pyramid.save(tmp_path / "p.json")
    assert Pyramid.load(tmp_path / "p.json") == pyramid


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("u.txt", "\ufeffIt rained.\r\n\r\nAll left.\n", [("All left.", 1), ("It rained.", 1)]),
        (
            "u.csv",
            'unit,weight\n"Rain, all day",4\nAll left.,\n',
            [("Rain, all day", 4), ("All left.", 1)],
        ),
        ("u.jsonl", '{"unit": "A b", "weight": 2}\n{"label": "C d"}\n', [("A b", 2), ("C d", 1)]),
    ],
)
def test_files_of_units(tmp_path, name, content, expected):
    (tmp_path / name).write_text(content, newline="", encoding="utf-8")
    assert shape(read_units(tmp_path / name)) == expected


def test_units_by_event(tmp_path):
    path = tmp_path / "units.jsonl"
    path.write_text(
        '{"id": "cat", "units": ["A b", "C d"], "weights": [1, 5]}\n'
        '{"id": "dog", "unit": "E f"}\n{"id": "dog", "unit": "G h", "weight": 2}\n'
    )
    found = read_event_units(path)
    assert shape(found["cat"]) == [("C d", 5), ("A b", 1)]
    assert shape(found["dog"]) == [("G h", 2), ("E f", 1)]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("u.txt", "\n \n", "has no units"),
        ("u.csv", "unit,weight\nRain,0\n", 'line 2: "weight" must be a whole number from 1'),
        ("u.csv", "unit,weight\nRain,much\n", "not 'much'"),
        ("u.csv", "idea\nRain\n", '"unit" is missing'),
        ("u.csv", "unit\nRain, rain\n", "line 2: has 2 cells for 1 columns"),
        ("u.jsonl", '{"unit": 3}\n', 'line 1: "unit" must be a string'),
        ("u.jsonl", '{"unit": " "}\n', 'line 1: "unit" is blank'),
        ("u.jsonl", "{\n", "line 1: is not JSON"),
    ],
)
def test_a_wrong_file_is_told_in_a_line(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as error:
        read_units(tmp_path / name)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("units", "weights", "words"),
    [
        ("It rained.", None, "got one string"),
        ([], None, "units is empty"),
        (["It rained.", ""], None, r"units\[1\] must be a text"),
        (["It rained."], [1, 2], "2 weights for 1 units"),
        (["It rained."], [0.5], "whole number from 1, not 0.5"),
    ],
)
def test_wrong_units_are_refused(units, weights, words):
    with pytest.raises(InputError, match=words):
        Pyramid.from_units(units, weights)
