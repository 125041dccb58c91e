"""Grade scales."""

import pytest

from commonground.errors import InputError
from commonground.pyramid import GradeScale

STEPS = (("A", 16.0), ("very good", 12.5), ("D", 0.0))


@pytest.mark.parametrize("sign", [",", " , ", " ", "\t", ":", ": ", "=", " = ", ";", "; "])
def test_a_line_may_have_any_of_these_signs_before_its_number(sign):
    lines = [f"mark{sign}points", f"A{sign}16", f"very good{sign}12.5", f"D{sign}0"]
    assert GradeScale.parse("\n".join(lines)).steps == STEPS


def test_percent_signs_are_read():
    assert GradeScale.parse("mark quality\nA 80%\nB: 0%").steps == (("A", 80.0), ("B", 0.0))


@pytest.mark.parametrize("sign", [",", " ", "\t", ":", ": ", ", "])
@pytest.mark.parametrize("percent", ["%", " %"])
def test_percent_without_a_header_is_of_the_comprehensive_score(sign, percent):
    scale = GradeScale.parse(f"A{sign}75{percent}\nvery good{sign}60{percent}\nF{sign}0")
    assert scale.of == "comprehensive"
    assert scale.steps == (("A", 75.0), ("very good", 60.0), ("F", 0.0))
    assert scale.mark({"comprehensive": 0.746}) == "A"  # shown as 75%


def test_numbers_without_a_header_are_points():
    scale = GradeScale.parse("A 16\nvery good 12.5\nD 0")
    assert (scale.of, scale.steps) == ("points", STEPS)


def test_a_header_is_read_in_any_case():
    scale = GradeScale.parse("Grade, Coverage\nA 80\nB 0")
    assert (scale.of, scale.marks) == ("coverage", ("A", "B"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A 75%\nB 10\nC 0", "line 2: give all marks in percent, or none"),
        ("mark points\nA 75%\nC 0", "line 2: points are not percent; name a score"),
        ("mark pionts\nA 75\nC 0", "line 1: unknown score 'pionts'"),
        ("A", """line 1: write a mark and a number, such as "A 20" (points) or "A 75%", not 'A'"""),
        ("A 75%", 'the lowest mark must start at 0, such as "F 0"'),
    ],
)
def test_an_error_shows_what_to_write(text, words):
    with pytest.raises(InputError) as error:
        GradeScale.parse(text)
    assert words in str(error.value)


@pytest.mark.parametrize("line", ["A", "A 6 B", "A:", "= 6", "A,6,7", "A six"])
def test_a_line_without_a_mark_and_a_number_is_named(line):
    with pytest.raises(InputError, match="line 2"):
        GradeScale.parse(f"mark,points\n{line}\nB,0")
