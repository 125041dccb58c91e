"""Pyramids of PyrEval: read, written, found by their content, and damaged."""

import pytest

from commonground.cli import run
from commonground.errors import InputError
from commonground.pyramid import Contributor, Pyramid, Unit, read_pyramid
from commonground.score import Signature

XML = """<Pyramid><scu uid="0"><contributor label="The ferry ran &amp; ran." />\
<contributor label="A ferry ran." /></scu><scu uid="1"><contributor label="It  rained." /></scu>\
</Pyramid>"""
LINES = "SCU\t0\t2\tThe ferry ran & ran.\nSCU\t0\t2\tA ferry ran.\nSCU\t1\t1\tIt rained.\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="p.pyr"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def texts(pyramid):
    return [[contributor.text for contributor in unit.contributors] for unit in pyramid.units]


@pytest.mark.parametrize("name", ["p.pyr", "p.PYR", "p.xml", "p.json", "p"])
@pytest.mark.parametrize("content", [XML, f"\ufeff\n{XML}".strip("\n"), LINES])
def test_it_is_found_by_content(write, name, content):
    found = read_pyramid(write(content, name))
    assert texts(found) == [["The ferry ran & ran.", "A ferry ran."], ["It rained."]]
    assert [unit.weight for unit in found.units] == [2, 1]
    assert found.units[0].label == "The ferry ran & ran."
    assert found.references == ("", "")
    assert found == Pyramid.load(write(content, name))


def test_json_stays_json_under_any_name(write, tmp_path):
    pyramid = read_pyramid(write(XML))
    pyramid.save(tmp_path / "p.json")
    renamed = write((tmp_path / "p.json").read_bytes(), "p.txt")
    assert read_pyramid(renamed) == pyramid


def test_what_is_written_can_be_read(tmp_path):
    units = (
        Unit("B & <c>", (Contributor(0, "a"), Contributor(2, "B & <c>"))),
        Unit("d\x0b", (Contributor(1, "d\x0b"),)),
    )
    pyramid = Pyramid(units, ("x", "y", "z"), Signature.of("PYRAMID", refs="3"))
    pyramid.save(tmp_path / "p.pyr")
    text = (tmp_path / "p.pyr").read_text("utf-8")
    assert text.startswith('<Pyramid references="3"><scu uid="0"><contributor label="B &amp; ')
    found = read_pyramid(tmp_path / "p.pyr")
    assert texts(found) == [["B & <c>", "a"], ["d"]]
    assert len(found.references) == 3


def test_a_weight_set_by_hand_cannot_be_written(tmp_path):
    unit = Unit("a", (Contributor(0, "a"),), weight_given=3)
    pyramid = Pyramid((unit,), ("x",), Signature.of("PYRAMID"))
    with pytest.raises(InputError, match="has the weight 3 and 1 contributors"):
        pyramid.save(tmp_path / "p.pyr")
    assert not (tmp_path / "p.pyr").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('<!DOCTYPE P [<!ENTITY a "b">]><Pyramid/>', "line 1: XML entities are not accepted"),
        ("<Pyramid>&nothing;</Pyramid>", "p.pyr, line 1, column 10: is not XML"),
        ("<Pyramid><scu uid='1'/></Pyramid>", "unit 1 has no contributor, so it has no weight"),
        ("<Pyramid><scu><contributor label='a'/></scu></Pyramid>", "a <scu> has no uid"),
        ("<Pyramid><scu uid='1'><contributor/></scu></Pyramid>", "a <contributor> has no label"),
        ("<Pyramid><scu uid='1'><contributor label='a'/></scu>" * 2, "is not XML|is cut off"),
        (XML.replace('"1"', '"0"'), "two units have the number 0"),
        (XML.replace("<Pyramid>", "<Pyramid references='x'>"), "must be a whole number, not 'x'"),
        ("SCU\t0\tx\ta", "line 1: must be SCU, unit, weight, words"),
        ("SCU\t0\t1", "line 1: must be SCU, unit, weight, words"),
        ("<other/>", "is not a DUCView file"),
        ("", "is cut off"),
    ],
)
def test_damage_is_one_line(write, content, message, capsys):
    path = write(content)
    with pytest.raises(InputError, match=message) as caught:
        read_pyramid(path)
    assert "\n" not in str(caught.value)
    assert run(["pyramid", "show", str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_ten_thousand_units(write, tmp_path):
    unit = '<scu uid="{}"><contributor label="Clause {}." /></scu>'
    body = "".join(unit.format(number, number) for number in range(10_000))
    found = read_pyramid(write(f"<Pyramid>{body}</Pyramid>"))
    assert len(found.units) == 10_000
    found.save(tmp_path / "again.pyr")
    assert read_pyramid(tmp_path / "again.pyr") == found
    score = found.score("Clause 9999.", method="pyreval", encoder="static")
    assert score.raw == 1


def test_the_command_builds_and_scores_a_pyr_file(tmp_path, capsys):
    for name, text in (("1.txt", "It rained all day. Nobody came."), ("2.txt", "It rained.")):
        (tmp_path / name).write_text(text, "utf-8")
    references = [str(tmp_path / "1.txt"), str(tmp_path / "2.txt")]
    path = str(tmp_path / "p.pyr")
    options = ["--preset", "pyreval", "--percentile", "50", "--alpha", "20", "--beta", "2"]
    assert run(["pyramid", "build", *references, "-o", path, *options]) == 0
    assert "weight 2" in capsys.readouterr().out
    assert run(["pyramid", "score", path, references[1], "--method", "pyreval", "--json"]) == 0
    assert "|builder:pyreval-file|" in capsys.readouterr().out
