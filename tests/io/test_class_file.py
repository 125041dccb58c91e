"""A class in one CSV, TSV or XLSX file."""

import datetime

import pytest
from openpyxl import Workbook

from commonground.errors import InputError
from commonground.io import Submission, read_class

ROWS = [("Anna", "It rained, all day."), ("Ben", "“Nobody” came.")]


def written(tmp_path, text, name="class.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def workbook(tmp_path, *rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "class.xlsx")
    return tmp_path / "class.xlsx"


def pairs(path):
    return [(one.name, one.text) for one in read_class(path)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('name,summary\nAnna,"It rained, all day."\nBen,“Nobody” came.\n', "a.csv"),
        ("Student ;Text\r\nAnna;It rained, all day.\r\nBen;“Nobody” came.\r\n", "a.csv"),
        ("text\tmark\tID\nIt rained, all day.\t1\tAnna\n“Nobody” came.\t2\tBen\n", "a.tsv"),
    ],
)
def test_columns_are_found_by_their_names(tmp_path, text, name):
    assert pairs(written(tmp_path, text, name, "utf-8-sig")) == ROWS


def test_a_workbook_is_read(tmp_path):
    path = workbook(tmp_path, ("name", "summary"), *ROWS, (None, None), (17, "It snowed."))
    assert pairs(path) == [*ROWS, ("17", "It snowed.")]


def test_a_name_is_better_than_an_id(tmp_path):
    assert pairs(written(tmp_path, "id,name,summary\n1,Anna,Rain.\n")) == [("Anna", "Rain.")]


def test_names_that_repeat_are_numbered_and_blank_rows_skipped(tmp_path):
    path = written(tmp_path, "name,summary\nAnna,One.\n,\n\nAnna,Two.\nAnna (2),Three.\n")
    assert read_class(path) == [
        Submission("Anna", "One."),
        Submission("Anna (2)", "Two."),
        Submission("Anna (2) (2)", "Three."),
    ]


def test_a_summary_may_have_lines_or_be_blank_and_guards_are_removed(tmp_path):
    path = written(tmp_path, 'name,summary\nAnna,"One.\n\nTwo."\nBen,\nCarla,\'-5 degrees.\n')
    assert pairs(path) == [("Anna", "One.\n\nTwo."), ("Ben", ""), ("Carla", "-5 degrees.")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("who,summary\nAnna,Rain.\n", "columns here: who, summary"),
        ("name,grade\nAnna,A\n", 'and "summary" (or "text"); columns here: name, grade'),
        ("", "columns here: none"),
        ("name,summary\n", "has no students"),
        ("name,summary\nAnna,Rain.\n,Snow.\n", "line 3: the name is blank"),
        ("name,summary\nAnna,Rain, wind.\n", "line 2: has 3 cells for 2 columns"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, text, problem):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        read_class(path)
    assert str(error.value).startswith(str(path))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_cell_that_is_no_text_is_told(tmp_path):
    path = workbook(tmp_path, ("name", "summary"), ("Anna", datetime.date(2026, 3, 2)))
    with pytest.raises(InputError, match="row 2, column B: is a date or a time"):
        read_class(path)
